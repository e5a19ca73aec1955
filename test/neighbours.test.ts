import { sql } from 'kysely';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { Host } from '#chat/host/host.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { reduce } from '#shared/vocabulary/reduce.ts';
import { beat } from '#store/conversations/leases.ts';
import type { StoreOptions } from '#store/open-store.ts';
import { temporaryDatabase } from './databases.ts';
import { calls, says, ScriptedModel } from './fakes/scripted-model.ts';
import { ask, finished, openHost, owner, parseFrames, until, watch } from './host.ts';
import { illegalities } from './legal-conversation.ts';

const model = 'test/scripted';
const url = inject('postgresUrl');

function toolBlock(message: Message): ToolBlock {
  const block = message.blocks.find((each): each is ToolBlock => each.type === 'tool');
  if (!block) throw new Error('there is no call');
  return block;
}

/** A model that says words until it is let go. */
function talking() {
  const gate = { open: true };
  const scripted = new ScriptedModel(async function* (_request, signal): AsyncGenerator<Chunk[]> {
    for (let n = 0; gate.open && !signal.aborted; n += 1) {
      yield [{ type: 'text-delta', id: 't', text: `word ${n} ` }];
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    yield [{ type: 'response-complete', finishReason: 'stop' }];
  });
  return { scripted, letGo: () => void (gate.open = false) };
}

describe.skipIf(url === null)('two hosts on one PostgreSQL', () => {
  async function place(): Promise<StoreOptions> {
    const cleanups: (() => Promise<unknown>)[] = [];
    const made = await temporaryDatabase(url ?? '', cleanups);
    onTestFinished(async () => {
      for (const cleanup of cleanups.toReversed()) await cleanup();
    });
    return made;
  }

  async function open(
    where: StoreOptions,
    scripted: ScriptedModel,
    limits: Partial<Limits> = {},
  ): Promise<Host> {
    const host = await openHost(where, { models: { [model]: scripted }, limits });
    onTestFinished(() => host.close());
    return host;
  }

  async function pair(
    first: ScriptedModel,
    second = first,
    limits: Partial<Limits> = {},
    limitsThere: Partial<Limits> = {},
  ) {
    const where = await place();
    const [a, b] = [await open(where, first, limits), await open(where, second, limitsThere)];
    const topic = await a.topics.create(owner, { model, title: 'Two hosts' });
    return { a, b, topic, where };
  }

  it('shows on one what the other writes, event by event, to the end', async () => {
    const { scripted, letGo } = talking();
    const { a, b, topic } = await pair(scripted);
    const viewer = await watch(b, topic.id);
    const { answerId } = await a.messages.send(owner, topic.id, { text: 'Talk.' });
    await until(b, topic.id, answerId, ({ blocks }) => (blocks[0]?.content.length ?? 0) > 50);
    letGo();
    const seen = await finished(b, topic.id, answerId);
    expect(seen).toEqual(await finished(a, topic.id, answerId));
    expect(viewer.frames()).toContain('"type":"message-end"');
    expect(viewer.frames().match(/"type":"snapshot"/g)).toHaveLength(1);
    expect(viewer.conversation()).toEqual(await a.topics.snapshot(owner, topic.id));
    viewer.close();
  });

  it('T86: hands over the limits of a key in a form that a host without them refuses', async () => {
    const { scripted, letGo } = talking();
    scripted.rounds.unshift(says('First.'));
    scripted.rounds.push(says('Third.'));
    const { a, b, topic } = await pair(scripted);
    const first = await a.messages.send(owner, topic.id, { text: 'Hello.' });
    await finished(a, topic.id, first.answerId);
    const running = await a.messages.send(owner, topic.id, { text: 'Talk.' });
    await until(a, topic.id, running.answerId, ({ blocks }) => blocks.length > 0);
    const within = [{ id: 'calculator' }];
    const limited = await b.messages.regenerate(owner, first.answerId, { within });
    letGo();
    await finished(a, topic.id, limited.answerId);
    const tools = scripted.requests.at(-1)?.tools.map(({ name }) => name);
    expect(tools).toEqual(['mcp__calculator__calculate']);
    const kinds = await b.store.db.selectFrom('inbox').select('kind').execute();
    expect(kinds).toEqual([{ kind: 'regenerate-within' }]);
  });

  it('takes messages, stops and changes on either and lets the one that has the topic act', async () => {
    const { scripted, letGo } = talking();
    scripted.rounds.push(says('Second.'), says('Third.'));
    const { a, b, topic } = await pair(scripted);
    const first = await a.messages.send(owner, topic.id, { text: 'Talk.' });
    await until(a, topic.id, first.answerId, ({ blocks }) => blocks.length > 0);
    const second = await b.messages.send(owner, topic.id, { text: 'And then?' });
    await b.topics.update(owner, topic.id, { title: 'Renamed' });
    await b.messages.stop(owner, first.answerId);
    expect(await finished(a, topic.id, first.answerId)).toMatchObject({ status: 'stopped' });
    const answer = await finished(b, topic.id, second.answerId);
    expect(answer.blocks.map(({ content }) => content)).toEqual(['Second.']);
    letGo();
    const again = await b.messages.regenerate(owner, second.answerId, undefined);
    expect((await finished(a, topic.id, again.answerId)).status).toBe('success');
    const conversation = await b.topics.snapshot(owner, topic.id);
    expect(conversation.topic.title).toBe('Renamed');
    expect(conversation.messages).toHaveLength(5);
    expect(illegalities(conversation)).toEqual([]);
    await b.topics.delete(owner, topic.id);
    await expect(a.topics.snapshot(owner, topic.id)).rejects.toMatchObject({
      code: 'topic_not_found',
    });
  });

  it('translates and deletes on the one that has the topic, whichever is asked', async () => {
    const { scripted, letGo } = talking();
    scripted.rounds.unshift(says('One.'));
    scripted.rounds.push(says('Eins.'));
    const { a, b, topic } = await pair(scripted);
    const first = await a.messages.send(owner, topic.id, { text: 'First.' });
    await finished(b, topic.id, first.answerId);
    const second = await a.messages.send(owner, topic.id, { text: 'Talk.' });
    await until(a, topic.id, second.answerId, ({ blocks }) => blocks.length > 0);
    const viewer = await watch(b, topic.id);
    await b.messages.translate(owner, first.answerId, { language: 'de' });
    const isTranslated = ({ blocks, translating }: Message) =>
      !translating && blocks.at(-1)?.type === 'translation';
    const translated = await until(b, topic.id, first.answerId, isTranslated);
    expect(translated.blocks.at(-1)).toMatchObject({ status: 'success', content: 'Eins.' });
    await expect(b.topics.deleteMessage(owner, second.userMessageId)).rejects.toMatchObject({
      code: 'conflict',
    });
    letGo();
    await finished(b, topic.id, second.answerId);
    await b.topics.deleteMessage(owner, second.userMessageId);
    const left = await a.topics.snapshot(owner, topic.id);
    expect(left.messages).toHaveLength(2);
    expect(left.topic).toMatchObject({ activeLeafId: first.answerId, isLoading: false });
    await expect.poll(() => viewer.conversation()).toEqual(left);
    expect(illegalities(left)).toEqual([]);
    viewer.close();
  });

  it('shows at once what it has accepted for a topic whose host is dead', async () => {
    const { a, b, topic } = await pair(new ScriptedModel());
    const { id: answerId } = await ask(a, topic.id, 'Anybody?');
    const holder = () => sql`select id from topics where lease_owner is null`.execute(b.store.db);
    await expect.poll(async () => (await holder()).rows).toHaveLength(1);
    // Somebody who is not there any more has it, and is believed to be alive for a while.
    const later = Date.now() + 3_600_000;
    await beat(b.store.db, 'dead');
    await sql`update instances set seen_at = ${later} where id = 'dead'`.execute(b.store.db);
    const hold = sql`update topics set lease_owner = 'dead', lease_until = ${later}`;
    await hold.execute(b.store.db);
    const sent = await b.messages.send(owner, topic.id, { text: 'Still there?' });
    const again = await b.messages.regenerate(owner, answerId, undefined);
    for (const host of [a, b]) {
      const shown = await host.topics.snapshot(owner, topic.id);
      expect(shown.topic).toMatchObject({ isLoading: true, activeLeafId: again.answerId });
      expect(shown.messages.slice(2)).toMatchObject([
        { id: sent.userMessageId, parentId: answerId, blocks: [{ content: 'Still there?' }] },
        { id: sent.answerId, parentId: sent.userMessageId, status: 'pending', blocks: [] },
        { id: again.answerId, parentId: shown.messages[0]?.id, status: 'pending', blocks: [] },
      ]);
      expect(illegalities(shown)).toEqual([]);
    }
    // Whoever goes on from there by events has in the end what the log says.
    let seen = await b.topics.snapshot(owner, topic.id);
    const close = await b.topics.watch(owner, topic.id, seen.seq, {
      send: (frames) => {
        for (const event of parseFrames(frames)) seen = reduce(seen, event);
      },
      end: () => undefined,
    });
    onTestFinished(close);
    await sql`delete from instances where id = 'dead'`.execute(b.store.db);
    expect((await finished(b, topic.id, again.answerId)).status).toBe('success');
    await expect.poll(() => seen).toEqual(await b.topics.snapshot(owner, topic.id));
    expect(seen.messages).toHaveLength(5);
  });

  it('goes on with an answer on the other when one ends', async () => {
    const { scripted } = talking();
    const other = new ScriptedModel(says('Said by the other.'));
    const { a, b, topic } = await pair(scripted, other);
    const { answerId } = await a.messages.send(owner, topic.id, { text: 'Talk.' });
    await until(b, topic.id, answerId, ({ blocks }) => (blocks[0]?.content.length ?? 0) > 50);
    await a.close();
    const answer = await finished(b, topic.id, answerId);
    expect(answer.blocks.map(({ status }) => status)).toEqual(['interrupted', 'success']);
    expect(answer.blocks[1]?.content).toBe('Said by the other.');
  });

  it('writes nothing any more once the other has taken over (T65)', async () => {
    const { scripted } = talking();
    const other = new ScriptedModel(says('Said by the other.'));
    const { a, b, topic } = await pair(scripted, other);
    const { answerId } = await a.messages.send(owner, topic.id, { text: 'Talk.' });
    await until(b, topic.id, answerId, ({ blocks }) => (blocks[0]?.content.length ?? 0) > 50);
    // As if the first had slept past its lease.
    await sql`update topics set lease_owner = null, fence = fence + 1`.execute(b.store.db);
    const answer = await finished(b, topic.id, answerId);
    expect(answer.blocks.map(({ status }) => status)).toEqual(['interrupted', 'success']);
    expect(await a.topics.snapshot(owner, topic.id)).toEqual(
      await b.topics.snapshot(owner, topic.id),
    );
    const seqs = await b.store.db.selectFrom('events').select('seq').orderBy('seq').execute();
    expect(seqs.map(({ seq }) => seq)).toEqual(seqs.map((_, index) => index + 1));
  });

  it('lets a call be decided, and cancelled, on the other', async () => {
    const write: [string, JsonObject] = [
      'mcp__filesystem__write_file',
      { path: 'a.txt', content: 'x' },
    ];
    const scripted = new ScriptedModel(calls(write), says('Written.'));
    const { a, b, topic } = await pair(scripted);
    const { answerId } = await a.messages.send(owner, topic.id, { text: 'Write.' });
    const waiting = await until(b, topic.id, answerId, ({ status }) => status === 'waiting');
    const block = toolBlock(waiting);
    const decision = {
      decision: 'approve',
      argsHash: block.argsHash ?? '',
      scope: 'once',
    } as const;
    const decided = await b.approvals.decide(owner, block.toolCallId, decision);
    expect(['approved', 'dispatching', 'succeeded']).toContain(decided.state);
    const answer = await finished(b, topic.id, answerId);
    expect(toolBlock(answer).state).toBe('succeeded');
    await expect(b.approvals.decide(owner, block.toolCallId, decision)).rejects.toMatchObject({
      code: 'already_decided',
    });
  });

  it('goes on with a call that a rule of the other allows by now', async () => {
    const write: [string, JsonObject] = [
      'mcp__filesystem__write_file',
      { path: 'c.txt', content: 'x' },
    ];
    const { a, b, topic } = await pair(new ScriptedModel(calls(write), says('Written.')));
    const { answerId } = await a.messages.send(owner, topic.id, { text: 'Write.' });
    await until(b, topic.id, answerId, ({ status }) => status === 'waiting');
    const rules = [{ action: 'allow' as const, toolName: 'write_file' }];
    await b.policy.write(owner, { rules, trustedServers: [], safeToRepeat: [] });
    expect(toolBlock(await finished(b, topic.id, answerId)).state).toBe('succeeded');
  });

  it('gives up an answer that waits for long, and goes on with it wherever it is decided', async () => {
    const write: [string, JsonObject] = [
      'mcp__filesystem__write_file',
      { path: 'b.txt', content: 'x' },
    ];
    const { a, b, topic } = await pair(
      new ScriptedModel(calls(write)),
      new ScriptedModel(says('Written by the other.')),
      { heldWhileWaiting: 1_000 },
    );
    const { answerId } = await a.messages.send(owner, topic.id, { text: 'Write.' });
    const waiting = await until(a, topic.id, answerId, ({ status }) => status === 'waiting');
    const holder = () =>
      b.store.db.selectFrom('topics').select('lease_owner').executeTakeFirstOrThrow();
    await expect.poll(holder).toEqual({ lease_owner: null });
    expect((await b.topics.snapshot(owner, topic.id)).messages.at(-1)?.status).toBe('waiting');
    const { toolCallId, argsHash = '' } = toolBlock(waiting);
    await b.approvals.decide(owner, toolCallId, { decision: 'approve', argsHash, scope: 'once' });
    const answer = await finished(b, topic.id, answerId);
    expect(toolBlock(answer).state).toBe('succeeded');
    expect(answer.blocks.at(-1)?.content).toBe('Written by the other.');
  });

  it('goes on with an answer that is decided at the very moment at which it is given up', async () => {
    const write: [string, JsonObject] = [
      'mcp__filesystem__write_file',
      { path: 'c.txt', content: 'x' },
    ];
    const { a, b, topic } = await pair(
      new ScriptedModel(calls(write), says('Written.')),
      new ScriptedModel(says('Written.')),
      // Given up again with every look, also while it is decided.
      { heldWhileWaiting: 5 },
      { heldWhileWaiting: 5 },
    );
    const { answerId } = await a.messages.send(owner, topic.id, { text: 'Write.' });
    const waiting = await until(a, topic.id, answerId, ({ status }) => status === 'waiting');
    const { toolCallId, argsHash = '' } = toolBlock(waiting);
    await b.approvals.decide(owner, toolCallId, { decision: 'approve', argsHash, scope: 'once' });
    const answer = await finished(b, topic.id, answerId);
    expect(toolBlock(answer).state).toBe('succeeded');
    expect(answer.blocks.at(-1)?.content).toBe('Written.');
  });

  it('knows servers and rules that were changed on the other', async () => {
    const { a, b } = await pair(new ScriptedModel());
    const config = { type: 'streamableHttp', name: 'Far', baseUrl: 'http://127.0.0.1:9/mcp' };
    const added = await a.servers.add(owner, config);
    const names = () => b.servers.list(owner).map(({ name }) => name);
    await expect.poll(names).toContain('Far');
    await a.servers.update(owner, added.id, { name: 'Further' });
    await expect.poll(names).toContain('Further');
    await a.servers.remove(owner, added.id);
    await expect.poll(names).not.toContain('Further');
  });
});
