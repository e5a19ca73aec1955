import { questionIds } from '#chat/inputs/question-id.ts';
import { withinOf } from '#chat/servers/key-rights.ts';
import type { InputView } from '#shared/api/input-api.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { canAnswer, type McpClient } from './client.ts';
import type { McpContext } from './context.ts';
import type { ForwardedQuestion, Round } from './exchange.ts';
import { unknownState } from './exchanges.ts';
import { invalid } from './methods.ts';
import { presentCall } from './present.ts';
import { approvalKey } from './tool-call.ts';

/** Calls that another host runs, or that an earlier process left: their questions are rows. */

const pollMs = 250;

type Place = Pick<McpContext, 'host' | 'door'>;

/** Follows a call until it ends or asks something. It is cancelled if its program leaves. */
export async function goOnElsewhere(
  place: Place,
  id: string,
  client: McpClient,
  params: JsonObject,
  signal: AbortSignal,
): Promise<Round> {
  const { door } = place;
  if (!(await door.find(id).catch(() => undefined))) throw unknownState();
  const answered = await answerElsewhere(place, id, params.inputResponses);
  for (;;) {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(pollMs)]);
    const ended = await door.follow(id, soon).catch(() => undefined);
    if (ended) return { result: presentCall(ended, door) };
    if (signal.aborted) {
      await door.abort(id);
      throw signal.reason;
    }
    const asked = await questionsElsewhere(place, id, client);
    for (const each of answered) asked.delete(each);
    if (asked.size > 0) return { asked };
  }
}

/** The questions for the program that made a call, by their ids. */
export async function questionsElsewhere(
  place: Place,
  toolCallId: string,
  client: McpClient,
): Promise<Map<string, ForwardedQuestion>> {
  const inputs = await inputsOf(place, toolCallId);
  return new Map(inputs.flatMap((input) => toQuestion(input, client)));
}

/** A question as the program is asked it; nothing for one that it cannot answer. */
function toQuestion(input: InputView, client: McpClient): [string, ForwardedQuestion][] {
  if (input.kind === 'sampling') return [];
  const { id, message, serverName } = input;
  const params =
    input.kind === 'form'
      ? { message, requestedSchema: { ...input.schema } as JsonObject }
      : { mode: 'url', message, url: input.url };
  const method = 'elicitation/create';
  return canAnswer(client, method, params) ? [[id, { method, params, serverName }]] : [];
}

/**
 * Takes answers to the questions of a call, and returns which questions they were for. Each is found by the call, the
 * round and the server's key, or by its id.
 */
export async function answerElsewhere(
  place: Place,
  toolCallId: string,
  responses: unknown,
): Promise<ReadonlySet<string>> {
  const { host, door } = place;
  const answered = new Set<string>();
  for (const [key, answer] of Object.entries(readResponses(responses))) {
    const { action, content } = answer;
    if (action !== 'accept' && action !== 'decline' && action !== 'cancel') throw invalid(key);
    if (key === approvalKey && action !== 'accept') await door.abort(toolCallId);
    const ids = new Set([key, ...questionIds(toolCallId, key)]);
    const input = (await inputsOf(place, toolCallId)).find((each) => ids.has(each.id));
    if (!input) continue;
    const given = { action, ...(isJsonObject(content) && { content }) } as const;
    await host.inputs.answer(door.visitor.owner, input.id, given, withinOf(door.visitor));
    answered.add(input.id);
  }
  return answered;
}

async function inputsOf({ host, door }: Place, toolCallId: string) {
  const inputs = await host.inputs.list(door.visitor.owner, withinOf(door.visitor));
  return inputs.filter((input) => input.toolCallId === toolCallId);
}

function readResponses(value: unknown): Record<string, JsonObject> {
  if (value === undefined) return {};
  if (isJsonObject(value) && Object.values(value).every((each) => isJsonObject(each)))
    return value as Record<string, JsonObject>;
  throw invalid('inputResponses');
}
