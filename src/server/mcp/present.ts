import type { Door, DoorTool } from '#chat/doors/door.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import { serverErrorFor } from '#chat/servers/key-rights.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ContentPart, ToolResult } from '#shared/vocabulary/tool.ts';
import { RpcFailure, toFailure } from './rpc.ts';
import { CeriseError } from '#shared/errors/errors.ts';

/** The key under which a result names its call, so that it can be found in Cerise. */
const callKey = 'dev.cerise/call';
const pageSize = 1000;

/** A tool as programs see it, with the server's own metadata if there is only one server. */
export function presentTool({ name, tool }: DoorTool, isAlone: boolean): JsonObject {
  const { title, description, inputSchema, outputSchema, annotations, icons, meta } = tool;
  return {
    name,
    ...(title && { title }),
    description,
    inputSchema,
    ...(outputSchema && { outputSchema }),
    ...(Object.keys(annotations).length > 0 && { annotations: { ...annotations } }),
    ...(icons && { icons: icons as unknown as JsonObject[] }),
    ...(isAlone && meta && { _meta: meta }),
  };
}

/** Something that has `meta` as MCP writes it. */
export function withMeta({ meta, ...rest }: { meta?: JsonObject }): JsonObject {
  return { ...rest, ...(meta && { _meta: meta }) };
}

/** The outcome of a call. A failure that is not a result of the tool says what happened and what is unknown. */
export function presentCall(call: ToolCallView, door: Door): JsonObject {
  const { id, state, result, error, reach, serverId } = call;
  const meta = { [callKey]: { id, state } };
  if (result) return { ...presentResult(result, (uri) => door.shown(serverId, uri)), _meta: meta };
  const details = { ...(error?.details as object | undefined), reach };
  const thrown = error && new CeriseError(error.code, error.message, { ...error, details });
  const failure = toFailure(serverErrorFor(door.visitor, thrown));
  if (failure?.code === rpcCode.missingCapability) throw failure;
  return { ...failed(failure?.message ?? state), _meta: meta };
}

/** A failure as a tool result, for models to read. */
export function failed(text: string): JsonObject {
  return { content: [{ type: 'text', text }], isError: true };
}

function presentResult(result: ToolResult, shown: (uri: string) => string): JsonObject {
  const { content, structuredContent, isError } = result;
  return {
    content: content.map((part) => presentPart(part, shown)),
    ...(structuredContent !== undefined && { structuredContent: structuredContent as JsonObject }),
    ...(isError && { isError }),
  };
}

/** A part of a result; links to resources lead back through the same door. */
export function presentPart(part: ContentPart, shown: (uri: string) => string): JsonObject {
  if (part.type === 'resource_link') return { ...part, uri: shown(part.uri) } as JsonObject;
  const { stored: _, ...rest } = part;
  if (rest.type !== 'resource') return rest;
  return { ...rest, resource: { ...rest.resource, uri: shown(rest.resource.uri) } } as JsonObject;
}

/** One page of a list. Throws for an unknown cursor. */
export function page<T>(all: readonly T[], cursor: unknown): { entries: T[]; next: JsonObject } {
  if (cursor !== undefined && (typeof cursor !== 'string' || !/^\d{1,9}$/.test(cursor)))
    throw new RpcFailure(rpcCode.invalidParams, 'Unknown cursor');
  const start = Number(cursor ?? 0);
  const end = start + pageSize;
  return {
    entries: all.slice(start, end),
    next: end < all.length ? { nextCursor: String(end) } : {},
  };
}
