// Starts processes.
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Host } from '#chat/host/host.ts';
import { activePath, type Message } from '#shared/vocabulary/message.ts';
import { hiddenOwners } from '#store/conversations/hidden-topics.ts';
import { describeEachDatabase } from './databases.ts';
import { calls, type Round, says, ScriptedModel } from './fakes/scripted-model.ts';
import { openTaintHost, tools } from './fixtures/taint.ts';
import { ask, finished, openHost, owner, until } from './host.ts';

const model = 'test/scripted';
const words = ({ role, blocks }: Message) =>
  `${role}: ${blocks.map(({ content }) => content).join(' ')}`;

/** Says a word and then nothing until it is stopped. */
const half: Round = async function* (_request, signal) {
  yield [{ type: 'text-delta', text: 'Half' }] as never;
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  yield await promise;
};

describe('a fork', () => {
  describeEachDatabase((_open, fresh) => {
    async function open(...rounds: Round[]) {
      const place = await fresh();
      const host = await openHost(place, { models: { [model]: new ScriptedModel(...rounds) } });
      onTestFinished(() => host.close());
      const { id } = await host.topics.create(owner, { title: 'Plan', model });
      return { host, id };
    }

    it('holds the branch up to its message and nothing else, and goes on for itself', async () => {
      const { host, id } = await open(says('One.'), says('Two.'), says('Other.'), says('Three.'));
      await ask(host, id, 'first');
      const two = await ask(host, id, 'second');
      await host.messages.regenerate(owner, two.id);
      await host.topics.update(owner, id, { pinned: true });
      const fork = await host.data.fork(owner, two.id);
      expect(fork).toMatchObject({
        title: 'Plan',
        model,
        forkedFrom: { topicId: id, messageId: two.id },
      });
      expect(fork).not.toHaveProperty('pinnedAt');
      const copy = await host.topics.snapshot(owner, fork.id);
      const branch = ['user: first', 'assistant: One.', 'user: second', 'assistant: Two.'];
      expect(copy.messages.map(words)).toEqual(branch);
      expect(activePath(copy).map(words)).toEqual(branch);
      await until(host, id, (await host.topics.snapshot(owner, id)).topic.activeLeafId ?? '', (m) =>
        Boolean(m.endedAt),
      );
      await ask(host, fork.id, 'third');
      expect((await host.topics.snapshot(owner, fork.id)).messages).toHaveLength(6);
      expect((await host.topics.snapshot(owner, id)).messages).toHaveLength(5);
      expect((await host.topics.search(owner, 'second')).length).toBe(2);
      expect(await host.topics.list(owner, { limit: 9, model })).toHaveLength(2);
    });

    it('regenerates an answer with the model that it had, while there is one by that name', async () => {
      const place = await fresh();
      const other = 'test/other';
      const models = {
        [model]: new ScriptedModel(),
        [other]: new ScriptedModel(says('By other.')),
      };
      const host = await openHost(place, { models });
      const { id } = await host.topics.create(owner, { title: 'Plan', model });
      const answer = await ask(host, id, { text: 'first', model: other });
      expect(answer.model).toBe(other);
      const fork = await host.data.fork(owner, answer.id);
      const again = async (from: Host) => {
        const copied = (await from.topics.snapshot(owner, fork.id)).messages[1]?.id ?? '';
        const { answerId } = await from.messages.regenerate(owner, copied);
        return until(from, fork.id, answerId, ({ endedAt }) => endedAt !== undefined);
      };
      expect((await again(host)).model).toBe(other);
      await host.close();
      const later = await openHost(place, { models: { [model]: new ScriptedModel(says('.')) } });
      onTestFinished(() => later.close());
      expect((await again(later)).model).toBe(model);
    });

    it('has its files for itself, counted once', async () => {
      const { host, id } = await open(says('Seen.'));
      const picture = Buffer.from('89504e470d0a1a0a00', 'hex');
      const file = await host.blobs.keep(picture, {
        owner,
        mimeType: 'image/png',
        name: 'a.png',
      });
      const { id: answerId } = await ask(host, id, { text: 'look', files: [file.id] });
      const before = await host.data.storage(owner);
      const fork = await host.data.fork(owner, answerId);
      const after = await host.data.storage(owner);
      expect(after).toMatchObject({ files: before.files, fileBytes: before.fileBytes });
      expect(after.conversationBytes).toBeGreaterThan(before.conversationBytes);
      await host.topics.delete(owner, id);
      const [user] = (await host.topics.snapshot(owner, fork.id)).messages;
      const block = user?.blocks[0];
      const stored = block && 'stored' in block ? block.stored : undefined;
      const kept = await host.blobs.find(owner, stored?.id ?? '');
      expect(kept && Buffer.from(await host.blobs.read(kept))).toEqual(picture);
    });

    it('keeps what is untrusted as such, with calls that are history', async () => {
      const { host, newTopic, turn, asks } = await openTaintHost(await fresh());
      const topic = await newTopic();
      const [read] = await turn(topic, ['mcp__stranger__read', {}]);
      const fork = await host.data.fork(owner, read?.messageId ?? '');
      const copy = await host.topics.snapshot(owner, fork.id);
      const [block] = copy.messages.flatMap(tools);
      expect(block).toMatchObject({ untrusted: true, state: 'succeeded', toolName: 'read' });
      expect(block?.id).not.toBe(read?.id);
      expect(block?.result).toEqual(read?.result);
      const rows = host.store.db.selectFrom('tool_calls').select('id');
      expect(await rows.where('topic_id', '=', fork.id).execute()).toEqual([]);
      expect(await asks(fork.id)).toMatchObject({ reason: 'untrusted_words' });
      const server = block?.serverId ?? '';
      expect(await host.topics.list(owner, { limit: 9, server })).toHaveLength(2);
    });

    it('takes an answer that runs, or a call that waits, as far as it has come', async () => {
      const { host, id } = await open(half);
      const { answerId } = await host.messages.send(owner, id, { text: 'go' });
      await until(host, id, answerId, (m) => m.blocks.length > 0);
      const fork = await host.data.fork(owner, answerId);
      const { topic, messages } = await host.topics.snapshot(owner, fork.id);
      expect(topic.isLoading).toBe(false);
      expect(messages.at(-1)).toMatchObject({
        status: 'stopped',
        blocks: [{ status: 'interrupted' }],
      });
      expect((await host.topics.snapshot(owner, id)).topic.isLoading).toBe(true);
      await host.messages.stop(owner, answerId);
      await finished(host, id, answerId);
    });

    it('lists what waits for a person, and forks that as a call that never ran', async () => {
      const write = calls(['mcp__filesystem__write_file', { path: 'a.txt', content: 'a' }]);
      const { host, id } = await open(write, says('Done.'));
      const { answerId } = await host.messages.send(owner, id, { text: 'go' });
      await until(host, id, answerId, (m) => tools(m).some(({ approval }) => approval));
      const waiting = await host.topics.list(owner, { limit: 9, state: 'waiting' });
      expect(waiting).toMatchObject([{ id }]);
      expect(await host.topics.list(owner, { limit: 9, state: 'running' })).toMatchObject([{ id }]);
      const fork = await host.data.fork(owner, answerId);
      const copy = await host.topics.snapshot(owner, fork.id);
      const [block] = copy.messages.flatMap(tools);
      expect(block).toMatchObject({ state: 'cancelled', reach: 'never-left' });
      expect(block).not.toHaveProperty('approval');
      expect(await host.topics.list(owner, { limit: 9, state: 'waiting' })).toHaveLength(1);
      await host.messages.stop(owner, answerId);
      await finished(host, id, answerId);
      expect(await host.topics.list(owner, { limit: 9, state: 'waiting' })).toEqual([]);
    });

    it('is refused where there is no room, or no such message of one’s own, and leaves nothing', async () => {
      const limits = { storedPerPerson: 1024 };
      const models = { [model]: new ScriptedModel(says('x'.repeat(700))) };
      const host = await openHost(fresh, { models, limits });
      onTestFinished(() => host.close());
      const { id } = await host.topics.create(owner, { model });
      const answer = await ask(host, id, 'long');
      await expect(host.data.fork(owner, answer.id)).rejects.toMatchObject({
        code: 'quota_exceeded',
      });
      for (const [who, what] of [
        ['another', answer.id],
        [owner, 'none'],
      ] as const)
        await expect(host.data.fork(who, what)).rejects.toMatchObject({
          code: 'message_not_found',
        });
      expect(await host.topics.list(owner, { limit: 9 })).toHaveLength(1);
      const { from, before } = hiddenOwners.imported;
      const hidden = host.store.db.selectFrom('topics').select('id').where('owner', '>=', from);
      expect(await hidden.where('owner', '<', before).execute()).toEqual([]);
    });
  });
});
