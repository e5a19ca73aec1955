import { CeriseError, wordsOf } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { Continuation, ToolResult } from '#shared/vocabulary/tool.ts';
import { didNotLeave } from '../connection/ask-again.ts';
import { classifyError } from '../connection/classify-error.ts';
import type { Connection, ConnectionCall } from '../connection/connection.ts';
import { launchHash } from '../connection/launch-hash.ts';
import type { CallLimits } from '../protocol/call-limits.ts';
import type { CallWay } from '../protocol/call-way.ts';
import { pause } from '../protocol/pause.ts';
import type { Wait } from '../protocol/round-trip.ts';
import { gatherInput, type Input } from '../protocol/rounds.ts';
import { answerServer } from '../protocol/server-requests.ts';
import { isPassing } from '../protocol/tasks.ts';
import type { CallDeps, ToolCallRequest } from './call-request.ts';
import { abortable, type CallStep, sendCall } from './send-call.ts';

const firstPauseMs = 1000;
const maxPauseMs = 32_000;
const maxTries = 5;

/** One call on its way, and what it needs. */
interface RunningCall {
  request: ToolCallRequest;
  deps: CallDeps;
  limits: CallLimits;
  way: CallWay;
}

type Progress = CallStep | { wait: Wait; task?: JsonObject; known?: true };

/**
 * Runs a call through all its rounds. Between two of them it holds no connection: where it stands is
 * parked before anything is asked, and whatever connection there is afterwards takes it on.
 */
export async function runRounds(
  call: RunningCall,
): Promise<Extract<CallStep, { result: unknown }>> {
  const { request, deps } = call;
  let progress: Progress = request.resume
    ? { wait: readContinuation(request.resume, deps), known: true }
    : await sendCall(toCall(call), deps);
  while ('wait' in progress) {
    const { wait, task } = progress;
    if (!('known' in progress)) await park(wait, call);
    progress =
      wait.kind === 'task'
        ? await takeTask(wait, task, call)
        : await sendRound(await gather(wait, call), wait, call);
  }
  return progress;
}

function toCall({ request, deps, limits, way }: RunningCall): ConnectionCall {
  const { name, arguments: given, callId, onProgress, trace, origins } = request;
  const signal = deps.stop;
  return { name, arguments: given, callId, limits, signal, onProgress, trace, origins, way };
}

async function park(wait: Wait, { request, deps }: RunningCall): Promise<void> {
  await request.onParked?.({ server: launchHash(deps.record.config), wait });
}

/** Throws `outcome_unknown` for what cannot be gone on with: answers go to nobody who did not ask. */
function readContinuation({ server, wait }: Continuation, { record }: CallDeps): Wait {
  if (isJsonObject(wait) && server === launchHash(record.config)) return wait as Wait;
  throw new CeriseError(
    'outcome_unknown',
    say('server-changed-waiting')`${record.config.name} was changed while this call was waiting.`,
    { hint: say('check-tool-before')`Check what the tool did before you repeat the call.` },
  );
}

/** Asks what the server asked; that needs no connection, and may take days. */
async function gather(
  wait: Extract<Wait, { kind: 'input' }>,
  { request, deps }: RunningCall,
): Promise<Input> {
  const { record, stop, answers } = deps;
  const context = {
    serverId: record.id,
    serverName: record.config.name,
    callId: request.callId,
    signal: stop.signal,
  };
  const answer = (method: string, params: JsonObject, question?: string): Promise<JsonObject> =>
    answerServer(method, params, answers, { ...context, ...(question && { question }) });
  try {
    return await gatherInput(wait, { answer });
  } catch (error) {
    throw classifyError(error, 'call');
  }
}

/** Sends the next round, again only where it certainly did not leave. */
async function sendRound(input: Input, wait: Wait, call: RunningCall): Promise<CallStep> {
  const { request, deps } = call;
  for (let tries = 1; ; tries++) {
    const connection = await reach(deps);
    if (deps.stop.aborted)
      throw new CeriseError('cancelled', say('call-cancelled')`The call was cancelled.`);
    await request.onUnparked?.();
    try {
      return await sendCall({ ...toCall(call), input }, deps, connection);
    } catch (error) {
      const mayGoAgain = didNotLeave(error) && isPassing(error);
      if (!mayGoAgain || tries >= maxTries || deps.stop.aborted) throw error;
      await park(wait, call);
      await pause(firstPauseMs * 2 ** (tries - 1), deps.stop);
    }
  }
}

/** Waits for a task, over as many connections as that takes. */
async function takeTask(
  wait: Extract<Wait, { kind: 'task' }>,
  task: JsonObject | undefined,
  call: RunningCall,
): Promise<CallStep> {
  let known = task;
  for (let tries = 1; ; tries++) {
    try {
      const connection = await reach(call.deps);
      const result: ToolResult = await connection.followTask(wait, toCall(call), known);
      const tools = call.deps.catalog.tools.peek();
      return { result, tool: tools?.find(({ name }) => name === call.request.name) };
    } catch (error) {
      if (call.deps.stop.aborted || !isPassing(error)) throw error;
      if (tries >= maxTries) throw outOfReach(error);
      known = undefined;
    }
  }
}

/** A server that cannot be reached gets a minute: it may be starting, as we may have been. */
async function reach({ connect, stop }: CallDeps): Promise<Connection> {
  for (let time = firstPauseMs; ; time *= 2) {
    try {
      return await abortable(connect(), stop.signal);
    } catch (error) {
      if (stop.aborted || !isPassing(error) || time > maxPauseMs) throw error;
      await pause(time, stop);
    }
  }
}

function outOfReach(cause: unknown): CeriseError {
  return new CeriseError(
    'outcome_unknown',
    say(
      'task-unreachable',
    )`The server is working on this call but can't be reached: ${wordsOf(cause)}`,
    {
      hint: say('check-tool-before')`Check what the tool did before you repeat the call.`,
      cause,
    },
  );
}
