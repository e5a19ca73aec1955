import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import type { Host } from '#chat/host/host.ts';
import { addUpAll } from '#store/usage/sums.ts';
import { describeEachDatabase } from './databases.ts';
import { exportLines } from './fixtures/export-lines.ts';
import {
  answerLine,
  assistantLine,
  bringIn,
  end,
  head,
  line,
  topicLine,
} from './fixtures/import-lines.ts';
import { ask, openHost, owner } from './host.ts';

/** Names that every object has something under. */
const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

describeEachDatabase((_open, fresh) => {
  /** Closed before the database goes, which they may still be working on. */
  const hosts: Host[] = [];
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.close();
  });

  async function start(
    options: Parameters<typeof openHost>[1] = {},
    place: Parameters<typeof openHost>[0] = fresh,
  ): Promise<Host> {
    const host = await openHost(place, options);
    hosts.push(host);
    return host;
  }

  it.each(inherited)('T81: takes %s for a name like any other', async (name) => {
    const host = await start();
    const mcp = { enabled: true, mode: 'manual', selectedServers: [name] };
    const config = { name: 'far', type: 'streamableHttp', baseUrl: 'https://mcp.example.com/mcp' };
    const server = line({ kind: 'server', server: { id: name, config } });
    const topic = topicLine({ assistantId: name, mcp });
    // First without, then with an assistant and a server of that name.
    await bringIn(host, [head, topicLine({ assistantId: name, mcp }), end]);
    await bringIn(host, [head, server, assistantLine({ id: name, mcp }), topic, end]);
    const found = await host.topics.list(owner, { limit: 10 });
    const added = host.servers.list(owner).find((one) => one.name === 'far');
    expect(found.map(({ assistantId }) => assistantId).toSorted()).toEqual(
      ['default', name].toSorted(),
    );
    const chosen = found.flatMap(({ mcp: selection }) => selection?.selectedServers ?? []);
    expect(chosen.toSorted()).toEqual([name, added?.id ?? ''].toSorted());
    const assistants = await host.assistants.list(owner);
    expect(assistants.find(({ id }) => id === name)?.mcp.selectedServers).toEqual([added?.id]);
  });

  it('T81: refuses a line that takes long to read by what it is made of', async () => {
    const host = await start();
    const common = { id: 'b', ordinal: 0, status: 'success', content: '', round: 0, startedAt: 1 };
    const many = Array.from({ length: 150_000 }, () => ({}));
    const said = { id: 'x', values: many };
    const tool = { ...common, type: 'tool', toolCallId: 't', callId: 'c', serverId: 's' };
    const names = { serverName: 's', toolName: 't', modelToolName: 't', arguments: {} };
    const called = { ...tool, ...names, state: 'succeeded' };
    const blocks = [
      { ...common, type: 'citation', citations: many },
      { ...called, result: { content: many } },
      { ...called, result: { content: [], problemSaid: said } },
      { ...common, type: 'main_text', origins: many },
    ];
    const part = (block: object) => ({ ...block, ...cut(block, 60_000) });
    for (const block of [...blocks, ...blocks.map(part)])
      await expect(
        bringIn(host, [head, topicLine(), answerLine({ blocks: [block] }), end]),
      ).rejects.toMatchObject({ code: 'invalid_request' });
    const call = Object.fromEntries(many.map((_, n) => [n, 0]));
    await expect(bringIn(host, [head, line({ kind: 'call', call }), end])).rejects.toMatchObject({
      message: expect.stringContaining('too many parts'),
    });
  });

  it('T81: refuses ids that a database could not keep apart', async () => {
    const host = await start();
    for (const id of ['a\u0000', 'a\ud800', '\udc00b'])
      await expect(bringIn(host, [head, topicLine({ id }), end])).rejects.toMatchObject({
        code: 'invalid_request',
      });
    expect(await host.topics.list(owner, { limit: 10 })).toEqual([]);
  });

  it('T81: a topic with a slash in its id goes as others do, and takes nothing of others along', async () => {
    const host = await start();
    const lines = exportLines(1, 3);
    await bringIn(host, lines);
    const [topic] = await host.topics.list(owner, { limit: 10 });
    const id = `${topic?.id}/x`;
    const bytes = Buffer.from('a file');
    await bringIn(host, [
      head,
      topicLine({ id }),
      line({ kind: 'file', file: { id: 'f', size: bytes.length, mimeType: 'text/plain' } }),
      line({ kind: 'piece', data: bytes.toString('base64') }),
      answerLine({
        blocks: [
          {
            id: `${id}.0`,
            ordinal: 0,
            status: 'success',
            type: 'main_text',
            content: 'damson',
            round: 0,
            startedAt: 1,
          },
        ],
      }),
      end,
    ]);
    const [hit] = await host.topics.search(owner, 'damson');
    await host.topics.delete(owner, hit?.topicId ?? '');
    await expect.poll(() => host.data.storage(owner)).toMatchObject({ topics: 1, messages: 3 });
    const { rows } =
      await sql`select * from search where topic_id not in (select id from topics)`.execute(
        host.store.db,
      );
    expect(rows).toEqual([]);
    expect(await host.topics.search(owner, 'cherry')).not.toEqual([]);
  });

  it('T81: keeps no more of a file in memory than there may be of a kind', async () => {
    const host = await start({ limits: { entriesPerList: 20 } });
    const settings = line({ kind: 'settings', settings: {} });
    await bringIn(host, [head, assistantLine(), end]);
    const many = (each: string) => [head, ...Array.from({ length: 130 }, () => each), end];
    for (const each of [settings, assistantLine()])
      await expect(bringIn(host, many(each))).rejects.toMatchObject({ code: 'invalid_request' });
    const here = line({ kind: 'server', server: { id: 's', config: { name: 'calculator' } } });
    await expect(bringIn(host, many(here))).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('T81: files that came in or were sent are none that wait for a message', async () => {
    const host = await start({ limits: { unsentFiles: 2 } });
    const files = ['one', 'two', 'three'].flatMap((text) => [
      line({ kind: 'file', file: { id: text, size: text.length, mimeType: 'text/plain' } }),
      line({ kind: 'piece', data: Buffer.from(text).toString('base64') }),
    ]);
    await bringIn(host, [head, topicLine(), ...files, end]);
    expect(await host.quota.upload(owner, 1, async () => 1)).toBe(1);
    const topic = await host.topics.create(owner, { title: 'cherry' });
    for (const text of ['four', 'five', 'six']) {
      const facts = { owner, mimeType: 'text/plain' };
      const { id } = await host.blobs.keep(Buffer.from(text), facts);
      await ask(host, topic.id, { text, files: [id] });
    }
    expect(await host.quota.upload(owner, 1, async () => 1)).toBe(1);
    for (const text of ['seven', 'eight'])
      await host.blobs.keep(Buffer.from(text), { owner, mimeType: 'text/plain' });
    await expect(host.quota.upload(owner, 1, async () => 1)).rejects.toMatchObject({
      code: 'quota_exceeded',
    });
  });

  it('T82: answers that claim to have used everything keep nobody’s usage from being read', async () => {
    const host = await start();
    const most = 1e308;
    const usage = { inputTokens: most, outputTokens: most, cost: most };
    const answers = Array.from({ length: 9500 }, () => answerLine({ usage }));
    await bringIn(host, [head, topicLine(), ...answers, end]);
    await addUpAll(host.store);
    const view = await host.usage(owner, { days: 1, offset: 0 });
    expect(view.days).toHaveLength(1);
    await host.data.deleteTopics(owner);
    await expect.poll(() => host.data.storage(owner)).toMatchObject({ messages: 0 });
    await addUpAll(host.store);
    expect(await host.store.db.selectFrom('usage_sums').selectAll().execute()).toEqual([]);
  });

  it('T82: names of models may be of any length', async () => {
    const host = await start();
    const model = `demo/${randomBytes(50_000).toString('base64')}`;
    await bringIn(host, [head, topicLine(), answerLine({ model, endedAt: Date.now() }), end]);
    await addUpAll(host.store);
    const { days, models } = await host.usage(owner, { days: 2, offset: 0 });
    expect(days.reduce((sum, { answers }) => sum + answers, 0)).toBe(1);
    expect(models).toHaveLength(1);
    await host.data.deleteTopics(owner);
    await expect.poll(() => host.data.storage(owner)).toMatchObject({ messages: 0 });
    await addUpAll(host.store);
    expect(await host.store.db.selectFrom('usage_sums').selectAll().execute()).toEqual([]);
  });

  it('T81: who sends many imports at once, or one without room, is refused before they are on the disk', async () => {
    const limits = { uploadsAtOnce: 2, storedPerPerson: 1024 ** 2 };
    const host = await start({ limits });
    const gate = Promise.withResolvers<void>();
    let pulled = 0;
    const held = async function* (): AsyncGenerator<Uint8Array> {
      pulled += 1;
      yield Buffer.from(head);
      await gate.promise;
      yield Buffer.from(end);
    };
    const query = { dryRun: '0', existing: 'skip' } as const;
    const first = [1, 2].map(() => host.data.import(owner, held(), query));
    await expect.poll(() => pulled).toBe(2);
    await expect(host.data.import(owner, held(), query)).rejects.toMatchObject({
      code: 'too_many_requests',
    });
    gate.resolve();
    await Promise.all(first);
    await expect(host.data.import(owner, held(), query, 2 * 1024 ** 2)).rejects.toMatchObject({
      code: 'quota_exceeded',
    });
    expect(pulled).toBe(2);
    let taken = 0;
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from(head);
      for (; taken < 1000; taken += 1) yield Buffer.alloc(64 * 1024, 10);
    };
    await expect(host.data.import(owner, endless(), query)).rejects.toMatchObject({
      code: 'quota_exceeded',
    });
    expect(taken).toBeLessThan(20);
  });

  it('T81: imports at the same time do not bring in more than there is room for', async () => {
    const host = await start({ limits: { storedPerPerson: 1024 ** 2 } });
    const two = [exportLines(1, 60, 10_000), exportLines(1, 60, 10_000)];
    const ends = await Promise.allSettled(two.map((lines) => bringIn(host, lines)));
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const { conversationBytes, allowedBytes } = await host.data.storage(owner);
    expect(conversationBytes).toBeLessThan(allowedBytes);
  });
});

/** The same with shorter lists. */
function cut(block: object, length: number): object {
  return JSON.parse(
    JSON.stringify(block, (_, value: unknown) =>
      Array.isArray(value) ? value.slice(0, length) : value,
    ),
  ) as object;
}
