import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { McpClient } from './client.ts';
import type { McpContext } from './context.ts';
import { answerElsewhere, questionsElsewhere } from './elsewhere.ts';
import type { ForwardedQuestion } from './exchange.ts';
import { type Exchanges, inputRequestsOf, keyOfCall, type Open } from './exchanges.ts';
import { readText } from './methods.ts';
import { presentCall } from './present.ts';
import { RpcFailure, toFailure } from './rpc.ts';

const pollIntervalMs = 1_000;

/** What a task waits for: a program that cannot show our page can at least name it. */
function waitingFor(call: ToolCallView | undefined, approvalsUrl: string): JsonObject {
  return call?.state === 'proposed'
    ? { statusMessage: `Waiting for approval: ${approvalsUrl}` }
    : {};
}

/** A call that became a task (SEP-2663); its id is that of the call, which any host can look up. */
export async function newTask(
  { door, approvalsUrl }: Pick<McpContext, 'door' | 'approvalsUrl'>,
  key: string,
): Promise<JsonObject> {
  const now = new Date().toISOString();
  const taskId = key.slice(keyOfCall('').length);
  const call = await door.find(taskId).catch(() => undefined);
  return {
    resultType: 'task',
    taskId,
    status: 'working',
    ...waitingFor(call, approvalsUrl),
    createdAt: now,
    lastUpdatedAt: now,
    ttlMs: null,
    pollIntervalMs,
  };
}

type TaskMethod = (
  context: McpContext & { client: McpClient },
  exchanges: Exchanges,
  params: JsonObject,
) => Promise<JsonObject>;

/** A task: its exchange, on the host that has it, and the record of its call once there is one. */
interface Task {
  id: string;
  open: Open | undefined;
  call: ToolCallView | undefined;
}

const ofTasks: Record<string, TaskMethod> = {
  'tasks/get': async (context, exchanges, params) => {
    const { door, client } = context;
    const task = await findTask(door, exchanges, params);
    const { id, open, call } = task;
    const isOpen = call === undefined || call.endedAt === undefined;
    const asked =
      isOpen && !open ? await questionsElsewhere(context, id, client) : open?.exchange.asked;
    return { ...about(task), ...stateOf(task, context, asked) };
  },
  'tasks/update': async (context, exchanges, params) => {
    const { open, id } = await findTask(context.door, exchanges, params);
    if (open) await open.exchange.give(params.inputResponses);
    else await answerElsewhere(context, id, params.inputResponses);
    return {};
  },
  'tasks/cancel': async ({ door }, exchanges, params) => {
    const { open, call, id } = await findTask(door, exchanges, params);
    open?.life.abort();
    if (call && call.endedAt === undefined) await door.abort(id);
    return {};
  },
};
export const taskMethods: ReadonlyMap<string, TaskMethod> = new Map(Object.entries(ofTasks));

async function findTask(
  door: McpContext['door'],
  exchanges: Exchanges,
  params: JsonObject,
): Promise<Task> {
  const id = readText(params.taskId, 'taskId');
  const open = exchanges.find(keyOfCall(id), door.visitor);
  const call = await door.find(id).catch((error: unknown) => {
    if (!(error instanceof CeriseError)) throw error;
    return undefined;
  });
  if (!open && !call) throw new RpcFailure(rpcCode.invalidParams, 'Unknown task');
  return { id, open, call };
}

function about({ id, call }: Task): JsonObject {
  const { createdAt = Date.now(), endedAt = Date.now() } = call ?? {};
  return {
    taskId: id,
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(endedAt).toISOString(),
    ttlMs: null,
    pollIntervalMs,
  };
}

function stateOf(
  { open, call }: Task,
  { door, approvalsUrl }: Pick<McpContext, 'door' | 'approvalsUrl'>,
  asked: ReadonlyMap<string, ForwardedQuestion> = new Map(),
): JsonObject {
  if (call?.state === 'cancelled') return { status: 'cancelled' };
  const outcome = open?.exchange.outcome;
  try {
    if (outcome && 'error' in outcome) throw outcome.error;
    if (outcome) return { status: 'completed', result: outcome.result };
    if (call?.endedAt !== undefined)
      return { status: 'completed', result: presentCall(call, door) };
  } catch (error) {
    const failure = toFailure(error);
    if (!failure) throw error;
    return { status: 'failed', error: { code: failure.code, message: failure.message } };
  }
  if (asked.size === 0) return { status: 'working', ...waitingFor(call, approvalsUrl) };
  const inputRequests = inputRequestsOf(asked, door.serverId !== undefined);
  return { status: 'input_required', inputRequests };
}
