import { hash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { abortWith } from '#shared/async/abort-with.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { isLoud, knowsTasks, type McpClient, modernVersion, tasksExtension } from './client.ts';
import {
  endWithCredential,
  failureOf,
  greetingOf,
  type McpContext,
  serverInfoKey,
} from './context.ts';
import {
  type Exchanges,
  inputRequestsOf,
  keyOfCall,
  type Open,
  readState,
  unknownState,
} from './exchanges.ts';
import type { Round } from './exchange.ts';
import { goOnElsewhere } from './elsewhere.ts';
import { listen } from './listen.ts';
import { invalid, type McpRequest, methods } from './methods.ts';
import { readEnvelope } from './modern-envelope.ts';
import { Reply } from './reply.ts';
import { answerTo, notificationOf, resultOf, RpcFailure, type RpcRequest } from './rpc.ts';
import { newTask, taskMethods } from './tasks.ts';
import { startCall } from './tool-call.ts';

/** The requests that a server may answer with questions. */
const mayAsk: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** A request of the modern revision with what belongs to it. */
interface Modern extends McpContext {
  client: McpClient & { logLevel?: string };
  request: RpcRequest;
  exchanges: Exchanges;
  notify: McpRequest['notify'];
}

/** Answers a request of the modern revision. Only questions that wait for an answer are kept. */
export async function serveModern(
  context: McpContext,
  request: RpcRequest,
  exchanges: Exchanges,
): Promise<Response> {
  const { id, method } = request;
  const { host, logger, headers } = context;
  const gone = new AbortController();
  const accept = headers.get('accept') ?? undefined;
  const reply = new Reply({ limits: host.limits, accept, onLeft: () => gone.abort() });
  const { signal } = gone;
  abortWith(gone, [context.signal]);
  const notify: McpRequest['notify'] = (name, params) => reply.say(notificationOf(name, params));
  try {
    const client = readEnvelope(request, headers);
    if (method === 'subscriptions/listen') return await listen(context, request);
    const unlisten = passLogs(context, client.logLevel, notify);
    const leave = endWithCredential(context, { id, reply, callOff: () => gone.abort() });
    dispatch({ ...context, signal, client, request, exchanges, notify })
      .finally(unlisten)
      .finally(leave)
      .then(
        (result) => reply.end(resultOf(id, complete(context, result))),
        (error: unknown) => end(reply, failureOf(context, id, error)),
      );
  } catch (error) {
    end(reply, answerTo(id, error, logger));
  }
  return reply.response;
}

function end(reply: Reply, { message, status }: ReturnType<typeof answerTo>): void {
  reply.end(message, status);
}

/** Adds its type and its server to a result. */
function complete({ host, door }: McpContext, result: JsonObject): JsonObject {
  const { _meta: meta } = result;
  const serverInfo = { name: door.name, version: host.about.version };
  return {
    resultType: 'complete',
    ...result,
    _meta: { ...(isJsonObject(meta) && meta), [serverInfoKey]: serverInfo },
  };
}

async function dispatch(modern: Modern): Promise<JsonObject> {
  const { client, request } = modern;
  const { method } = request;
  if (method === 'server/discover') return discover(modern);
  if (mayAsk.has(method)) return exchange(modern);
  const task = taskMethods.get(method);
  if (task && !knowsTasks(client)) throw withoutTasks();
  if (task) return task(modern, modern.exchanges, request.params);
  const run = methods.get(method);
  if (!run) throw new RpcFailure(rpcCode.methodNotFound, 'Method not found', { status: 404 });
  return run(toRequest(modern));
}

function withoutTasks(): RpcFailure {
  return new RpcFailure(rpcCode.missingCapability, 'The client does not support tasks', {
    data: { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
    status: 400,
  });
}

async function discover(modern: Modern): Promise<JsonObject> {
  const { capabilities, instructions } = await greetingOf(modern, 'modern');
  return {
    supportedVersions: [modernVersion],
    capabilities,
    ...(instructions && { instructions }),
    ttlMs: 0,
    cacheScope: 'private',
  };
}

function toRequest(modern: Modern, open?: Open): McpRequest {
  const { door, client, request, isSearched, signal, notify } = modern;
  return {
    door,
    client,
    params: request.params,
    isSearched,
    asker: open?.exchange ?? nobody,
    signal: open?.life.signal ?? signal,
    notify: open ? (method, params) => open.notify(method, params) : notify,
  };
}

const nobody: McpRequest['asker'] = { can: () => false, coming: () => () => undefined };

/** One round: questions of the server go to the program, whose next request has the answers. */
async function exchange(modern: Modern): Promise<JsonObject> {
  const { client, request, exchanges, door, signal, notify } = modern;
  const { method, params } = request;
  const { requestState: state, inputResponses } = params;
  if (state !== undefined && typeof state !== 'string') throw invalid('requestState');
  const subject = subjectOf(method, params);
  const given = state === undefined ? undefined : readState(state);
  const known = given && exchanges.find(given.key, door.visitor);
  if (known && known.subject !== subject) throw unknownState();
  if (given && !known) {
    if (given.toolCallId === undefined) throw unknownState();
    const round = await goOnElsewhere(modern, given.toolCallId, client, params, signal);
    return present(modern, state ?? '', round);
  }
  const open = known ?? exchanges.begin(client, door.visitor, subject);
  await open.exchange.give(inputResponses);
  open.notify = notify;
  const abort = () => open.life.abort();
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    if (!known) start(modern, open);
    const round = await roundOrTask(modern, open);
    if (!round) return await newTask(modern, open.key);
    if ('result' in round) exchanges.forget(open);
    else exchanges.keep(open);
    open.rounds += 1;
    return present(modern, `${open.key}.${open.rounds}`, round);
  } catch (error) {
    if (error !== signal.reason && !isInvalidAnswer(error)) exchanges.forget(open);
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
    open.notify = () => undefined;
  }
}

function isInvalidAnswer(error: unknown): boolean {
  return error instanceof RpcFailure && error.message.endsWith('inputResponses');
}

function start(modern: Modern, open: Open): void {
  const { host, approvalsUrl, request } = modern;
  const asked = toRequest(modern, open);
  if (request.method !== 'tools/call') {
    const run = methods.get(request.method);
    if (run) open.exchange.run(run(asked));
    return;
  }
  const call = startCall(host, asked, approvalsUrl);
  open.key = keyOfCall(call.id);
  open.exchange.run(call.done);
}

/** Undefined if it takes so long that a program with support for tasks should check again later. */
async function roundOrTask(modern: Modern, open: Open): Promise<Round | undefined> {
  const { host, client, request, exchanges } = modern;
  const round = open.exchange.next();
  if (request.method !== 'tools/call' || !knowsTasks(client)) return round;
  const timer = new AbortController();
  const late = setTimeout(host.limits.mcpTaskAfter, undefined, { signal: timer.signal });
  try {
    const soon = await Promise.race([round, late.catch(() => undefined)]);
    if (!soon) exchanges.keep(open);
    return soon;
  } finally {
    timer.abort();
  }
}

function present({ door }: Modern, requestState: string, round: Round): JsonObject {
  if ('result' in round) return round.result;
  const inputRequests = inputRequestsOf(round.asked, door.serverId !== undefined);
  return { resultType: 'input_required', inputRequests, requestState };
}

/** A hash of the request: arguments can be long, and an exchange can wait for an hour. */
function subjectOf(method: string, { name, uri, arguments: args }: JsonObject): string {
  return hash('sha256', JSON.stringify([method, name ?? uri ?? null, args ?? {}]));
}

/** Log messages of servers that the visitor manages, where the request asked for them. */
function passLogs(
  { host, door }: McpContext,
  least: string | undefined,
  notify: McpRequest['notify'],
): () => void {
  if (least === undefined) return () => undefined;
  return host.doors.listen(door, (news) => {
    if (news.kind !== 'log' || !isLoud(news.level, least)) return;
    const { level, text, serverName } = news;
    notify('notifications/message', { level, logger: serverName, data: text });
  });
}
