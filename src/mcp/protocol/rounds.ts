import { CeriseError } from '#shared/errors.ts';
import { isJsonObject, type JsonObject } from '#shared/json.ts';
import { truncate } from '#shared/text.ts';
import { RpcError, rpcCode } from './messages.ts';
import { answerAll, type Rounds } from './round-trip.ts';
import { followOldTask, followTask } from './tasks.ts';

/** What may be answered with a question. */
const mayAsk: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);
const mostRounds = 10;
const largestState = 1024 * 1024;

/**
 * Sends a request until it is complete: answers what an `input_required` result asks for and waits for
 * tasks. Every round is a new request; the state is given back byte for byte.
 */
export async function complete(
  method: string,
  params: JsonObject,
  rounds: Rounds,
): Promise<JsonObject> {
  let input: JsonObject = {};
  for (let round = 0; round <= mostRounds; round++) {
    const result = await sendOnce(method, { ...params, ...input }, rounds);
    if (!result) continue;
    const { resultType = 'complete' } = result;
    if (rounds.legacy) return params.task ? followOldTask(result, rounds) : result;
    if (resultType === 'complete') return result;
    if (resultType === 'task' && method === 'tools/call') return followTask(result, rounds);
    if (resultType !== 'input_required' || !mayAsk.has(method)) {
      const kind = truncate(JSON.stringify(resultType), 50);
      throw new CeriseError(
        'unreadable_response',
        `The server gave a result of the kind ${kind}.`,
        {
          hint: 'It does not belong to this request, or to a newer version of the protocol.',
        },
      );
    }
    input = await gatherInput(result, rounds);
  }
  throw new CeriseError('call_limit', `The server asked for input more than ${mostRounds} times.`);
}

/** Undefined if the person went where a server of 2025-11-25 sent them first: it is to be sent again. */
async function sendOnce(
  method: string,
  params: JsonObject,
  rounds: Rounds,
): Promise<JsonObject | undefined> {
  try {
    const result = await rounds.send(method, params);
    if (isJsonObject(result)) return result;
    throw new CeriseError('unreadable_response', 'The answer of the server cannot be read.');
  } catch (error) {
    const urls = urlsToVisit(error);
    if (urls.length === 0) throw error;
    for (const url of urls) {
      const { action } = await rounds.answer('elicitation/create', { ...url, mode: 'url' });
      if (action !== 'accept')
        throw new CeriseError('cancelled', 'The page the server needs was not opened.');
    }
    return undefined;
  }
}

function urlsToVisit(error: unknown): JsonObject[] {
  if (!(error instanceof RpcError) || error.code !== rpcCode.urlElicitationRequired) return [];
  const { elicitations } = isJsonObject(error.data) ? error.data : {};
  return Array.isArray(elicitations) ? elicitations.filter(isJsonObject).slice(0, 5) : [];
}

async function gatherInput(result: JsonObject, rounds: Rounds): Promise<JsonObject> {
  const { requestState } = result;
  if (typeof requestState === 'string' && requestState.length > largestState) {
    throw new CeriseError('result_too_large', 'The state the server wants kept is over 1 MiB.');
  }
  const inputResponses = await answerAll(result.inputRequests, rounds);
  return {
    ...(Object.keys(inputResponses).length > 0 && { inputResponses }),
    ...(typeof requestState === 'string' && { requestState }),
  };
}
