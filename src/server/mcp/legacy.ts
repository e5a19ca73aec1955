import { rpcCode } from '#shared/errors/rpc-code.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { eventStream } from '../http/event-stream.ts';
import { isLogLevel, legacyVersions, type McpClient } from './client.ts';
import { endWithCredential, failureOf, greetingOf, type McpContext } from './context.ts';
import { invalid, type McpRequest, methods, readText } from './methods.ts';
import type { Reply } from './reply.ts';
import {
  errorOf,
  type Incoming,
  notificationOf,
  readMessage,
  resultOf,
  RpcFailure,
  type RpcRequest,
} from './rpc.ts';
import { Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import { startCall } from './tool-call.ts';

const sessionHeader = 'mcp-session-id';
/** A session keeps them. */
const maxCapabilityChars = 64 * 1024;
const accepted = () => new Response(null, { status: 202 });

/** The handshake, which begins a session. */
export async function initialize(
  context: McpContext,
  { id, params }: RpcRequest,
  sessions: Sessions,
  path: string,
): Promise<Response> {
  const { protocolVersion, capabilities = {} } = params;
  if (JSON.stringify(capabilities).length > maxCapabilityChars)
    return refusal(400, 'The capabilities of the client are too long');
  const version = legacyVersions.find((each) => each === protocolVersion) ?? legacyVersions[0];
  const client: McpClient = {
    era: 'legacy',
    version,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
  };
  const greeting = await greetingOf(context, 'legacy');
  const session = new Session(context, client, path);
  sessions.add(session);
  const result = { protocolVersion: version, ...greeting };
  return Response.json(resultOf(id, result), { headers: { [sessionHeader]: session.id } });
}

/** A message of a program that has a session. */
export async function serveLegacy(
  context: McpContext,
  message: Incoming,
  session: Session,
): Promise<Response> {
  if (message.kind === 'response') {
    session.receive(message);
    return accepted();
  }
  if (message.kind === 'notification') {
    if (message.method === 'notifications/cancelled') cancel(session, message.params);
    return accepted();
  }
  const { id } = message;
  const reply = session.reply(context.headers.get('accept') ?? undefined);
  const controller = new AbortController();
  session.running.set(id, controller);
  const leave = endWithCredential(context, { id, reply, callOff: () => controller.abort() });
  dispatch(context, session, message, reply, controller.signal)
    .then(
      (result) => reply.end(resultOf(id, result)),
      (error: unknown) => {
        reply.end(failureOf(context, id, error).message);
      },
    )
    .finally(() => {
      leave();
      if (session.running.get(id) === controller) session.running.delete(id);
      session.ended(reply);
    });
  return reply.response;
}

/** The revision that has batches, and how many messages one can have. */
const batchVersion = '2025-03-26';
const maxBatch = 100;

/** A batch of messages, in the revision that has them: their answers are a batch, too. */
export async function serveBatch(
  context: McpContext,
  values: readonly unknown[],
  session: Session,
): Promise<Response> {
  const messages = values.flatMap((value) => readMessage(value) ?? []);
  const isValid =
    values.length > 0 && values.length <= maxBatch && messages.length === values.length;
  if (session.client.version !== batchVersion) return refusal(400, 'Batches are not supported');
  if (!isValid) return refusal(400, 'Invalid request');
  const headers = new Headers({ accept: 'application/json' });
  const answers = await Promise.all(
    messages.map((message) => serveLegacy({ ...context, headers }, message, session)),
  );
  const results = await Promise.all(
    answers.flatMap((answer): Promise<unknown>[] => (answer.status === 200 ? [answer.json()] : [])),
  );
  return results.length === 0 ? accepted() : Response.json(results);
}

/** The stream for messages that belong to no request, or the rest of an interrupted one. */
export async function openChannel(context: McpContext, session: Session): Promise<Response> {
  const { host, door, headers } = context;
  const lastEventId = headers.get('last-event-id');
  const rest = lastEventId === null ? undefined : session.resume(lastEventId);
  if (rest) return rest;
  let isTaken = false;
  const response = await eventStream(host.limits, async (viewer) => {
    isTaken = !session.open(viewer);
    if (isTaken) return () => undefined;
    const leave = await host.streams.add(door.visitor, () => viewer.end());
    const offClose = host.doors.onClose(() => viewer.end());
    return () => {
      session.leave(viewer);
      leave();
      offClose();
    };
  });
  if (!isTaken) return response;
  await response.body?.cancel();
  return refusal(409, 'Only one stream is allowed per session');
}

export function refusal(status: number, message: string): Response {
  const body = errorOf(null, new RpcFailure(rpcCode.invalidRequest, message));
  return Response.json(body, { status });
}

function cancel(session: Session, { requestId }: JsonObject): void {
  if (typeof requestId === 'string' || typeof requestId === 'number')
    session.running.get(requestId)?.abort();
}

async function dispatch(
  context: McpContext,
  session: Session,
  { method, params }: RpcRequest,
  reply: Reply,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { host, door, isSearched, approvalsUrl } = context;
  const request: McpRequest = {
    door,
    client: session.client,
    params,
    isSearched,
    asker: session.asker(reply),
    signal,
    notify: (name, about) => reply.say(notificationOf(name, about)),
  };
  if (method === 'tools/call') return startCall(host, request, approvalsUrl).done;
  const own = sessionMethods.get(method);
  if (own) return own(session, params);
  const run = methods.get(method);
  if (!run) throw new RpcFailure(rpcCode.methodNotFound, 'Method not found');
  const { ttlMs: _, cacheScope: __, ...result } = await run(request);
  return result;
}

type SessionMethod = (session: Session, params: JsonObject) => Promise<JsonObject>;

const ofSessions: Record<string, SessionMethod> = {
  ping: async () => ({}),
  'logging/setLevel': async (session, { level }) => {
    if (!isLogLevel(level)) throw invalid('level');
    session.logLevel = level;
    return {};
  },
  'resources/subscribe': async (session, { uri }) => {
    if (await session.subscribe(readText(uri, 'uri'))) return {};
    throw new RpcFailure(rpcCode.invalidRequest, 'Too many subscriptions');
  },
  'resources/unsubscribe': async (session, { uri }) => {
    await session.unsubscribe(readText(uri, 'uri'));
    return {};
  },
};
/** Methods for programs with a session only. */
const sessionMethods: ReadonlyMap<string, SessionMethod> = new Map(Object.entries(ofSessions));
