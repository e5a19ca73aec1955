import { toolChanged } from '#mcp/calls/assert-definition.ts';
import { definitionHash, pinnedMeta } from '#mcp/calls/definition-hash.ts';
import type { McpTool } from '#mcp/results/types.ts';
import { toErrorInfo } from '#shared/errors/errors.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { isOutdated } from '#shared/text/pin-hash.ts';
import { type LoadFailure, type ServerTool, toFailure } from './tools-loader.ts';

/** The hash that is pinned for a tool of a server; undefined if none is. */
export type FindPin = (serverId: string, toolName: string) => string | undefined;

/** Found tools by what was approved of them. */
export interface PinnedTools {
  /** As they were approved, and those that are never pinned. */
  approved: ServerTool[];
  /** Approved as far as an older version pinned them: what they say now is pinned in silence. */
  outdated: ServerTool[];
  /** Seen for the first time. */
  fresh: ServerTool[];
  /** No longer what was approved. */
  changed: ServerTool[];
}

/** Sorts found tools by their pins. Pure. */
export function sortByPins(found: readonly ServerTool[], findPin: FindPin): PinnedTools {
  const sorted: PinnedTools = { approved: [], outdated: [], fresh: [], changed: [] };
  for (const entry of found) {
    const { server, tool } = entry;
    const pin = findPin(server.id, tool.name);
    if (!isPinned(entry) || pin === definitionHash(tool)) sorted.approved.push(entry);
    else if (pin === undefined) sorted.fresh.push(entry);
    else if (isOutdated(pin, definitionHash(tool))) sorted.outdated.push(entry);
    else sorted.changed.push(entry);
  }
  return sorted;
}

/** Not what ships with Cerise and changes with it, nor what nobody can use as it is. */
function isPinned({ server, tool }: ServerTool): boolean {
  return server.config.type !== 'inMemory' && tool.problem === undefined;
}

/** What a person compares: everything the hash is made of. */
export function definitionOf(tool: McpTool): JsonObject {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const { taskSupport, icons } = tool;
  const meta = pinnedMeta(tool);
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema,
    ...(outputSchema && { outputSchema }),
    annotations: annotations as JsonObject,
    ...(taskSupport && { execution: { taskSupport } }),
    ...(icons && { icons: icons as unknown as JsonObject[] }),
    ...(meta && { _meta: meta }),
  };
}

/** Why a changed tool is missing from what models are offered. */
export function changedFailure({ server, tool }: ServerTool): LoadFailure {
  return toFailure(server, toErrorInfo(toolChanged(tool.name)));
}
