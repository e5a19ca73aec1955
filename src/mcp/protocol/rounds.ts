import { CeriseError } from '#shared/errors/errors.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { RpcError } from './messages.ts';
import { answerAll, maxRounds, type Rounds, type Step, type Wait } from './round-trip.ts';
import { followTask, taskStep } from './tasks.ts';

/** What may be answered with a question. */
const mayAsk: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);
const maxStateChars = 1024 * 1024;

/** What a request is sent with: nothing at first, then the answers to the round before. */
export interface Input {
  round: number;
  params: JsonObject;
}

const first: Input = { round: 0, params: {} };

/**
 * Sends a request until it is complete: answers what an `input_required` result asks for and waits for
 * tasks. Every round is a new request; the state is given back byte for byte.
 */
export async function complete(
  method: string,
  params: JsonObject,
  rounds: Rounds,
): Promise<JsonObject> {
  let step = await advance(method, params, rounds);
  while ('wait' in step) {
    const { wait, task } = step;
    if (wait.kind === 'task') return followTask(wait, rounds, task);
    step = await advance(method, params, rounds, await gatherInput(wait, rounds));
  }
  return step.result;
}

/** Sends a request once, and says what it waits for if that did not complete it. */
export async function advance(
  method: string,
  params: JsonObject,
  rounds: Rounds,
  input: Input = first,
): Promise<Step> {
  for (let { round } = input; round <= maxRounds; round++) {
    let result: unknown;
    try {
      result = await rounds.send(method, input === first ? params : { ...params, ...input.params });
    } catch (error) {
      await visitUrls(error, rounds);
      continue;
    }
    if (!isJsonObject(result)) throw unreadable();
    const { resultType = 'complete' } = result;
    if (rounds.legacy)
      return params.task && isJsonObject(result.task) ? taskStep(result.task, true) : { result };
    if (resultType === 'complete') return { result };
    if (resultType === 'task' && method === 'tools/call') return taskStep(result, false);
    if (resultType === 'input_required' && mayAsk.has(method))
      return { wait: readWait(result, round + 1) };
    throw new CeriseError('unreadable_response', unknownKind(resultType), {
      hint: say(
        'other-kind-hint',
      )`It isn't valid for this request, or it requires a newer protocol version.`,
    });
  }
  throw tooOften();
}

/** The answers a request waits for, as its next round brings them. */
export async function gatherInput(
  { round, inputRequests, requestState }: Extract<Wait, { kind: 'input' }>,
  rounds: Pick<Rounds, 'answer'>,
): Promise<Input> {
  const inputResponses = await answerAll(inputRequests, round, rounds);
  return {
    round,
    params: {
      ...(Object.keys(inputResponses).length > 0 && { inputResponses }),
      ...(requestState !== undefined && { requestState }),
    },
  };
}

/** Nothing is asked for a round that may not be. */
function readWait({ requestState, inputRequests }: JsonObject, round: number): Wait {
  if (round > maxRounds) throw tooOften();
  const hasState = typeof requestState === 'string';
  if (hasState && requestState.length > maxStateChars) {
    throw new CeriseError(
      'result_too_large',
      say('state-over')`The server asked to store more than 1 MiB of state.`,
    );
  }
  return {
    kind: 'input',
    round,
    ...(inputRequests !== undefined && { inputRequests }),
    ...(hasState && { requestState }),
  };
}

/** The person goes where a server of 2025-11-25 sends them first; any other failure is thrown on. */
async function visitUrls(error: unknown, rounds: Rounds): Promise<void> {
  const urls = urlsToVisit(error);
  if (urls.length === 0) throw error;
  for (const url of urls) {
    const { action } = await rounds.answer('elicitation/create', { ...url, mode: 'url' });
    if (action !== 'accept')
      throw new CeriseError(
        'cancelled',
        say('page-not-opened')`The page the server needs wasn't opened.`,
      );
  }
}

function unreadable(): CeriseError {
  return new CeriseError(
    'unreadable_response',
    say('server-answer-unreadable')`The server's response can't be read.`,
  );
}

function urlsToVisit(error: unknown): JsonObject[] {
  if (!(error instanceof RpcError) || error.code !== rpcCode.urlElicitationRequired) return [];
  const { elicitations } = isJsonObject(error.data) ? error.data : {};
  return Array.isArray(elicitations) ? elicitations.filter(isJsonObject).slice(0, 5) : [];
}

function unknownKind(resultType: unknown): Sentence {
  const kind = truncate(JSON.stringify(resultType), 50);
  return say('result-kind')`The server returned a result of type ${kind}.`;
}

function tooOften(): CeriseError {
  return new CeriseError(
    'call_limit',
    say('input-often')`The server asked for input more than ${maxRounds} times.`,
  );
}
