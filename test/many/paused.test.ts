import { describe, expect, inject, it } from 'vitest';
import type { Conversation, Topic } from '#shared/vocabulary/message.ts';
import { illegalities } from '../legal-conversation.ts';
import { startCluster } from './cluster.ts';
import { foldLog, readLog } from './log.ts';
import { question, wholeText } from './provider.ts';
import { differences, PersistentViewer } from './viewer.ts';

const postgresUrl = inject('postgresUrl');

describe.skipIf(postgresUrl === null)('an instance that sleeps past its leases (T65)', () => {
  it('writes nothing more when it wakes up, runs no tool twice, and its viewers go on', async () => {
    const cluster = await startCluster(postgresUrl ?? '', 1500);
    const [sleeper] = cluster.instances;
    const json = <T>(...call: Parameters<typeof sleeper.server.json>) =>
      sleeper.server.json<T>(...call);
    const ask = async (name: string, calls: boolean) => {
      const plan = { name, words: 200, pace: 15, calls };
      const topic = await json<Topic>('POST', '/api/topics', { title: name });
      const { answerId } = await json<{ answerId: string }>(
        'POST',
        `/api/topics/${topic.id}/messages`,
        { text: question(plan) },
      );
      const viewer = new PersistentViewer(sleeper.server.url, topic.id);
      return { plan, topic, answerId, viewer, ended: viewer.untilEnd(answerId) };
    };
    const asked = [await ask('talks', false), await ask('calls', true)];
    await expect.poll(() => cluster.ranTools(), { interval: 10 }).toEqual(['calls']);
    await expect.poll(() => (asked[0]?.viewer.client.lastId ?? 0) > 4).toBe(true);

    sleeper.server.child.kill('SIGSTOP');
    // As if it had slept for longer than a lease lives.
    await cluster.db.query('update topics set lease_until = 0 where lease_owner = $1', [
      sleeper.id,
    ]);
    const others = asked.map(async ({ topic, answerId }) => {
      const viewer = new PersistentViewer(cluster.instances[1].server.url, topic.id);
      await viewer.untilEnd(answerId);
      return viewer;
    });
    const holders = async () => {
      const { rows } = await cluster.db.query<{ owner: string }>(
        'select distinct lease_owner as owner from topics where lease_owner is not null',
      );
      return rows.map(({ owner }) => owner);
    };
    await expect.poll(holders).toEqual([cluster.instances[1].id]);
    sleeper.server.child.kill('SIGCONT');

    await Promise.all(asked.map(({ ended }) => ended));
    for (const [n, { plan, topic, answerId, viewer }] of asked.entries()) {
      const read = await json<Conversation>('GET', `/api/topics/${topic.id}`);
      const answer = read.messages.find(({ id }) => id === answerId);
      expect([answer?.status, answer?.blocks.at(-1)?.content]).toEqual([
        'success',
        wholeText(plan),
      ]);
      expect(illegalities(read)).toEqual([]);
      const log = await readLog(cluster.db, topic.id);
      const states = foldLog(topic, log);
      expect(states.at(-1)).toEqual(read);
      for (const each of [viewer, await others[n]]) {
        expect(each && differences(each, log, states)).toEqual([]);
        expect(each?.client.conversation).toEqual(states[each?.client.lastId ?? 0]);
      }
    }
    const called = asked[1]?.viewer.client.conversation?.messages.at(-1)?.blocks;
    expect(called?.find(({ type }) => type === 'tool')).toMatchObject({ state: 'outcome_unknown' });
    expect(cluster.ranTools()).toEqual(['calls']);
    expect(sleeper.server.child.exitCode).toBe(null);
  }, 60_000);
});
