import { type Door, type DoorCaller, searchDefinitions } from '#chat/doors/door.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { McpClient } from './client.ts';
import { page, presentPart, presentTool, withMeta } from './present.ts';
import { RpcFailure } from './rpc.ts';

/** One request of a program. */
export interface McpRequest {
  door: Door;
  client: McpClient;
  params: JsonObject;
  /** Tools are behind a search. */
  isSearched: boolean;
  asker: DoorCaller['asker'];
  /** Aborted when the program no longer wants the answer. */
  signal: AbortSignal;
  /** Sends a notification before the answer. */
  notify: (method: string, params: JsonObject) => void;
}

type Method = (request: McpRequest) => Promise<JsonObject>;

/** How long lists stay valid for programs that do not listen for changes. */
const listTtlMs = 10_000;
const kept = { ttlMs: listTtlMs, cacheScope: 'private' };

const shared: Record<string, Method> = {
  'tools/list': async ({ door, params, isSearched }) => {
    if (isSearched) return { tools: searchDefinitions() as unknown as JsonObject[], ...kept };
    const { entries, next } = page(await door.tools(), params.cursor);
    const isAlone = door.serverId !== undefined;
    return { tools: entries.map((tool) => presentTool(tool, isAlone)), ...next, ...kept };
  },
  'prompts/list': async ({ door, params }) => {
    const { entries, next } = page([...(await door.prompts())], params.cursor);
    const prompts = entries.map(([name, { prompt }]) => ({ ...withMeta(prompt as object), name }));
    return { prompts, ...next, ...kept };
  },
  'prompts/get': async ({ door, params, asker, signal }) => {
    const args = readTexts(params.arguments, 'arguments');
    const name = readText(params.name, 'name');
    const got = await door.prompt(name, args, { asker }, signal);
    const { description, messages, serverId } = got;
    return {
      ...(description !== undefined && { description }),
      messages: messages.map(({ role, content }) => ({
        role,
        content: presentPart(content, (uri) => door.shown(serverId, uri)),
      })),
    };
  },
  'resources/list': async ({ door, params }) => {
    const { entries, next } = page(await door.resources(), params.cursor);
    return { resources: entries.map((each) => withMeta(each as object)), ...next, ...kept };
  },
  'resources/templates/list': async ({ door, params }) => {
    const { entries, next } = page(await door.templates(), params.cursor);
    return { resourceTemplates: entries.map((each) => withMeta(each as object)), ...next, ...kept };
  },
  'resources/read': async ({ door, params, asker, signal, client }) => {
    const uri = readText(params.uri, 'uri');
    const { contents, ttlMs = 0 } = await door
      .read(uri, { asker }, signal)
      .catch((error: unknown) => {
        throw asNotFound(error, uri, client);
      });
    const hints = { ttlMs: Math.max(0, Math.trunc(ttlMs)), cacheScope: 'private' };
    return { contents: contents as JsonObject[], ...hints };
  },
  'completion/complete': async ({ door, params }) => {
    const { ref, argument, context } = params;
    if (!isJsonObject(ref) || !isJsonObject(argument)) throw invalid('ref');
    const target =
      ref.type === 'ref/prompt'
        ? { prompt: readText(ref.name, 'ref.name') }
        : { template: readText(ref.uri, 'ref.uri') };
    const known = isJsonObject(context) ? readTexts(context.arguments, 'context.arguments') : {};
    const name = readText(argument.name, 'argument.name');
    const value = typeof argument.value === 'string' ? argument.value : '';
    const completion = await door.complete(target, { name, value }, known);
    return { completion: { ...completion } };
  },
};
/** The methods of both revisions except calls. Only the modern one has the caching hints. */
export const methods: ReadonlyMap<string, Method> = new Map(Object.entries(shared));

/** Each revision has its own code for this. */
function asNotFound(error: unknown, uri: string, { era }: McpClient): unknown {
  const { code } = (error ?? {}) as { code?: unknown };
  if (code !== 'not_found') return error;
  const number = era === 'modern' ? rpcCode.invalidParams : rpcCode.resourceNotFound;
  return new RpcFailure(number, 'Resource not found', { data: { uri } });
}

export function readText(value: unknown, field: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw invalid(field);
}

function readTexts(value: unknown, field: string): Record<string, string> {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw invalid(field);
  const entries = Object.entries(value);
  if (entries.some(([, each]) => typeof each !== 'string')) throw invalid(field);
  return Object.fromEntries(entries) as Record<string, string>;
}

export function invalid(field: string): RpcFailure {
  return new RpcFailure(rpcCode.invalidParams, `Invalid params: ${field}`);
}
