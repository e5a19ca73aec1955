import { createHash, randomUUIDv7 } from 'node:crypto';
import * as fc from 'fast-check';
import { it } from 'vitest';
import { createBlobs } from '#store/blobs/blobs.ts';
import { dropOldDirectCalls, removeDirectCalls } from '#store/calls/direct-calls.ts';
import {
  insertToolCalls,
  type ToolCallRecord,
  transitionToolCall,
} from '#store/calls/tool-calls.ts';
import { deleteMessages } from '#store/conversations/delete-messages.ts';
import { finishMessage, insertMessage, setRequest } from '#store/conversations/messages.ts';
import { insertRun } from '#store/conversations/runs.ts';
import { sweepTopics } from '#store/conversations/sweep.ts';
import { deleteTopic, insertTopic, updateTopic } from '#store/conversations/topics.ts';
import type { Store } from '#store/database/store.ts';
import type { StoreOptions } from '#store/open-store.ts';
import { addUp } from '#store/usage/sums.ts';
import { describeEachDatabase, type Open } from './databases.ts';
import { expectSums } from './fixtures/recount-sums.ts';

const owners = ['ana', 'ben'] as const;
type Owner = (typeof owners)[number];
const quarter = 900_000;
const day = 24 * 3_600_000;

/** Times at and around the edges of quarters and days. */
const times = fc
  .tuple(fc.integer({ min: 0, max: 200 }), fc.constantFrom(-1, 0, 1, 7, quarter - 1))
  .map(([n, off]) => Math.max(0, day - 3 * quarter + n * quarter + off));
const who = fc.constantFrom(...owners);
const pick = fc.nat(1000);

/** What happens, in any order. `of` chooses among what there is. */
const steps = fc.oneof(
  fc.record({ do: fc.constant('topic' as const), owner: who }),
  fc.record({
    do: fc.constant('words' as const),
    of: pick,
    place: fc.constantFrom('prompt', 'run', 'request'),
    text: fc.string({ unit: 'grapheme' }),
  }),
  fc.record({
    do: fc.constant('answer' as const),
    of: pick,
    model: fc.constantFrom('a', 'b/c', 'ü'.repeat(900)),
    begun: times,
    took: fc.constantFrom(0, 1, 127, 128, 129, 100_000, -5),
    usage: fc.constantFrom(undefined, { inputTokens: 3, cost: 0.25 }, { outputTokens: 7 }),
    status: fc.constantFrom('success' as const, 'error' as const, 'stopped' as const),
    isOpen: fc.boolean(),
    file: fc.option(pick),
  }),
  fc.record({ do: fc.constant('end' as const), of: pick, at: times }),
  fc.record({
    do: fc.constant('call' as const),
    of: pick,
    owner: who,
    at: times,
    isDirect: fc.boolean(),
    isOpen: fc.boolean(),
    words: fc.constantFrom('', 'ü'.repeat(300)),
  }),
  fc.record({
    do: fc.constant('end call' as const),
    of: pick,
    at: times,
    end: fc.constantFrom('succeeded' as const, 'failed' as const),
  }),
  fc.record({
    do: fc.constant('upload' as const),
    owner: who,
    text: fc.constantFrom('x', 'yy', 'zzz'),
  }),
  fc.record({ do: fc.constant('delete topic' as const), of: pick }),
  fc.record({ do: fc.constant('delete message' as const), of: pick }),
  fc.record({ do: fc.constant('remove calls' as const), owner: who, at: fc.constantFrom(0, 10) }),
  fc.record({ do: fc.constant('expire calls' as const), at: times }),
  fc.record({ do: fc.constant('drop uploads' as const) }),
  fc.record({ do: fc.constant('sweep' as const), cut: fc.boolean() }),
  fc.record({ do: fc.constant('add up' as const), owner: who }),
  fc.record({ do: fc.constant('restart' as const) }),
);
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

/** One database, used through one store or two, which may be opened anew. */
class World {
  readonly #open: Open;
  readonly #place: StoreOptions;
  stores: Store[] = [];
  #turn = 0;
  readonly #topics: { id: string; owner: Owner }[] = [];
  #answers: { id: string; topicId: string; isOpen: boolean; begun: number }[] = [];
  readonly #files: { id: string; owner: Owner }[] = [];
  #calls = 0;
  readonly #openCalls: { id: string; at: number }[] = [];

  constructor(open: Open, place: StoreOptions) {
    this.#open = open;
    this.#place = place;
  }

  async restart(): Promise<void> {
    for (const store of this.stores) await store.close();
    const count = this.#place.databaseUrl ? 2 : 1;
    this.stores = [];
    for (let n = 0; n < count; n += 1) this.stores.push(await this.#open(this.#place));
  }

  get store(): Store {
    const store = this.stores[this.#turn++ % this.stores.length];
    if (!store) throw new Error('nothing is open');
    return store;
  }

  #blobs(now: number) {
    return createBlobs(this.store, this.#place.home, { now: () => now });
  }

  async run(step: Step): Promise<void> {
    const { store } = this;
    const chosen = <T>(list: T[], of: number): T | undefined => list[of % (list.length || 1)];
    switch (step.do) {
      case 'topic': {
        const id = randomUUIDv7();
        await store.transaction((tx) => insertTopic(tx, step.owner, topicOf(id)));
        this.#topics.push({ id, owner: step.owner });
        return;
      }
      case 'words':
        return await this.#write(store, step);
      case 'answer': {
        const topic = chosen(this.#topics, step.of);
        if (!topic) return;
        const id = randomUUIDv7();
        const own = this.#files.filter(({ owner }) => owner === topic.owner);
        const file = step.file === null ? undefined : chosen(own, step.file);
        await store.transaction(async (tx) => {
          const attached =
            file && (await this.#blobs(step.begun).attach(tx, topic.owner, file.id, topic.id));
          await insertMessage(tx, answerOf(id, topic.id, step, attached?.id));
        });
        this.#answers.push({ id, topicId: topic.id, isOpen: step.isOpen, begun: step.begun });
        return;
      }
      case 'end':
        return await this.#end(store, step);
      case 'call': {
        const answer = chosen(this.#answers, step.of);
        const owner = this.#topics.find(({ id }) => id === answer?.topicId)?.owner ?? step.owner;
        const call = callOf(this.#calls++, step);
        if (step.isOpen) this.#openCalls.push({ id: call.id, at: step.at });
        const of = answer && !step.isDirect && { answerId: answer.id, topicId: answer.topicId };
        await store.transaction((tx) => insertToolCalls(tx, [{ ...call, ...of, owner }]));
        return;
      }
      case 'end call':
        return await this.#endCall(store, step);
      case 'upload': {
        const facts = { owner: step.owner, mimeType: 'text/plain' };
        const kept = await this.#blobs(0).keep(Buffer.from(step.text), facts);
        this.#files.push({ id: kept.id, owner: step.owner });
        return;
      }
      case 'delete topic': {
        const topic = chosen(this.#topics, step.of);
        if (!topic) return;
        await store.transaction((tx) => deleteTopic(tx, topic.owner, topic.id));
        this.#forget((each) => each.topicId === topic.id);
        this.#topics.splice(this.#topics.indexOf(topic), 1);
        return;
      }
      case 'delete message':
        return await this.#deleteMessage(store, step.of);
      case 'remove calls':
        return void (await removeDirectCalls(store, step.owner, step.at * day));
      case 'expire calls':
        return void (await dropOldDirectCalls(store, {
          endedBefore: step.at,
          removedBefore: step.at,
        }));
      case 'drop uploads': {
        await this.#blobs(100 * day).collect();
        this.#files.length = 0;
        return;
      }
      case 'sweep': {
        const cutting = new AbortController();
        if (step.cut) setImmediate(() => cutting.abort());
        const sweeping = this.stores.map((each) => sweepTopics(each, { signal: cutting.signal }));
        return void (await Promise.all(sweeping));
      }
      case 'add up':
        await addUp(store, step.owner, 'usage_changes');
        return await addUp(this.store, step.owner, 'storage_changes');
      case 'restart':
        return await this.restart();
    }
  }

  async #deleteMessage(store: Store, of: number): Promise<void> {
    const answer = this.#answers[of % (this.#answers.length || 1)];
    if (!answer) return;
    const { id, topicId } = answer;
    await store.transaction((tx) => deleteMessages(tx, topicId, [id], null));
    this.#forget((each) => each.id === id);
  }

  /** Words that are in no block. */
  async #write(store: Store, { of, place, text }: Extract<Step, { do: 'words' }>): Promise<void> {
    const topic = this.#topics[of % (this.#topics.length || 1)];
    const answer = this.#answers[of % (this.#answers.length || 1)];
    if (place === 'request' && answer)
      return await store.transaction((tx) => setRequest(tx, answer.id, text || null));
    if (!topic) return;
    const { id, owner } = topic;
    const patch = { systemPrompt: text, updatedAt: 2 };
    if (place === 'prompt')
      return void (await store.transaction((tx) => updateTopic(tx, owner, id, patch)));
    const run = { id: randomUUIDv7(), owner, topicId: id, answerId: 'a', asked: { text } };
    const rest = { credential: 'c', kind: 'chat' as const, bodyHash: 'h', chain: '', stored: true };
    const row = { ...run, ...rest, requestKey: undefined, begins: 0, createdAt: 1 };
    await store.transaction((tx) => insertRun(tx, row, null));
  }

  async #end(store: Store, step: Extract<Step, { do: 'end' }>): Promise<void> {
    const open = this.#answers.filter(({ isOpen }) => isOpen);
    const answer = open[step.of % (open.length || 1)];
    if (!answer) return;
    const { id, topicId, begun } = answer;
    answer.isOpen = false;
    const rest = { model: 'late', begun, took: step.at - begun, status: 'success' as const };
    const ended = answerOf(id, topicId, { ...rest, isOpen: false });
    await store.transaction((tx) => finishMessage(tx, ended));
  }

  async #endCall(store: Store, { of, at, end }: Extract<Step, { do: 'end call' }>): Promise<void> {
    const [call] = this.#openCalls.splice(of % (this.#openCalls.length || 1), 1);
    if (!call) return;
    const words = 'ü'.repeat(of);
    const outcome =
      end === 'failed'
        ? { error: { code: 'tool_failed' as const, message: words } }
        : { result: { content: [{ type: 'text' as const, text: words }] } };
    const fields = { endedAt: Math.max(at, call.at), continuation: null, ...outcome };
    await store.transaction((tx) => transitionToolCall(tx, call.id, ['dispatching'], end, fields));
  }

  #forget(isGone: (answer: { id: string; topicId: string }) => boolean): void {
    this.#answers = this.#answers.filter((answer) => !isGone(answer));
  }
}

describeEachDatabase((open, fresh) => {
  it('T82: the sums of usage and storage are those of the rows, whatever happened', async () => {
    const run = fc.asyncProperty(
      fc.array(steps, { minLength: 10, maxLength: 60, size: 'max' }),
      async (all) => {
        const world = new World(open, await fresh());
        await world.restart();
        for (const step of all) await world.run(step);
        await expectSums(world.store, owners);
        for (const store of world.stores) await store.close();
      },
    );
    await fc.assert(run, { numRuns: Number(process.env['CERISE_SUMS_RUNS'] ?? 8) });
  });
});

function topicOf(id: string) {
  const times = { createdAt: 1, updatedAt: 1 };
  const rest = { title: 'T', titled: true, assistantId: 'default', activeLeafId: null };
  return { id, ...rest, isLoading: false, ...times };
}

function answerOf(
  id: string,
  topicId: string,
  fields: {
    model: string;
    begun: number;
    took: number;
    status: 'success' | 'error' | 'stopped';
    isOpen: boolean;
    usage?: object | undefined;
  },
  file?: string,
): Parameters<typeof insertMessage>[1] {
  const { begun, took, isOpen, model, usage } = fields;
  const common = { messageId: id, status: 'success' as const, round: 0, startedAt: 1 };
  const words = { ...common, id: `${id}.0`, ordinal: 0, type: 'main_text' as const };
  const stored = { id: file ?? '', size: 1 };
  return {
    id,
    topicId,
    parentId: null,
    role: 'assistant',
    status: isOpen ? 'processing' : fields.status,
    model,
    createdAt: begun,
    ...(!isOpen && { endedAt: begun + took }),
    ...(usage && { usage }),
    blocks: [
      { ...words, content: `words ü ${createHash('sha1').update(id).digest('hex')}` },
      ...(file === undefined
        ? []
        : [{ ...common, id: `${id}.1`, ordinal: 1, type: 'file' as const, content: '', stored }]),
    ],
  };
}

function callOf(
  n: number,
  { at, isOpen, words }: { at: number; isOpen: boolean; words: string },
): Omit<ToolCallRecord, 'owner'> {
  return {
    id: randomUUIDv7(),
    round: 0,
    index: n,
    callId: 'call',
    serverId: `s${n % 2}`,
    serverName: 'Server',
    toolName: `tool${n % 3}`,
    arguments: { words },
    argsHash: 'h',
    state: isOpen ? 'dispatching' : n % 5 === 0 ? 'failed' : 'succeeded',
    createdAt: at,
    ...(n % 4 > 0 && { startedAt: at + 3 }),
    ...(!isOpen && { endedAt: at + n * 50, result: { content: [{ type: 'text', text: words }] } }),
  };
}
