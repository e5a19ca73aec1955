import { randomUUIDv7 } from 'node:crypto';
import { answerText, clientCallId, clientCalls } from '#shared/answer/client-calls.ts';
import type { Run } from '#shared/api/v1-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { isMessageRunning, type Message, type Topic } from '#shared/vocabulary/message.ts';
import { getMessage } from '#store/conversations/messages.ts';
import { findRunsOfChain, getRun, runsOfAnswer } from '#store/conversations/runs.ts';
import { insertTopic } from '#store/conversations/topics.ts';
import type { Store } from '#store/database/store.ts';
import { assertStill } from '../people/visitor.ts';
import { chainOf } from './brought-chain.ts';
import { resultsAfter, strayResult } from './brought-messages.ts';
import type { Brought, RunRequest } from './run-request.ts';

/** Where a request continues: in which topic, after which message, and what is new in its history. */
export interface RunPlace {
  topicId: string;
  parentId: string | null;
  /** An answer whose calls get their results, and these. */
  answered?: Message;
  results: Extract<Brought, { role: 'tool' }>[];
  said: readonly Brought[];
  /** A new topic, to be stored together with its messages. */
  begins?: Topic;
}

interface PlaceDeps {
  store: Store;
  live: { isShared: boolean };
  now: () => number;
}

type Asker = Pick<Run, 'owner' | 'credential'>;

/** How many of the newest answers to the same history are compared. */
const chainCandidates = 5;

/** Continues the earlier answer that the program repeats or refers to; otherwise begins a topic. */
export async function findPlace(
  deps: PlaceDeps,
  asker: Asker,
  request: RunRequest,
  assistantId: string,
): Promise<RunPlace> {
  const { previous, said } = request;
  const { store } = deps;
  if (previous !== undefined) {
    const run = await getRun(store.db, asker.owner, previous);
    if (!run?.stored) throw responseNotFound();
    return after(store, run, said);
  }
  return (
    (await findRepeated(store, asker, said)) ?? beginTopic(deps, asker.owner, request, assistantId)
  );
}

/** The answer that the last one in a program's history repeats, if everything before it is the same. */
async function findRepeated(
  store: Store,
  asker: Asker,
  said: readonly Brought[],
): Promise<RunPlace | undefined> {
  const last = said.findLastIndex(({ role }) => role === 'assistant');
  const entry = said[last];
  if (entry?.role !== 'assistant') return undefined;
  if (entry.answerId !== undefined) {
    const [run] = await runsOfAnswer(store.db, asker.owner, entry.answerId);
    if (!run) throw responseNotFound();
    return after(store, run, said.slice(last + 1));
  }
  const chain = chainOf(said.slice(0, last));
  for (const run of await findRunsOfChain(store.db, asker, chain, chainCandidates)) {
    const answer = await getMessage(store.db, run.owner, run.answerId);
    if (!answer || isMessageRunning(answer) || !isEcho(entry, answer)) continue;
    return goOn(answer, said.slice(last + 1), resultsAfter(said, last));
  }
  return undefined;
}

async function after(store: Store, run: Run, said: readonly Brought[]): Promise<RunPlace> {
  const answer = await getMessage(store.db, run.owner, run.answerId);
  if (!answer) throw responseNotFound();
  if (isMessageRunning(answer))
    throw new CeriseError('conflict', say('response-runs')`This response is still running.`, {
      hint: say('again-in-a-moment')`Try again in a moment.`,
    });
  const results = said.filter((entry) => entry.role === 'tool');
  const known = new Set(clientCalls(answer).map(clientCallId));
  const stray = results.find(({ callId }) => !known.has(callId));
  if (stray) throw strayResult(stray.callId);
  return goOn(answer, said, results);
}

/** Continues after our answer, or after a copy with the results if the program had calls to run. */
function goOn(answer: Message, said: readonly Brought[], results: RunPlace['results']): RunPlace {
  const { topicId, id, parentId } = answer;
  const taken = new Set<Brought>(results);
  const fresh = said.filter((entry) => !taken.has(entry));
  if (clientCalls(answer).length === 0) return { topicId, parentId: id, said: fresh, results: [] };
  return { topicId, parentId, answered: answer, said: fresh, results };
}

async function beginTopic(
  { store, live, now }: PlaceDeps,
  owner: string,
  { asChat, said }: RunRequest,
  assistantId: string,
): Promise<RunPlace> {
  const at = now();
  const topic: Topic = {
    id: randomUUIDv7(),
    title: '',
    titled: !asChat,
    assistantId,
    ...(!asChat && { unlisted: true }),
    activeLeafId: null,
    isLoading: false,
    createdAt: at,
    updatedAt: at,
  };
  const place = { topicId: topic.id, parentId: null, said, results: [] };
  // Files, and turns of several hosts, need a topic that exists.
  if (!live.isShared && said.every(isWords)) return { ...place, begins: topic };
  await store.transaction(async (tx) => {
    await assertStill(tx, store.dialect, owner);
    await insertTopic(tx, owner, topic);
  }, 'relaxed');
  return place;
}

/** Whether nothing in it can become a file, as a long result does. */
function isWords(entry: Brought): boolean {
  if (entry.role === 'user') return entry.parts.every(({ type }) => type === 'text');
  return entry.role === 'assistant';
}

/** The error for a response that does not exist, or belongs to someone else. */
export function responseNotFound(): CeriseError {
  return new CeriseError('response_not_found', say('response-gone')`This response doesn't exist.`);
}

/** Whether a program repeats an answer of ours, word for word and with its calls. */
function isEcho(said: Extract<Brought, { role: 'assistant' }>, answer: Message): boolean {
  const calls = clientCalls(answer).map(clientCallId);
  const bare = (text: string) => text.replaceAll(/\s+/g, '');
  return (
    bare(said.text) === bare(answerText(answer)) &&
    said.calls.length === calls.length &&
    said.calls.every(({ callId }) => calls.includes(callId))
  );
}
