import { expect, it, onTestFinished } from 'vitest';
import { rotateSecrets } from '#chat/data/rotate-secrets.ts';
import type { Host } from '#chat/host/host.ts';
import { Recorder } from '#chat/replay/recorder.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import type { Logger, SecretBox } from '#shared/vocabulary/ports.ts';
import { dropOldRecords } from '#store/conversations/records.ts';
import { describeEachDatabase } from './databases.ts';
import { calls, says, ScriptedModel } from './fakes/scripted-model.ts';
import { replayTools } from './fixtures/replay-host.ts';
import { ask, openHost, owner, quietLogger } from './host.ts';

const model = 'test/scripted';
const canary = 'CANARY-5f2e';
const look = (n: number) => calls(['look', { what: `${canary} ${n}` }, `call_${n}`]);

const recording = (host: Host, of = owner) =>
  host.settings.set(of, { fetchAllow: [], recordAnswers: true });

const neverSeals: SecretBox = {
  seal: () => {
    throw new Error('nothing is sealed');
  },
  open: () => {
    throw new Error('nothing is opened');
  },
};

/** What is stored of records, as the database has it. */
async function stored({ store }: Host) {
  const records = await store.db.selectFrom('records').selectAll().orderBy('n').execute();
  const parts = await store.db.selectFrom('record_parts').selectAll().execute();
  return { records, parts };
}

describeEachDatabase((_open, fresh) => {
  async function start(scripted: ScriptedModel, logger: Logger = quietLogger) {
    const place = await fresh();
    const options = { models: { [model]: scripted }, tools: replayTools, logger };
    const host = await openHost(place, options);
    onTestFinished(() => host.close());
    const topic = await host.topics.create(owner, { model, title: 'T' });
    const settled = () => host.replays.settled();
    return { host, topic, place, options, settled };
  }

  it('are kept only for people who want them', async () => {
    const { host, topic, settled } = await start(new ScriptedModel(says('one'), says('two')));
    const before = await ask(host, topic.id, 'first');
    await settled();
    expect((await stored(host)).records).toEqual([]);
    await expect(host.replays.replay(owner, before.id)).rejects.toMatchObject({
      code: 'record_not_found',
    });
    await recording(host);
    const after = await ask(host, topic.id, 'second');
    expect(await host.replays.replay(owner, after.id)).toMatchObject({ differences: [] });
    await expect(host.replays.replay('somebody', after.id)).rejects.toMatchObject({
      code: 'answer_not_found',
    });
  });

  it('are replayed for each person a few at a time', async () => {
    const place = await fresh();
    const models = { [model]: new ScriptedModel(says('one')) };
    const host = await openHost(place, { models, limits: { replaysAtOnce: 2 } });
    onTestFinished(() => host.close());
    const topic = await host.topics.create(owner, { model, title: 'T' });
    await recording(host);
    const { id } = await ask(host, topic.id, 'first');
    const replay = (who: string) =>
      host.replays.replay(who, id).then(
        ({ differences }) => differences.length,
        ({ code }: { code: string }) => code,
      );
    const all = [owner, owner, owner, 'somebody'].map(replay);
    expect(await Promise.all(all)).toEqual([0, 0, 'too_many_requests', 'answer_not_found']);
    expect(await replay(owner)).toBe(0);
  });

  it('hold once what the rounds of a topic have in common, and nothing that can be read', async () => {
    const rounds = Array.from({ length: 8 }, (_, n) => look(n));
    const { host, topic, settled } = await start(
      new ScriptedModel(...rounds, says('done'), says(canary)),
    );
    await recording(host);
    const first = await ask(host, topic.id, `Look at ${canary}.`);
    await ask(host, topic.id, 'And again?');
    await settled();
    const { records, parts } = await stored(host);
    expect(records.map(({ n }) => n)).toEqual([0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
    // 19 messages of the history, of which each request has all before it, and the tools.
    const tools = new Set(
      records.map((record) => record.parts).flatMap((json) => JSON.parse(json)),
    );
    expect(parts).toHaveLength(tools.size);
    const raw = [...records, ...parts].map(({ body }) => Buffer.from(body).toString('latin1'));
    expect(raw.join('')).not.toContain('CANARY');
    const bytes = [...records, ...parts].reduce((sum, { body }) => sum + body.length, 0);
    const lists = records.reduce((sum, record) => sum + record.parts.length, 0);
    const sizes = [...records, ...parts].reduce((sum, { size }) => sum + size, 0);
    expect(sizes).toBe(bytes + lists);
    const { requests } = await host.replays.replay(owner, first.id);
    expect(requests).toBe(9);
    process.stdout.write(`${records.length} requests in ${bytes} bytes\n`);
    expect(bytes).toBeLessThan(60_000);
  });

  it('go with their message, their topic and their person', async () => {
    const words = Array.from({ length: 4 }, (_, n) => says(`${canary} ${n}`));
    const { host, topic, settled } = await start(new ScriptedModel(...words));
    await recording(host);
    await ask(host, topic.id, 'stays');
    await settled();
    const before = await stored(host);
    const answer = await ask(host, topic.id, 'goes');
    await settled();
    expect((await stored(host)).records).toHaveLength(2);
    await host.topics.deleteMessage(owner, answer.parentId ?? '');
    await expect.poll(() => stored(host), { timeout: 10_000 }).toEqual(before);
    await host.topics.delete(owner, topic.id);
    await expect.poll(() => stored(host), { timeout: 10_000 }).toEqual({ records: [], parts: [] });
    const { id } = await host.users.add({ name: 'ana', role: 'user' });
    await recording(host, id);
    const hers = await host.topics.create(id, { model, title: 'T' });
    await host.messages.send(id, hers.id, { text: 'hers' });
    await expect.poll(async () => (await stored(host)).records.length).toBe(1);
    await host.users.delete(owner, id);
    await expect.poll(() => stored(host), { timeout: 10_000 }).toEqual({ records: [], parts: [] });
  });

  it('go when they are too old, and the oldest when there are too many', async () => {
    const words = Array.from({ length: 3 }, (_, n) => says(`${canary} ${n}`));
    const { host, topic, settled } = await start(new ScriptedModel(...words));
    await recording(host);
    const answers = [];
    for (const text of ['one', 'two', 'three']) {
      answers.push((await ask(host, topic.id, text)).id);
      await settled();
    }
    const { recordBytes } = usualLimits;
    const { records } = await stored(host);
    const [, second] = records.toSorted((a, b) => a.created_at - b.created_at);
    const kept = { since: second?.created_at ?? 0, mostBytes: recordBytes };
    expect(await dropOldRecords(host.store, kept)).toBe(1);
    await expect(host.replays.replay(owner, answers[0] ?? '')).rejects.toMatchObject({
      code: 'record_not_found',
    });
    expect(await host.replays.replay(owner, answers[2] ?? '')).toMatchObject({ differences: [] });
    expect(await dropOldRecords(host.store, { since: 0, mostBytes: 0 })).toBe(2);
    expect(await stored(host)).toEqual({ records: [], parts: [] });
  });

  it('T99: hold no secret, and are in no export', async () => {
    const { host, topic, settled } = await start(new ScriptedModel(look(1), says('done')));
    await host.providers.create(owner, {
      kind: 'openai-compatible',
      name: 'Mine',
      baseUrl: 'http://127.0.0.1:9/v1',
      apiKey: 'SECRET-of-a-provider',
      models: ['m'],
    });
    await recording(host);
    const answer = await ask(host, topic.id, 'go');
    const recorded = JSON.stringify(await host.replays.read(owner, answer.id));
    expect(recorded).toContain(canary);
    expect(recorded).not.toContain('SECRET');
    await settled();
    const { records, parts } = await stored(host);
    let lines = '';
    for await (const piece of host.data.export(owner)) lines += Buffer.from(piece).toString();
    expect(lines).not.toContain('SECRET');
    for (const { id } of [...records, ...parts]) expect(lines).not.toContain(id);
    expect(lines).not.toContain('"kind":"record');
  });

  it('stay readable when the key of the host changes', async () => {
    const { host, topic, place, options, settled } = await start(new ScriptedModel(says('one')));
    await recording(host);
    const answer = await ask(host, topic.id, 'first');
    await settled();
    await host.close();
    await rotateSecrets(place, undefined);
    const again = await openHost(place, options);
    onTestFinished(() => again.close());
    expect(await again.replays.replay(owner, answer.id)).toMatchObject({ differences: [] });
  });

  it('are written however many came before, if few wait at the same time', async () => {
    const { host, topic } = await start(new ScriptedModel(says('one')));
    const { id: answerId } = await ask(host, topic.id, 'first');
    const place = { owner, topicId: topic.id, answerId };
    const box: SecretBox = { seal: (plain) => plain, open: (sealed) => sealed };
    const settings = { own: async () => ({ recordAnswers: true }) };
    const deps = { ...host, box, settings, logger: quietLogger, now: Date.now };
    const recorder = new Recorder(deps);
    const record = await recorder.begin(place);
    const long = new ScriptedModel(...[1, 2].map((n) => says(`${n}`.repeat(40 * 1024 ** 2))));
    const request = { messages: [], tools: [] };
    for (const count of [1, 2]) {
      const stream = record?.watch(long).stream(request as never, new AbortController().signal);
      for await (const _ of stream ?? []);
      await recorder.settled();
      expect(await recorder.read(place)).toHaveLength(count);
    }
  });

  it('are lost, and not the answer, where they cannot be written', async () => {
    const warnings: string[] = [];
    const logger = { ...quietLogger, warn: (_: object, message: string) => warnings.push(message) };
    const { host, topic, settled } = await start(
      new ScriptedModel(says('one'), says('two')),
      logger,
    );
    await recording(host);
    await host.store.db.schema.dropTable('record_parts').execute();
    const answer = await ask(host, topic.id, 'first');
    expect(answer).toMatchObject({ status: 'success' });
    await settled();
    const lost = () => warnings.filter((text) => text.includes('the record of an answer')).length;
    expect(lost()).toBe(1);
    const settings = { own: () => Promise.reject(new Error('the database is away')) };
    const recorder = new Recorder({ ...host, box: neverSeals, settings, logger, now: Date.now });
    const place = { owner, topicId: topic.id, answerId: answer.id };
    expect(await recorder.begin(place)).toBeUndefined();
    expect(lost()).toBe(2);
  });
});
