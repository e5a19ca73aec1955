import type { Door } from '#chat/doors/door.ts';
import type { Host } from '#chat/host/host.ts';
import { notSignedIn } from '#chat/people/visitor.ts';
import { serverErrorFor } from '#chat/servers/key-rights.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { type McpClient, metaPrefix, tasksExtension } from './client.ts';
import type { Reply } from './reply.ts';
import { answerTo, type RpcId } from './rpc.ts';

/** What every request through `/mcp` comes with. */
export interface McpContext {
  host: Host;
  logger: Logger;
  door: Door;
  /** Tools are behind a search. */
  isSearched: boolean;
  /** Where a person decides on calls that wait. */
  approvalsUrl: string;
  headers: Headers;
  /** Aborted when the connection of the request is gone. */
  signal: AbortSignal;
}

/**
 * Ends a request when its credential ends: the program gets an error, and `callOff` ends the work. Returns what to call
 * once the request is over.
 */
export function endWithCredential(
  { host, door, logger }: Pick<McpContext, 'host' | 'door' | 'logger'>,
  { id, reply, callOff }: { id: RpcId; reply: Reply; callOff: () => void },
): () => void {
  return host.streams.hold(door.visitor, () => {
    reply.end(answerTo(id, notSignedIn(), logger).message, 401);
    callOff();
  });
}

/** A failure as the answer to a request, as far as the visitor may see it. */
export function failureOf(
  { door, logger }: Pick<McpContext, 'door' | 'logger'>,
  id: RpcId,
  error: unknown,
): ReturnType<typeof answerTo> {
  return answerTo(id, serverErrorFor(door.visitor, error), logger);
}

/** The key under which a result names its server. */
export const serverInfoKey = `${metaPrefix}/serverInfo`;

/** The server's name, capabilities and instructions. */
export async function greetingOf(
  { host, door, isSearched }: Pick<McpContext, 'host' | 'door' | 'isSearched'>,
  era: McpClient['era'],
): Promise<{ capabilities: JsonObject; serverInfo: JsonObject; instructions?: string }> {
  const { instructions, capabilities, ...name } = await door.about();
  return {
    capabilities: {
      ...capabilitiesOf(capabilities && isSearched ? { ...capabilities, tools: {} } : capabilities),
      ...(era === 'modern' && { extensions: { [tasksExtension]: {} } }),
    },
    serverInfo: { ...name, version: host.about.version },
    ...(instructions && { instructions }),
  };
}

/** The capabilities of the one server behind the door; all of them if there are several or it has not connected yet. */
function capabilitiesOf(server: JsonObject | undefined): JsonObject {
  const has = (name: string) => server === undefined || isJsonObject(server[name]);
  const resources = server?.resources;
  const subscribe = !isJsonObject(resources) || resources.subscribe === true;
  return {
    ...(has('tools') && { tools: { listChanged: true } }),
    ...(has('prompts') && { prompts: { listChanged: true } }),
    ...(has('resources') && { resources: { ...(subscribe && { subscribe }), listChanged: true } }),
    ...(has('completions') && { completions: {} }),
    logging: {},
  };
}
