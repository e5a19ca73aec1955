import { appendFileSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Host, HostOptions } from '#chat/host/host.ts';
import { readProcess } from '#mcp/process/process-table.ts';
import type { ServerView } from '#shared/api/api.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { Attachment } from '#shared/vocabulary/server.ts';
import type { NativeTool } from '#tools/registry/registry.ts';
import { describeEachDatabase } from './databases.ts';
import { calls, type Round, says, ScriptedModel } from './fakes/scripted-model.ts';
import { errorOf, openApi } from './fixtures/http.ts';
import { ask, openHost, owner } from './host.ts';

const model = 'test/scripted';
const script = join(import.meta.dirname, 'fakes/counting-server.mjs');

/** Every start of a server made from this is a line in the journal. */
async function countingServer(more: object = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'cerise-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const journal = join(folder, 'starts');
  appendFileSync(journal, '');
  const config = {
    name: 'counter',
    command: process.execPath,
    args: [script, journal],
    autoApprove: ['*'],
    ...more,
  };
  const starts = (): number[] =>
    readFileSync(journal, 'utf8').split('\n').filter(Boolean).map(Number);
  return { config, starts, running: () => starts().filter(isAlive) };
}

/** One that ended but that nobody has collected yet is not alive. */
const isAlive = (pid: number): boolean => (readProcess(pid)?.state ?? 'Z') !== 'Z';

async function attach(host: Host, config: object, attachedTo: Attachment): Promise<ServerView> {
  const server = await host.servers.add(owner, { ...config, attachedTo });
  const { trustedServers, ...policy } = await host.policy.read(owner);
  await host.policy.write(owner, { ...policy, trustedServers: [...trustedServers, server.id] });
  return host.servers.approve(owner, server.id, server.launchHash);
}

/** What the tools of an answer said, or how they failed. */
const said = (answer: Message): (string | undefined)[] =>
  answer.blocks
    .filter((block): block is ToolBlock => block.type === 'tool')
    .map(({ result, error }) => {
      const part = result?.content[0];
      return part?.type === 'text' ? part.text : error?.code;
    });

const toolNames = (scripted: ScriptedModel, at = -1): string[] =>
  (scripted.requests.at(at)?.tools ?? []).map(({ name }) => name);
const withoutBuiltins = (names: string[]): string[] =>
  names.filter((name) => !name.startsWith('mcp__'));

describeEachDatabase((_open, fresh) => {
  async function start(rounds: Round[], options: Partial<HostOptions> = {}) {
    const scripted = new ScriptedModel(...rounds);
    const place = await fresh();
    // In a sandbox the servers would not know the numbers that their processes have outside.
    const host = await openHost(place, {
      models: { [model]: scripted },
      bubblewrap: false,
      ...options,
    });
    onTestFinished(() => host.close());
    return { host, scripted, place };
  }

  it('give each topic of an assistant its own instance, and other topics nothing', async () => {
    const count = calls(['counter__count', {}]);
    const { host, scripted } = await start([count, says(''), count, says(''), count, says('')]);
    const { config, starts } = await countingServer();
    const assistant = await host.assistants.create(owner, {
      name: 'Counter',
      systemPrompt: '',
      parameters: {},
      mcp: { enabled: true, mode: 'auto', selectedServers: [] },
    });
    await attach(host, config, { assistant: assistant.id });
    const inAssistant = { model, assistantId: assistant.id };
    const a = await host.topics.create(owner, inAssistant);
    const b = await host.topics.create(owner, inAssistant);
    const other = await host.topics.create(owner, { model });
    expect(starts()).toEqual([]);
    expect(said(await ask(host, a.id, 'count'))).toEqual([`${starts()[0]} 1`]);
    expect(withoutBuiltins(toolNames(scripted))).toEqual(['counter__count', 'counter__grow']);
    expect(said(await ask(host, b.id, 'count'))).toEqual([`${starts()[1]} 1`]);
    expect(said(await ask(host, a.id, 'count'))).toEqual([`${starts()[0]} 2`]);
    await ask(host, other.id, 'count');
    expect(withoutBuiltins(toolNames(scripted))).toEqual([]);
    expect(toolNames(scripted).length).toBeGreaterThan(10);
    await ask(host, other.id, { text: 'count', tools: { servers: ['counter'] } });
    expect(toolNames(scripted)).toEqual([]);
    expect(starts()).toHaveLength(2);
  });

  it('are never left out where servers are chosen one by one, but with all tools', async () => {
    const { host, scripted } = await start([]);
    const { config } = await countingServer();
    const manual = { enabled: true, mode: 'manual' as const, selectedServers: [] };
    const topic = await host.topics.create(owner, { model });
    await host.topics.update(owner, topic.id, { mcp: manual });
    await attach(host, config, { topic: topic.id });
    const other = { ...config, name: 'waiting', attachedTo: { topic: topic.id } };
    await host.servers.add(owner, other);
    await ask(host, topic.id, 'hello');
    const own = ['counter__count', 'counter__grow'];
    expect(toolNames(scripted).filter((name) => name.includes('__'))).toEqual(own);
    await ask(host, topic.id, { text: 'hello', tools: { servers: ['time'] } });
    expect(toolNames(scripted)).toEqual(
      expect.arrayContaining([...own, 'mcp__time__get_current_time']),
    );
    await ask(host, topic.id, { text: 'hello', tools: { mode: 'none' } });
    expect(toolNames(scripted)).toEqual([]);
  });

  it('are drafts until a person approved their command, and survive a restart', async () => {
    const { host, scripted, place } = await start([]);
    const { config, starts } = await countingServer({ env: { SECRET: 'canary' } });
    const topic = await host.topics.create(owner, { model });
    const attachedTo = { topic: topic.id };
    const draft = await host.servers.add(owner, { ...config, attachedTo });
    expect(draft).toMatchObject({ state: 'draft', attachedTo });
    expect(JSON.stringify(draft)).not.toContain('canary');
    await ask(host, topic.id, 'hello');
    expect(withoutBuiltins(toolNames(scripted))).toEqual([]);
    expect(starts()).toEqual([]);
    await host.servers.approve(owner, draft.id, draft.launchHash);
    await ask(host, topic.id, 'hello again');
    expect(withoutBuiltins(toolNames(scripted))).toEqual(['counter__count', 'counter__grow']);
    expect(host.servers.get(owner, draft.id).state).toBe('connected');
    await host.close();
    expect(starts().filter(isAlive)).toEqual([]);
    const again = await openHost(place, { models: { [model]: scripted } });
    onTestFinished(() => again.close());
    expect(again.servers.get(owner, draft.id)).toMatchObject({ state: 'idle', attachedTo });
    await ask(again, topic.id, 'still there?');
    expect(withoutBuiltins(toolNames(scripted))).toEqual(['counter__count', 'counter__grow']);
  });

  it('end with the topic, whose servers are then nobody’s', async () => {
    const { host, place } = await start([]);
    const { config, starts, running } = await countingServer();
    const topic = await host.topics.create(owner, { model });
    const { id } = await attach(host, config, { topic: topic.id });
    await ask(host, topic.id, 'hello');
    expect(running()).toHaveLength(1);
    await host.topics.delete(owner, topic.id);
    expect(running()).toEqual([]);
    expect(() => host.servers.get(owner, id)).toThrowError(
      expect.objectContaining({ code: 'server_not_found' }),
    );
    await host.close();
    const again = await openHost(place);
    onTestFinished(() => again.close());
    expect(again.servers.list(owner).filter(({ builtin }) => !builtin)).toEqual([]);
    expect(starts()).toHaveLength(1);
  });

  it('end with the assistant, when switched off and when removed', async () => {
    const { host } = await start([]);
    const { config, running } = await countingServer();
    const assistant = await host.assistants.create(
      owner,
      {
        name: 'Counter',
        systemPrompt: '',
        parameters: {},
        mcp: { enabled: true, mode: 'auto', selectedServers: [] },
      },
      [config, { ...config, name: 'second' }],
    );
    const presets = host.servers.list(owner).filter(({ attachedTo }) => attachedTo);
    expect(presets.map(({ name, state }) => [name, state])).toEqual([
      ['counter', 'draft'],
      ['second', 'draft'],
    ]);
    for (const { id, launchHash } of presets) await host.servers.approve(owner, id, launchHash);
    const topic = await host.topics.create(owner, { model, assistantId: assistant.id });
    await ask(host, topic.id, 'hello');
    expect(running()).toHaveLength(2);
    const [first, second] = presets;
    await host.servers.update(owner, first!.id, { disabled: true });
    expect(running()).toHaveLength(1);
    await host.servers.update(owner, first!.id, { disabled: false });
    await ask(host, topic.id, 'hello');
    expect(running()).toHaveLength(2);
    await host.servers.remove(owner, second!.id);
    expect(running()).toHaveLength(1);
    await host.assistants.delete(owner, assistant.id);
    expect(running()).toEqual([]);
    expect(host.servers.list(owner).filter(({ attachedTo }) => attachedTo)).toEqual([]);
    expect((await host.topics.snapshot(owner, topic.id)).topic.assistantId).toBe('default');
  });

  it('come back with the next question after they were idle', async () => {
    const count = calls(['counter__count', {}]);
    const { host } = await start([count, says(''), count, says('')], {
      limits: { sessionIdleTime: 20 },
    });
    const { config, running, starts } = await countingServer();
    const topic = await host.topics.create(owner, { model });
    await attach(host, config, { topic: topic.id });
    expect(said(await ask(host, topic.id, 'count'))[0]).toMatch(/ \d$/);
    await expect.poll(running).toEqual([]);
    expect(said(await ask(host, topic.id, 'count'))).toEqual([`${starts().at(-1)} 1`]);
  });

  it('never fail an answer by failing themselves', async () => {
    const count = calls(['counter__count', {}]);
    const { host, scripted } = await start([count, says('done')]);
    const { config } = await countingServer();
    const topic = await host.topics.create(owner, { model });
    const failing = "console.error('no such database'); process.exit(3)";
    const broken = { ...config, name: 'broken', args: ['-e', failing] };
    const { id } = await attach(host, broken, { topic: topic.id });
    await attach(host, config, { topic: topic.id });
    const answer = await ask(host, topic.id, 'count');
    expect(answer.status).toBe('success');
    expect(said(answer)[0]).toMatch(/ 1$/);
    expect(withoutBuiltins(toolNames(scripted))).toEqual(['counter__count', 'counter__grow']);
    expect(host.servers.get(owner, id)).toMatchObject({
      state: 'reconnecting',
      reason: expect.stringContaining('no such database'),
    });
  });

  it('never take the name of a tool of the host', async () => {
    const native: NativeTool = {
      name: 'counter__count',
      description: 'of the host',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
      execute: async () => ({ content: [{ type: 'text', text: 'the host' }] }),
    };
    const count = calls(['counter__count', {}]);
    const { host, scripted } = await start([count, says('')], { tools: [native] });
    const { config } = await countingServer();
    const topic = await host.topics.create(owner, { model });
    await attach(host, config, { topic: topic.id });
    expect(said(await ask(host, topic.id, 'count'))).toEqual(['the host']);
    expect(withoutBuiltins(toolNames(scripted, 0)).toSorted()).toEqual([
      'counter__count',
      expect.stringMatching(/^counter__count_[0-9a-f]{10}$/),
      'counter__grow',
    ]);
  });

  it('keep the tools of a turn as they were when it began (T30)', async () => {
    const grow = calls(['counter__grow', {}]);
    const useNew = calls(['counter__grown', {}]);
    const { host, scripted } = await start([grow, useNew, says('done')]);
    const { config } = await countingServer();
    const topic = await host.topics.create(owner, { model });
    await attach(host, config, { topic: topic.id });
    const answer = await ask(host, topic.id, 'grow');
    expect(said(answer)[1]).toBe('tool_not_found');
    const [first, second, third] = scripted.requests.map(({ tools }) => tools);
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    await ask(host, topic.id, 'and now?');
    expect(scripted.requests.at(-1)?.tools).toContainEqual(
      expect.objectContaining({ name: 'counter__grown', description: 'grown, changed' }),
    );
  });
});

describe('the API for session servers', () => {
  it('attaches a server to what is there, and to nothing else', async () => {
    const api = await openApi();
    const { config, starts } = await countingServer();
    const add = (attachedTo: unknown) =>
      api.send('POST', '/api/servers', { ...config, attachedTo });
    const topic = await api.json<{ id: string }>('POST', '/api/topics', {});
    const added = await add({ topic: topic.id });
    expect(added.status).toBe(201);
    const server = (await added.json()) as ServerView;
    expect(server).toMatchObject({ state: 'draft', attachedTo: { topic: topic.id } });
    const path = `/api/servers/${server.id}`;
    const moved = await api.send('PATCH', path, { attachedTo: { assistant: 'default' } });
    expect(await errorOf(moved)).toMatchObject({ status: 400, code: 'invalid_server' });
    for (const [attachedTo, code] of [
      [{ topic: 'nowhere' }, 'topic_not_found'],
      [{ assistant: 'nobody' }, 'assistant_not_found'],
      [{ assistant: topic.id }, 'assistant_not_found'],
    ] as const)
      expect(await errorOf(await add(attachedTo))).toMatchObject({ status: 404, code });
    for (const attachedTo of [{}, 'x', [], { topic: '' }, { topic: 'a', assistant: 'b' }, null])
      expect((await add(attachedTo)).status, JSON.stringify(attachedTo)).toBe(400);
    const { servers } = await api.json<{ servers: ServerView[] }>('GET', '/api/servers');
    expect(servers.filter(({ builtin }) => !builtin)).toHaveLength(1);
    expect(starts()).toEqual([]);
  });

  it('creates an assistant with its session servers, or neither', async () => {
    const api = await openApi();
    const { config } = await countingServer();
    const create = (sessionServers: unknown[]) =>
      api.send('POST', '/api/assistants', { name: 'Counter', sessionServers });
    const refused = await create([config, { name: 'odd', type: 'carrier-pigeon' }]);
    expect(await errorOf(refused)).toMatchObject({ status: 400, code: 'invalid_server' });
    const builtin = await create([{ name: 'time', type: 'inMemory', builtin: 'time' }]);
    expect(await errorOf(builtin)).toMatchObject({ status: 400, code: 'invalid_server' });
    const before = await api.json<{ assistants: object[] }>('GET', '/api/assistants');
    expect(before.assistants).toHaveLength(1);
    const created = await create([config]);
    expect(created.status).toBe(201);
    const assistant = (await created.json()) as { id: string };
    expect(assistant).not.toHaveProperty('sessionServers');
    const { servers } = await api.json<{ servers: ServerView[] }>('GET', '/api/servers');
    expect(servers.at(-1)).toMatchObject({
      name: 'counter',
      state: 'draft',
      attachedTo: { assistant: assistant.id },
    });
    expect((await api.send('DELETE', `/api/assistants/${assistant.id}`)).status).toBe(204);
    const names = Array.from({ length: 8 }, (_, index) => `counter ${7 - index}`);
    const many = await create(names.map((name) => Object.assign({}, config, { name })));
    expect(many.status).toBe(201);
    // After a restart the order is that of the rows.
    const rows = api.host.store.db.selectFrom('servers').select('config');
    const stored = await rows.orderBy('created_at').orderBy('id').execute();
    expect(stored.map((row) => (JSON.parse(row.config) as { name: string }).name)).toEqual(names);
    const { id } = (await many.json()) as { id: string };
    expect((await api.send('DELETE', `/api/assistants/${id}`)).status).toBe(204);
    const after = await api.json<{ servers: ServerView[] }>('GET', '/api/servers');
    expect(after.servers.every(({ builtin }) => builtin)).toBe(true);
  });
});
