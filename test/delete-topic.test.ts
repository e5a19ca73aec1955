import { describe, expect, it, onTestFinished } from 'vitest';
import { Commands } from '#chat/cluster/commands.ts';
import { HeldElsewhere } from '#chat/topic/live-topics.ts';
import { Signals } from '#chat/topic/signals.ts';
import { describeEachDatabase } from './databases.ts';
import { type Round, ScriptedModel } from './fakes/scripted-model.ts';
import { openHost, owner, quietLogger } from './host.ts';

const model = 'test/scripted';

/** Says nothing until it is stopped. */
const silent: Round = async function* (_request, signal) {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  yield await promise;
};

describe('a topic that is deleted', () => {
  describeEachDatabase((openStore, fresh, dialect) => {
    it('is gone for what is asked at the same time, and waits for no answer to that', async () => {
      const models = { [model]: new ScriptedModel(silent, silent, silent, silent) };
      const host = await openHost(fresh, { models });
      onTestFinished(() => host.close());
      const { id } = await host.topics.create(owner, { model, title: 'T' });
      const { answerId } = await host.messages.send(owner, id, { text: 'go' });
      const asked = await Promise.allSettled([
        host.messages.send(owner, id, { text: 'before' }),
        host.topics.delete(owner, id),
        host.messages.send(owner, id, { text: 'more' }),
        host.messages.regenerate(owner, answerId, undefined),
        host.topics.update(owner, id, { title: 'other' }),
        host.topics.delete(owner, id),
      ]);
      const [, deleted, ...others] = asked;
      expect(deleted).toMatchObject({ status: 'fulfilled' });
      const codes = others.map((one) => (one.status === 'rejected' ? one.reason.code : undefined));
      expect(codes.filter(Boolean)).not.toEqual([]);
      // Whoever names an answer, and comes when it is gone with its topic, hears of the answer.
      const [sent, again, ...rest] = codes;
      expect([undefined, 'topic_not_found', 'answer_not_found']).toContain(again);
      for (const code of [sent, ...rest]) expect([undefined, 'topic_not_found']).toContain(code);
      const late = host.messages.send(owner, id, { text: 'late' });
      await expect(late).rejects.toMatchObject({ code: 'topic_not_found' });
    });

    if (dialect === 'sqlite') return;

    it('takes no commands of other hosts any more', async () => {
      const store = await openStore();
      const parts = { store, signals: new Signals(), logger: quietLogger, now: Date.now };
      const elsewhere = () => Promise.reject(new HeldElsewhere('gone'));
      const stop = new Commands(parts).define('stop', elsewhere);
      const stopped = stop({ owner, topicId: 'gone' }, { answerId: 'a' });
      await expect(stopped).rejects.toMatchObject({ code: 'topic_not_found' });
    });
  });
});
