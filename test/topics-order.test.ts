import { describe, expect, it, onTestFinished } from 'vitest';
import type { HostEvent } from '#shared/vocabulary/event.ts';
import { sweepTopics } from '#store/conversations/sweep.ts';
import { topicOwner } from '#store/conversations/topics.ts';
import { describeEachDatabase, type Fresh } from './databases.ts';
import { says, ScriptedModel } from './fakes/scripted-model.ts';
import { ask, openHost, owner } from './host.ts';

const model = 'test/scripted';

async function open(fresh: Fresh) {
  const clock = { now: Date.now() };
  const rounds = Array.from({ length: 10 }, () => says('Yes.'));
  const models = {
    [model]: new ScriptedModel(...rounds),
    'test/other': new ScriptedModel(...rounds),
  };
  const host = await openHost(fresh, { models, now: () => clock.now });
  onTestFinished(() => host.close());
  const create = async (title: string) => {
    clock.now += 1;
    return (await host.topics.create(owner, { title, model })).id;
  };
  const titles = async (query: object = {}) =>
    (await host.topics.list(owner, { limit: 10, ...query })).map(({ title }) => title);
  const events: HostEvent[] = [];
  host.events.subscribe(owner, (event) => events.push(event));
  /** Something is deleted for good, which makes the host look for what else is to go. */
  const sweep = async () => host.topics.delete(owner, await create('swept'));
  return { host, clock, create, titles, events, sweep };
}

describe('order in many topics', () => {
  describeEachDatabase((_open, fresh, dialect) => {
    it('keeps pinned ones in the order of pinning, whatever is used meanwhile', async () => {
      const { host, clock, create, titles } = await open(fresh);
      const [a, b, c] = [await create('a'), await create('b'), await create('c')];
      for (const id of [c, a]) {
        clock.now += 1;
        await host.topics.update(owner, id, { pinned: true });
      }
      await ask(host, c, 'go on');
      await host.topics.update(owner, c, { pinned: true });
      expect(await titles({ pinned: '1' })).toEqual(['a', 'c']);
      expect(await titles()).toEqual(['c', 'b', 'a']);
      await host.topics.update(owner, a, { pinned: false });
      expect(await titles({ pinned: '1' })).toEqual(['c']);
      expect((await host.topics.snapshot(owner, b)).topic).not.toHaveProperty('pinnedAt');
    });

    it('takes archived ones out of the list, and unpins them, until they get a message', async () => {
      const { host, create, titles, events } = await open(fresh);
      const [a, b] = [await create('a'), await create('b')];
      await ask(host, a, 'elderberry');
      await host.topics.update(owner, a, { pinned: true });
      const archived = await host.topics.update(owner, a, { archived: true });
      expect(archived).toMatchObject({ archived: true });
      expect(archived).not.toHaveProperty('pinnedAt');
      expect([await titles(), await titles({ archived: '1' })]).toEqual([['b'], ['a']]);
      const [hit] = await host.topics.search(owner, 'elderberry');
      expect(hit).toMatchObject({ topicId: a, archived: true });
      expect((await host.topics.search(owner, 'b'))[0]).not.toHaveProperty('archived');
      await ask(host, a, 'and now?');
      expect([await titles(), await titles({ archived: '1' })]).toEqual([['a', 'b'], []]);
      expect((await host.topics.snapshot(owner, a)).topic).not.toHaveProperty('archived');
      const last = events.findLast((event) => event.type === 'topic-changed');
      expect(last).toMatchObject({ topic: { id: a } });
      expect(last).not.toHaveProperty('topic.archived');
      await host.topics.update(owner, b, { archived: true });
      expect(await host.topics.update(owner, b, { pinned: true })).not.toHaveProperty('archived');
    });

    it('shows archived ones in an export and brings them back as they were', async () => {
      const { host, create, titles } = await open(fresh);
      const [a, b] = [await create('a'), await create('b')];
      await host.topics.update(owner, a, { archived: true });
      await host.topics.update(owner, b, { pinned: true });
      const file = (await Array.fromAsync(host.data.export(owner))).join('');
      expect(await host.data.deleteTopics(owner)).toBe(2);
      const source = (async function* () {
        yield Buffer.from(file);
      })();
      await host.data.import(owner, source, { dryRun: '0', existing: 'skip' });
      expect([await titles({ archived: '1' }), await titles({ pinned: '1' })]).toEqual([
        ['a'],
        ['b'],
      ]);
    });

    it('filters by what runs, by models and by servers that answers used', async () => {
      const { host, create, titles } = await open(fresh);
      const [a, b] = [await create('a'), await create('b')];
      await ask(host, a, 'one');
      await ask(host, b, { text: 'two', model: 'test/other' });
      await ask(host, b, { text: 'three' });
      expect(await titles({ model })).toEqual(['b', 'a']);
      expect(await titles({ model: 'test/other' })).toEqual(['b']);
      expect(await titles({ model: 'test/none' })).toEqual([]);
      expect(await titles({ state: 'running' })).toEqual([]);
      expect(await titles({ model, before: b })).toEqual(['a']);
      expect(await host.topics.uses(owner)).toEqual({ models: ['test/other', model], servers: [] });
      expect(await host.topics.uses('another')).toEqual({ models: [], servers: [] });
    });

    it('restores what was deleted a moment ago, as it was', async () => {
      const { host, create, titles, events } = await open(fresh);
      const a = await create('a');
      const answer = await ask(host, a, 'elderberry');
      const before = await host.topics.snapshot(owner, a);
      await host.topics.delete(owner, a, { undo: true });
      expect(await titles()).toEqual([]);
      expect(await host.topics.search(owner, 'elderberry')).toEqual([]);
      await expect(host.topics.snapshot(owner, a)).rejects.toMatchObject({
        code: 'topic_not_found',
      });
      await expect(host.topics.restore('another', a)).rejects.toMatchObject({
        code: 'topic_not_found',
      });
      const restored = await host.topics.restore(owner, a);
      expect(restored).toEqual(before.topic);
      expect(events.slice(-2)).toMatchObject([
        { type: 'topic-deleted' },
        { type: 'topic-changed' },
      ]);
      const after = await host.topics.snapshot(owner, a);
      expect(after.messages).toEqual(before.messages);
      expect(after.messages.at(-1)?.id).toBe(answer.id);
      expect(await host.topics.restore(owner, a)).toEqual(restored);
      expect((await ask(host, a, 'more')).status).toBe('success');
      expect((await host.topics.search(owner, 'elderberry')).length).toBe(1);
    });

    it('deletes for good what nobody restored in time, and its rows', async () => {
      const { host, clock, create, sweep } = await open(fresh);
      const a = await create('a');
      await ask(host, a, 'elderberry');
      await host.topics.delete(owner, a, { undo: true });
      clock.now += 59_000;
      await sweep();
      await host.topics.restore(owner, a);
      await host.topics.delete(owner, a, { undo: true });
      const { conversationBytes } = await host.data.storage(owner);
      expect(conversationBytes).toBeGreaterThan(0);
      clock.now += 60_001;
      await sweep();
      await expect.poll(() => topicOwner(host.store.db, a)).toBeUndefined();
      await expect(host.topics.restore(owner, a)).rejects.toMatchObject({
        code: 'topic_not_found',
      });
      await expect.poll(async () => (await host.data.storage(owner)).conversationBytes).toBe(0);
    });

    it('is not swept by a host of before, which sweeps all that it knows as deleted', async () => {
      const { host, create } = await open(fresh);
      const a = await create('a');
      await host.topics.delete(owner, a, { undo: true });
      expect(await sweepTopics(host.store, {})).toBe(0);
      expect((await host.topics.restore(owner, a)).title).toBe('a');
    });

    if (dialect === 'sqlite') return;

    it('is carried out by the host that has the topic, whichever is asked', async () => {
      const place = await fresh();
      const a = await openHost(place, { models: { [model]: new ScriptedModel(says('Yes.')) } });
      const b = await openHost(place);
      onTestFinished(async () => {
        await a.close();
        await b.close();
      });
      const { id } = await a.topics.create(owner, { title: 'a', model });
      const stop = await a.topics.watch(owner, id, undefined, {
        send: () => undefined,
        end: () => stop(),
      });
      await a.messages.send(owner, id, { text: 'go' });
      await b.topics.update(owner, id, { pinned: true });
      expect(await a.topics.list(owner, { limit: 1, pinned: '1' })).toMatchObject([{ id }]);
      await b.topics.delete(owner, id, { undo: true });
      await expect(a.topics.snapshot(owner, id)).rejects.toMatchObject({ code: 'topic_not_found' });
      await b.topics.restore(owner, id);
      expect((await a.topics.snapshot(owner, id)).messages).toHaveLength(2);
    });
  });
});
