import { CeriseError, type ErrorCode } from '#shared/errors/errors.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import { say } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { shutdownReason } from '#shared/vocabulary/tool.ts';
import { RpcError } from './messages.ts';
import { pause } from './pause.ts';
import { answerAll, type Rounds, type Step, type Wait } from './round-trip.ts';

type TaskWait = Extract<Wait, { kind: 'task' }>;

const defaultPollMs = 1000;
const minPollMs = 100;
const maxPollMs = 60_000;
const maxMisses = 5;
/** Failures of the way to the server, not of the task. */
const unreached: ReadonlySet<ErrorCode> = new Set([
  'connection_lost',
  'connection_refused',
  'http_error',
  'timed_out',
]);
/** A task may work for long: its own total counts, not that of one request. */
const taskMs = 24 * 60 * 60_000;

/** Whether a failure says nothing about a task: its server may still be working on it. */
export function isPassing(error: unknown): boolean {
  return error instanceof CeriseError && unreached.has(error.code);
}

/** What there is to wait for when a server has begun a task. */
export function taskStep(task: JsonObject, legacy: boolean): Step {
  const { taskId, pollIntervalMs, pollInterval: older, ttlMs, ttl: olderTtl } = task;
  if (typeof taskId !== 'string') {
    throw new CeriseError(
      'unreadable_response',
      say('task-unnamed')`The server started a task without an ID.`,
    );
  }
  // The two versions of tasks name these differently.
  const poll = pollIntervalMs ?? older;
  const ttl = ttlMs ?? olderTtl;
  const wait: TaskWait = {
    kind: 'task',
    taskId,
    ...(typeof poll === 'number' && { poll }),
    since: Date.now(),
    ...(typeof ttl === 'number' && { ttl }),
    legacy,
  };
  return { wait, task };
}

/**
 * Waits for a task; `task` is its state where that is known already. On abort the server is asked to
 * stop it, unless only the host ends. Fails with `outcome_unknown` if the server knows it no longer.
 */
export async function followTask(
  wait: TaskWait,
  rounds: Rounds,
  task?: JsonObject,
): Promise<JsonObject> {
  const judge = wait.legacy ? judgeOldTask : judgeTask(new Set(), task === undefined);
  const time = Math.max(rounds.limits.total, taskMs, wait.ttl ?? 0);
  // By the clock only what was before this process: one that is set in the meantime neither ends nor extends it.
  const deadline = performance.now() + time - Math.max(0, Date.now() - wait.since);
  try {
    let state = task ?? (await askFor(wait, rounds, 0));
    for (;;) {
      if (typeof state.statusMessage === 'string') rounds.onStatus?.(state.statusMessage);
      const outcome = await judge(state, wait.taskId, rounds);
      if (outcome) return outcome;
      if (performance.now() > deadline)
        throw new CeriseError('timed_out', say('task-late')`The task didn't finish in time.`);
      state = await askFor(wait, rounds, pollTime(state, wait));
    }
  } catch (error) {
    const aborted = rounds.signal?.aborted;
    if (!aborted && !(error instanceof CeriseError && error.code === 'timed_out')) throw error;
    if (rounds.signal?.reason !== shutdownReason) await cancelTask(wait.taskId, rounds);
    throw aborted
      ? new CeriseError('cancelled', say('call-cancelled')`The call was cancelled.`, {
          cause: error,
        })
      : error;
  }
}

/** Gives the result once there is one. */
type Judge = (task: JsonObject, taskId: string, rounds: Rounds) => Promise<JsonObject | undefined>;

/** A task that is gone on with may have got its answers already: what it says to them again is nothing. */
function judgeTask(answered: Set<string>, resumed: boolean): Judge {
  return async (task, taskId, rounds) => {
    if (task.status === 'input_required')
      await updateTask(taskId, task, answered, rounds).catch((error: unknown) => {
        if (!(error instanceof RpcError)) throw error;
        if (!resumed) throw updateRefused(error);
      });
    return taskOutcome(task);
  };
}

/**
 * The result of a task of 2025-11-25 is asked for separately; where the task needs input its server asks
 * for that itself, while the result is waited for.
 */
const judgeOldTask: Judge = async (task, taskId, rounds) => {
  if (task.status === 'working') return undefined;
  if (task.status === 'cancelled') throw cancelledByServer();
  const outcome = await rounds.send('tasks/result', { taskId });
  if (isJsonObject(outcome)) return outcome;
  throw new CeriseError(
    'unreadable_response',
    say('task-no-result')`The task ended without a result.`,
  );
};

/** Asks after a while. A server that cannot be reached for a moment may still be working on it. */
async function askFor({ taskId }: TaskWait, rounds: Rounds, time: number): Promise<JsonObject> {
  for (let misses = 0; ; misses++) {
    await pause(misses === 0 ? time : Math.max(time, defaultPollMs), rounds.signal);
    try {
      const state = await rounds.send('tasks/get', { taskId });
      return isJsonObject(state) ? state : {};
    } catch (error) {
      if (isGone(error)) throw taskGone(error);
      const refused = error instanceof RpcError;
      if (!refused && !isPassing(error)) throw error;
      if (rounds.signal?.aborted || misses >= maxMisses) throw refused ? taskGone(error) : error;
    }
  }
}

/** The server answers that there is no such task, or that it knows nothing of tasks. */
function isGone(error: unknown): boolean {
  return error instanceof RpcError && gone.has(error.code);
}

const gone: ReadonlySet<number> = new Set([
  rpcCode.invalidParams,
  rpcCode.methodNotFound,
  rpcCode.resourceNotFound,
]);

function taskGone(cause: unknown): CeriseError {
  return new CeriseError(
    'outcome_unknown',
    say(
      'task-forgotten',
    )`The server no longer recognises this call's task. It's unknown whether it finished.`,
    {
      hint: say('check-tool-before')`Check what the tool did before you repeat the call.`,
      cause,
    },
  );
}

function taskOutcome(task: JsonObject): JsonObject | undefined {
  switch (task.status) {
    case 'working':
    case 'input_required':
      return undefined;
    case 'completed':
      if (isJsonObject(task.result)) return task.result;
      throw new CeriseError(
        'unreadable_response',
        say('task-no-result')`The task ended without a result.`,
      );
    case 'failed': {
      const { code, message } = isJsonObject(task.error) ? task.error : {};
      const reason = typeof message === 'string' ? message : 'The task failed.';
      throw new RpcError({ code: Number(code), message: reason });
    }
    case 'cancelled':
      throw cancelledByServer();
    default:
      throw new CeriseError(
        'unreadable_response',
        say('task-unreadable')`The task's status can't be read.`,
      );
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
    throw new CeriseError(
      'call_limit',
      say('task-input-often')`The task asked for input too many times.`,
    );
  const inputResponses = await answerAll(Object.fromEntries(fresh), 'task', rounds);
  for (const [key] of fresh) answered.add(key);
  await rounds.send('tasks/update', { taskId, inputResponses });
}

async function cancelTask(taskId: string, rounds: Rounds): Promise<void> {
  // The call is over either way; a server that cannot be told is a server that is gone.
  await rounds.send('tasks/cancel', { taskId }, true).catch(() => undefined);
}

/** The server would not take an answer; its task may go on all the same. */
function updateRefused(cause: RpcError): CeriseError {
  const message = say('server-answered')`The server responded: ${truncate(cause.message, 2000)}`;
  return new CeriseError('protocol_error', message, { details: { code: cause.code }, cause });
}

class TaskCancelled extends CeriseError {}

function cancelledByServer(): TaskCancelled {
  return new TaskCancelled('cancelled', say('task-cancelled')`The server cancelled the task.`);
}

/** Whether a failure is the end of the task itself, as its server told it. */
export function isEndOfTask(error: unknown): boolean {
  return error instanceof RpcError || error instanceof TaskCancelled;
}

function pollTime({ pollIntervalMs, pollInterval: older }: JsonObject, { poll }: TaskWait): number {
  const given = pollIntervalMs ?? older;
  const wanted = typeof given === 'number' ? given : (poll ?? defaultPollMs);
  return Math.min(maxPollMs, Math.max(minPollMs, wanted));
}
