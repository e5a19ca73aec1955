import { setTimeout } from 'node:timers/promises';
import { describe, expect, inject, it } from 'vitest';
import type { Conversation, Topic } from '#shared/vocabulary/message.ts';
import { errorIn, illegalities } from '../legal-conversation.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { databaseTime, foldLog, heldBy, readLog, takeOverTimes } from './log.ts';
import { type Plan, question, wholeText } from './provider.ts';
import { leftOutTime } from './proxy.ts';
import { differences, PersistentViewer } from './viewer.ts';

/** How many answers run at once; `CERISE_MANY_TURNS=50` is the full measure. */
const turns = Number(process.env['CERISE_MANY_TURNS'] ?? 10);
const postgresUrl = inject('postgresUrl');
/** Milliseconds from the death of an instance until all its topics have another one. */
const longestTakeOver = 20_000;

interface Asked {
  plan: Plan;
  topic: Topic;
  answerId: string;
  viewers: PersistentViewer[];
}

/** Sends a question and watches it from here on. */
async function ask(cluster: Cluster, plan: Plan, watchers: number): Promise<Asked> {
  const topic = await cluster.json<Topic>('POST', '/api/topics', { title: plan.name });
  const viewers = Array.from(
    { length: watchers },
    () => new PersistentViewer(cluster.url, topic.id),
  );
  const { answerId } = await cluster.json<{ answerId: string }>(
    'POST',
    `/api/topics/${topic.id}/messages`,
    { text: question(plan) },
  );
  return { plan, topic, answerId, viewers };
}

/** Everything that must be true of an answer once it has ended. */
async function check(cluster: Cluster, asked: Asked): Promise<void> {
  const { plan, topic, answerId, viewers } = asked;
  const read = await cluster.json<Conversation>('GET', `/api/topics/${topic.id}`);
  const answer = read.messages.find(({ id }) => id === answerId);
  expect([plan.name, answer?.status, errorIn(answer)]).toEqual([plan.name, 'success', undefined]);
  const last = answer?.blocks.at(-1);
  expect([last?.type, last?.status, last?.content]).toEqual([
    'main_text',
    'success',
    wholeText(plan),
  ]);
  expect(illegalities(read)).toEqual([]);
  const log = await readLog(cluster.db, topic.id);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, n) => n + 1));
  const states = foldLog(topic, log);
  expect(states.at(-1)).toEqual(read);
  for (const viewer of viewers) {
    expect(differences(viewer, log, states)).toEqual([]);
    expect(viewer.client.conversation).toEqual(states[viewer.client.lastId ?? 0]);
  }
}

function isTalking({ client }: PersistentViewer, answerId: string): boolean {
  const answer = client.conversation?.messages.find(({ id }) => id === answerId);
  return (
    answer?.blocks.some(({ type, content }) => type === 'main_text' && content !== '') === true
  );
}

/** Keys that the tool wrote down more than once. */
function repeated(keys: string[]): string[] {
  return keys.filter((key, n) => keys.indexOf(key) !== n);
}

const report = (name: string, figures: object) =>
  process.env['CERISE_MANY_TURNS'] && process.stderr.write(`${name}: ${JSON.stringify(figures)}\n`);

async function killOne(cluster: Cluster): Promise<Asked[]> {
  const [victim] = cluster.instances;
  const asked = await Promise.all(
    Array.from({ length: turns }, (_, n) =>
      ask(cluster, { name: `k${n}`, words: 160, pace: 25, calls: n % 2 === 0 }, 2),
    ),
  );
  const ended = Promise.all(
    asked.flatMap(({ answerId, viewers }) => viewers.map((viewer) => viewer.untilEnd(answerId))),
  );
  // Text is on its way in all of them: no call is cut whose outcome nobody could know.
  await Promise.all(
    asked.map(async ({ viewers: [viewer], answerId }) =>
      expect.poll(() => viewer && isTalking(viewer, answerId), { timeout: 30_000 }).toBe(true),
    ),
  );
  const held = await heldBy(cluster.db, victim.id);
  const killed = await databaseTime(cluster.db);
  victim.server.child.kill('SIGKILL');
  await ended;
  const times = await takeOverTimes(cluster.db, killed, held);
  report('take-over', {
    proxy: cluster.proxy,
    turns,
    held: held.length,
    taken: times.length,
    p50: times[Math.floor(times.length / 2)],
    max: times.at(-1),
    connections: asked.flatMap(({ viewers }) => viewers).reduce((n, v) => n + v.connections, 0),
    repeatedTools: repeated(cluster.ranTools()).length,
  });
  expect(held.length).toBeGreaterThan(0);
  expect(times).toHaveLength(held.length);
  expect(times.filter((time) => time > longestTakeOver)).toEqual([]);
  return asked;
}

/** Asks, watches and reads, over and over, and writes down every request that fails. */
async function keepAsking(cluster: Cluster, name: string, isOver: () => boolean) {
  const done: Asked[] = [];
  const failures: string[] = [];
  let requests = 0;
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    requests += 1;
    return work().catch((error: unknown) => {
      const why = error instanceof Error ? (error.cause ?? error.message) : error;
      failures.push(`${new Date().toISOString()} ${String(why)}`);
      return undefined;
    });
  };
  for (let n = 0; !isOver() || n === 0; n += 1) {
    const plan = { name: `${name}-${n}`, words: 12, pace: 20, calls: n % 3 === 0 };
    const asked = await attempt(() => ask(cluster, plan, 1));
    await attempt(() => cluster.json('GET', '/api/topics'));
    if (!asked) continue;
    await Promise.all(asked.viewers.map((viewer) => viewer.untilEnd(asked.answerId)));
    for (const viewer of asked.viewers)
      failures.push(...viewer.refusals.map((status) => `the events: ${status}`));
    await attempt(() => cluster.json('GET', `/api/topics/${asked.topic.id}`));
    done.push(asked);
  }
  return { done, failures, requests };
}

async function rollThrough(cluster: Cluster): Promise<number[]> {
  const codes: number[] = [];
  for (const instance of cluster.instances) {
    instance.server.child.kill('SIGTERM');
    codes.push(Number(await instance.server.ended));
    await instance.restart();
    await setTimeout(leftOutTime);
  }
  return codes;
}

describe.skipIf(postgresUrl === null)('two instances behind a proxy', () => {
  it('go on with every answer when one is killed, and are restarted one by one without a failed request', async () => {
    const cluster = await startCluster(postgresUrl ?? '');
    const asked = await killOne(cluster);
    for (const each of asked) await check(cluster, each);
    await cluster.instances[0].restart();
    await setTimeout(leftOutTime);

    let over = false;
    const loads = Array.from({ length: Math.min(10, Math.ceil(turns / 3)) }, (_, n) =>
      keepAsking(cluster, `r${n}`, () => over),
    );
    const codes = await rollThrough(cluster).finally(() => (over = true));
    const results = await Promise.all(loads);
    const done = results.flatMap((result) => result.done);
    const failures = results.flatMap((result) => result.failures);
    report('rolling restart', {
      codes,
      requests: results.reduce((sum, { requests }) => sum + requests, 0),
      answers: done.length,
      failures,
      repeatedTools: repeated(cluster.ranTools()).length,
    });
    expect(codes).toEqual([0, 0]);
    expect(failures, cluster.proxyLog()).toEqual([]);
    for (const each of done) await check(cluster, each);
    expect(repeated(cluster.ranTools())).toEqual([]);
    const called = [...asked, ...done].filter(({ plan }) => plan.calls);
    expect(cluster.ranTools().toSorted()).toEqual(called.map(({ plan }) => plan.name).toSorted());
  }, 240_000);
});
