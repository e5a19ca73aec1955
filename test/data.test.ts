import { randomUUIDv7 } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { Host } from '#chat/host/host.ts';
import type { ImportQuery } from '#shared/api/data-api.ts';
import type { ExportLine } from '#shared/api/export-file.ts';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { insertTopic } from '#store/conversations/topics.ts';
import { describeEachDatabase } from './databases.ts';
import { calls, ScriptedModel } from './fakes/scripted-model.ts';
import { addPliable, tool } from './fixtures/pliable.ts';
import { ask, openHost, owner, until } from './host.ts';
import { errorIn } from './legal-conversation.ts';

const secret = 'canary-secret-5512';
const picture = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  Buffer.alloc(2_500_000, 7),
]);

async function exported(host: Host, topicId?: string): Promise<string[]> {
  const lines: string[] = [];
  const source = topicId ? host.data.exportTopic(owner, topicId) : host.data.export(owner);
  for await (const line of source) lines.push(line);
  return lines;
}

/** In small pieces, as a network gives them. */
async function* bytesOf(text: string, size = 70_001): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const bringIn = (host: Host, lines: string[], query: Partial<ImportQuery> = {}) =>
  host.data.import(owner, bytesOf(lines.join('')), { dryRun: '0', existing: 'skip', ...query });

const kinds = (lines: string[]) => lines.map((line) => (JSON.parse(line) as ExportLine).kind);

/** What a reader sees: ids may differ, everything else may not, but for what is said of sources. */
function shown(blocks: Block[] | undefined): unknown {
  const ids = ['id', 'messageId', 'toolBlockId', 'stored', 'structuredStored'];
  const inner = new Set([...ids, 'untrusted', 'origins']);
  return JSON.parse(
    JSON.stringify(blocks, (key, value: unknown) => (inner.has(key) ? undefined : value)),
  );
}

describeEachDatabase((_open, fresh) => {
  async function start(): Promise<Host & { home: string }> {
    const place = await fresh();
    const host = await openHost(place);
    onTestFinished(() => host.close());
    return { ...host, home: place.home };
  }

  /** A host with a conversation, a file in it, an assistant and two servers. */
  async function used(second = 'and again') {
    const host = await start();
    const topic = await host.topics.create(owner, { title: 'Separators \u2028 and 樱桃' });
    const file = await host.blobs.keep(picture, { owner, mimeType: 'image/png', name: 'a.png' });
    await ask(host, topic.id, { text: 'hello there', files: [file.id] });
    await ask(host, topic.id, second);
    await ask(host, topic.id, '/call no_such_tool {}');
    const mcp = { enabled: true, mode: 'manual' as const, selectedServers: [] };
    const assistant = { name: 'Cook', systemPrompt: 'You cook.', parameters: {}, mcp };
    const made = await host.assistants.create(owner, assistant);
    await host.topics.update(owner, topic.id, { assistantId: made.id });
    const env = { TOKEN: secret };
    await host.servers.add(owner, { name: 'run', type: 'stdio', command: 'node', args: [], env });
    await host.servers.add(owner, {
      name: 'reach',
      type: 'streamableHttp',
      baseUrl: `https://mcp.example.com/mcp?api_key=${secret}`,
      headers: { authorization: secret },
      autoApprove: ['*'],
    });
    return { host, topicId: topic.id, assistantId: made.id };
  }

  it('brings everything to another host as it was', async () => {
    const { host, topicId, assistantId } = await used('/tour');
    const lines = await exported(host);
    expect(lines.join('')).not.toContain(secret);
    expect(kinds(lines).at(-1)).toBe('end');

    const other = await start();
    const heard: string[] = [];
    onTestFinished(other.events.subscribe(owner, ({ type }) => heard.push(type)));
    const result = await bringIn(other, lines);
    expect(result).toMatchObject({ topics: 1, messages: 6, assistants: 1, servers: 2 });
    const noRights = { name: 'reach', code: 'rights_not_imported' };
    expect(result).toMatchObject({ skippedTopics: 0, leftOut: [noRights] });
    expect(heard).toContain('topic-changed');
    expect(await readdir(other.home)).not.toContainEqual(expect.stringMatching(/^import-/));

    const before = await host.topics.snapshot(owner, topicId);
    const after = await other.topics.snapshot(owner, topicId);
    expect(after.topic).toEqual({ ...before.topic, updatedAt: after.topic.updatedAt });
    expect(after.topic.assistantId).toBe(assistantId);
    expect(after.messages.map(({ id }) => id)).toEqual(before.messages.map(({ id }) => id));
    expect(after.messages.map(({ blocks }) => shown(blocks))).toEqual(
      before.messages.map(({ blocks }) => shown(blocks)),
    );
    const called = after.messages.flatMap(({ blocks }) => blocks.filter((b) => b.type === 'tool'));
    expect(called.length).toBeGreaterThan(1);
    expect(called.filter(({ untrusted }) => !untrusted)).toEqual([]);
    const [image] = after.messages[0]?.blocks.filter(({ type }) => type === 'image') ?? [];
    if (image?.type !== 'image' || !image.stored) throw new Error('the picture is not there');
    const blob = await other.blobs.find(owner, image.stored.id);
    expect(blob && picture.equals(await other.blobs.read(blob))).toBe(true);
    expect((await other.topics.search(owner, 'hello there')).length).toBeGreaterThan(0);
    expect((await ask(other, topicId, 'go on')).status).toBe('success');
  });

  it('brings choices of models along, but none that was made there or is of no model there', async () => {
    const host = await start();
    const own = {
      defaultModel: 'demo/scripted',
      titleModel: 'demo/scripted',
      translationModel: 'demo/scripted',
      reasoningEffort: 'high' as const,
    };
    await host.settings.set(owner, { fetchAllow: ['10.0.0.7'], ...own });
    const lines = await exported(host);
    expect(lines.join('')).not.toContain('10.0.0.7');
    const other = await start();
    await other.settings.set(owner, { fetchAllow: ['10.0.0.8'], reasoningEffort: 'low' });
    const moved = lines.map((line) =>
      line.replace('"translationModel":"demo/scripted"', '"translationModel":"no/such"'),
    );
    const { leftOut } = await bringIn(other, moved);
    expect(leftOut).toMatchObject([{ name: 'no/such', code: 'model_not_found' }]);
    const { translationModel: _, ...rest } = own;
    expect(await other.settings.own(owner)).toEqual({ ...rest, reasoningEffort: 'low' });
    expect((await other.settings.get(owner)).fetchAllow).toEqual(['10.0.0.8']);
  });

  it('brings servers in so that nothing runs, is reached or is trusted', async () => {
    const { host } = await used();
    const other = await start();
    await bringIn(other, await exported(host));
    const named = (name: string) => other.servers.list(owner).find((one) => one.name === name);
    expect(named('run')).toMatchObject({ state: 'draft' });
    expect(named('reach')).toMatchObject({ state: 'disabled' });
    expect(named('reach')?.config).not.toHaveProperty('autoApprove');
    expect(named('reach')?.shared).toBeFalsy();
  });

  it('says what would come in and changes nothing', async () => {
    const { host } = await used();
    const lines = await exported(host);
    const other = await start();
    expect(await bringIn(other, lines, { dryRun: '1' })).toMatchObject({ topics: 1, messages: 6 });
    expect(await other.data.storage(owner)).toMatchObject({ topics: 0, messages: 0, files: 0 });
    expect(await bringIn(host, lines, { dryRun: '1' })).toMatchObject({
      topics: 0,
      messages: 0,
      files: 0,
      assistants: 0,
      servers: 0,
      skippedTopics: 1,
    });
  });

  it('leaves alone what is there, or adds copies with ids of their own', async () => {
    const { host, topicId } = await used();
    const lines = await exported(host);
    const before = await host.topics.snapshot(owner, topicId);
    expect(await bringIn(host, lines)).toMatchObject({ topics: 0, assistants: 0, servers: 0 });
    const copied = await bringIn(host, lines, { existing: 'copy' });
    expect(copied).toMatchObject({ topics: 1, messages: 6 });
    expect(await host.topics.snapshot(owner, topicId)).toEqual(before);
    const copy = (await host.topics.list(owner, { limit: 10 })).find(({ id }) => id !== topicId);
    const after = await host.topics.snapshot(owner, copy?.id ?? '');
    const ids = new Set(before.messages.map(({ id }) => id));
    expect(after.messages.filter(({ id }) => ids.has(id))).toEqual([]);
    expect(after.messages.map(({ blocks }) => shown(blocks))).toEqual(
      before.messages.map(({ blocks }) => shown(blocks)),
    );
    expect(after.topic.activeLeafId).toBe(after.messages.at(-1)?.id);
  });

  it('takes no file that is cut off, out of order or changed, and nothing of it', async () => {
    const { host } = await used();
    const lines = await exported(host);
    const other = await start();
    const at = (kind: ExportLine['kind']) => kinds(lines).indexOf(kind);
    const without = (index: number) => lines.toSpliced(index, 1);
    const changed = (kind: ExportLine['kind'], change: (text: string) => string) =>
      lines.with(at(kind), change(lines[at(kind)] ?? ''));
    const bad: string[][] = [
      [],
      ['\n'],
      ['{"kind":"end"}\n'],
      lines.slice(0, -1),
      lines.slice(1),
      [...lines, ...lines],
      without(at('topic')),
      without(at('piece')),
      without(at('message')),
      changed('message', (text) => text.replace('"user"', '"system"')),
      changed('message', (text) => text.replace('"image"', '"unheard-of"')),
      changed('topic', (text) => text.slice(0, -9)),
      lines.with(1, `{"kind":"settings","settings":${'['.repeat(5000)}${']'.repeat(5000)}}\n`),
    ];
    for (const [index, file] of bad.entries())
      await expect(bringIn(other, file), `file ${index}`).rejects.toMatchObject({
        code: 'invalid_request',
      });
    expect(await other.data.storage(owner)).toMatchObject({ topics: 0, files: 0 });
    expect(other.servers.list(owner).some(({ builtin }) => !builtin)).toBe(false);
  });

  it('ends what had not ended when it was exported', async () => {
    const { host, topicId } = await used('/tour');
    const open = (text: string) =>
      text
        .replace(/"status":"success","model"/, '"status":"processing","model"')
        .replaceAll('"state":"succeeded"', '"state":"proposed"')
        .replaceAll('"status":"success","content"', '"status":"streaming","content"');
    const lines = (await exported(host, topicId)).map(open);
    const other = await start();
    await bringIn(other, lines);
    const { topic, messages } = await other.topics.snapshot(owner, topicId);
    expect(topic.isLoading).toBe(false);
    expect(topic.assistantId).toBe('default');
    const statuses = new Set(messages.flatMap(({ blocks }) => blocks.map(({ status }) => status)));
    for (const status of ['pending', 'processing', 'streaming', 'paused'])
      expect(statuses).not.toContain(status);
    expect((await ask(other, topicId, 'go on')).status).toBe('success');
  });

  it('has what an answer has come to that is not over, and what was sent stays unknown', async () => {
    const said: Chunk[] = [{ type: 'text-delta', id: 't', text: 'I pay.' }];
    const models = {
      'test/scripted': new ScriptedModel([...said, ...calls(['mcp__bank__pay', {}])]),
    };
    const host = await openHost(fresh, { models });
    onTestFinished(() => host.close());
    await addPliable(host, 'bank', { tools: [tool('pay')] });
    const { id } = await host.topics.create(owner, { model: 'test/scripted', title: 'T' });
    const { answerId } = await host.messages.send(owner, id, { text: 'go' });
    await until(host, id, answerId, ({ status }) => status === 'waiting');
    expect(await host.data.topicMarkdown(owner, id)).toContain('I pay.');
    const lines = await exported(host, id);
    const broughtIn = async (file: string[]) => {
      const other = await start();
      await bringIn(other, file);
      const { messages } = await other.topics.snapshot(owner, id);
      return messages.find((message) => message.id === answerId);
    };
    expect(await broughtIn(lines)).toMatchObject({
      status: 'stopped',
      blocks: [
        { type: 'main_text', content: 'I pay.' },
        { type: 'tool', toolName: 'pay', state: 'cancelled', status: 'cancelled' },
      ],
    });
    const sent = lines.map((line) => line.replace('"state":"proposed"', '"state":"dispatching"'));
    const { blocks = [] } = (await broughtIn(sent)) ?? {};
    expect(blocks.at(-1)).toMatchObject({ state: 'outcome_unknown', status: 'error' });
  });

  it('takes files of earlier versions, which tell an error twice and more than is known here', async () => {
    const failure: Chunk = {
      type: 'error',
      error: { code: 'model_failed', message: 'It hung up.' },
    };
    const host = await openHost(fresh, {
      models: { 'test/scripted': new ScriptedModel([failure]) },
    });
    onTestFinished(() => host.close());
    const { id } = await host.topics.create(owner, { model: 'test/scripted', title: 'T' });
    const answer = await ask(host, id, 'go');
    const lines = (await exported(host, id)).map((line) => {
      const value = JSON.parse(line) as { message?: { id: string } };
      if (value.message?.id === answer.id)
        Object.assign(value.message, { error: errorIn(answer), waiting: { for: 'nobody' } });
      return `${JSON.stringify(value)}\n`;
    });
    const other = await start();
    await bringIn(other, lines);
    const { messages } = await other.topics.snapshot(owner, id);
    expect(messages.at(-1)).toEqual(answer);
    expect(errorIn(messages.at(-1))).toMatchObject({ code: 'model_failed' });
  });

  it('counts what is kept, and deletes every topic of one person only', async () => {
    const { host } = await used();
    const mine = (await host.topics.list(owner, { limit: 1 }))[0];
    if (!mine) throw new Error('there is no topic');
    const id = randomUUIDv7();
    await insertTopic(host.store.db, 'somebody-else', { ...mine, id, activeLeafId: null });
    expect(await host.data.storage(owner)).toMatchObject({ topics: 1, messages: 6, files: 1 });
    const { fileBytes, conversationBytes } = await host.data.storage(owner);
    expect(fileBytes).toBe(picture.length);
    expect(conversationBytes).toBeGreaterThan(100);
    expect(await host.data.deleteTopics(owner)).toBe(1);
    expect(await host.topics.list(owner, { limit: 10 })).toEqual([]);
    expect(await host.topics.list('somebody-else', { limit: 10 })).toMatchObject([{ id }]);
    await expect.poll(() => host.data.storage(owner)).toMatchObject({ topics: 0, messages: 0 });
  });
});
