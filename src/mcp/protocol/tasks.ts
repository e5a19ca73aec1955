import { CeriseError, type ErrorCode } from '#shared/errors.ts';
import { isJsonObject, type JsonObject } from '#shared/json.ts';
import { pause } from '../pause.ts';
import { RpcError } from './messages.ts';
import { answerAll, type Rounds } from './round-trip.ts';

const defaultPoll = 1000;
const shortestPoll = 100;
const longestPoll = 60_000;
const mostMisses = 5;
/** Failures of the way to the server, not of the task. */
const unreached: ReadonlySet<ErrorCode> = new Set([
  'connection_lost',
  'connection_refused',
  'http_error',
  'timed_out',
]);
/** A task may work for long: its own total counts, not that of one request. */
const taskTime = 24 * 60 * 60_000;

/** Waits for a task; on abort the server is asked to stop it. */
export async function followTask(created: JsonObject, rounds: Rounds): Promise<JsonObject> {
  const answered = new Set<string>();
  return follow(created, rounds, async (task, taskId) => {
    if (task.status === 'input_required') await updateTask(taskId, task, answered, rounds);
    return taskOutcome(task);
  });
}

/**
 * Waits for a task of 2025-11-25, if the server made one. Its result is asked for separately; where it
 * needs input it asks for that itself, while it is waited for.
 */
export async function followOldTask(result: JsonObject, rounds: Rounds): Promise<JsonObject> {
  if (!isJsonObject(result.task)) return result;
  return follow(result.task, rounds, async (task, taskId) => {
    if (task.status === 'working') return undefined;
    if (task.status === 'cancelled') throw cancelledByServer();
    const outcome = await rounds.send('tasks/result', { taskId });
    if (isJsonObject(outcome)) return outcome;
    throw new CeriseError('unreadable_response', 'The task ended without a result.');
  });
}

/** `judge` gives the result once there is one. */
async function follow(
  created: JsonObject,
  rounds: Rounds,
  judge: (task: JsonObject, taskId: string) => Promise<JsonObject | undefined>,
): Promise<JsonObject> {
  const { taskId } = created;
  if (typeof taskId !== 'string') {
    throw new CeriseError('unreadable_response', 'The server began a task without naming it.');
  }
  const deadline = performance.now() + Math.max(rounds.limits.total, taskTime);
  let task = created;
  try {
    for (;;) {
      if (typeof task.statusMessage === 'string') rounds.onStatus?.(task.statusMessage);
      const outcome = await judge(task, taskId);
      if (outcome) return outcome;
      if (performance.now() > deadline)
        throw new CeriseError('timed_out', 'The task did not finish in time.');
      task = await nextState(taskId, task, rounds);
    }
  } catch (error) {
    const aborted = rounds.signal?.aborted;
    if (!aborted && !(error instanceof CeriseError && error.code === 'timed_out')) throw error;
    await cancelTask(taskId, rounds);
    throw aborted
      ? new CeriseError('cancelled', 'The call was cancelled.', { cause: error })
      : error;
  }
}

/** Asks after a while. A server that cannot be reached for a moment may still be working on it. */
async function nextState(taskId: string, task: JsonObject, rounds: Rounds): Promise<JsonObject> {
  for (let misses = 0; ; misses++) {
    await pause(pollInterval(task), rounds.signal);
    try {
      const next = await rounds.send('tasks/get', { taskId });
      return isJsonObject(next) ? next : {};
    } catch (error) {
      const passing = error instanceof CeriseError && unreached.has(error.code);
      if (!passing || misses >= mostMisses || rounds.signal?.aborted) throw error;
    }
  }
}

function taskOutcome(task: JsonObject): JsonObject | undefined {
  switch (task.status) {
    case 'working':
    case 'input_required':
      return undefined;
    case 'completed':
      if (isJsonObject(task.result)) return task.result;
      throw new CeriseError('unreadable_response', 'The task ended without a result.');
    case 'failed': {
      const { code, message } = isJsonObject(task.error) ? task.error : {};
      const reason = typeof message === 'string' ? message : 'The task failed.';
      throw new RpcError({ code: Number(code), message: reason });
    }
    case 'cancelled':
      throw cancelledByServer();
    default:
      throw new CeriseError('unreadable_response', 'The state of the task cannot be read.');
  }
}

/** Answers what is new; a key that was answered before is only still being worked on. */
async function updateTask(
  taskId: string,
  task: JsonObject,
  answered: Set<string>,
  rounds: Rounds,
): Promise<void> {
  const all = isJsonObject(task.inputRequests) ? task.inputRequests : {};
  const fresh = Object.entries(all).filter(([key]) => !answered.has(key));
  if (fresh.length === 0) return;
  if (answered.size + fresh.length > 100)
    throw new CeriseError('call_limit', 'The task asked for input too often.');
  const inputResponses = await answerAll(Object.fromEntries(fresh), rounds);
  await rounds.send('tasks/update', { taskId, inputResponses });
  for (const [key] of fresh) answered.add(key);
}

async function cancelTask(taskId: string, rounds: Rounds): Promise<void> {
  // The call is over either way; a server that cannot be told is a server that is gone.
  await rounds.send('tasks/cancel', { taskId }, true).catch(() => undefined);
}

function cancelledByServer(): CeriseError {
  return new CeriseError('cancelled', 'The server cancelled the task.');
}

/** The two versions of tasks name it differently. */
function pollInterval({ pollIntervalMs, pollInterval: older }: JsonObject): number {
  const given = pollIntervalMs ?? older;
  const wanted = typeof given === 'number' ? given : defaultPoll;
  return Math.min(longestPoll, Math.max(shortestPoll, wanted));
}
