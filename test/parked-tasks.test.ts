import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import type { InputView } from '#shared/api/input-api.ts';
import { armFault } from '#shared/errors/fault.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { Conversation, Message } from '#shared/vocabulary/message.ts';
import type { StoreOptions } from '#store/open-store.ts';
import { describeEachDatabase } from './databases.ts';
import { oddState } from './fakes/parking-state.ts';
import { calls, says, ScriptedModel } from './fakes/scripted-model.ts';
import { type RunningServer, startServer } from './fixtures/cerise-process.ts';
import { openApi, type TestApi } from './fixtures/http.ts';
import { Refusal, startModern } from './fixtures/modern-http.ts';
import { finished, owner, until } from './host.ts';

const script = join(import.meta.dirname, 'fakes/parking-server.ts');
const done = { content: [{ type: 'text', text: 'done' }] };

/** A server with one task, which does what the test says; `polled` resolves when it was asked for next. */
async function startTasks(era: 'legacy' | 'modern') {
  const state = { status: 'working', gone: false, inputRequests: undefined as object | undefined };
  const updates: unknown[] = [];
  let wake = (): void => undefined;
  const task = () => ({
    taskId: 't-1',
    status: state.status,
    pollIntervalMs: 100,
    pollInterval: 100,
  });
  const get = () => {
    wake();
    if (state.gone) throw new Refusal(-32602, 'Task not found');
    if (era === 'legacy') return task();
    const { inputRequests } = state;
    return {
      ...task(),
      ...(state.status === 'completed' && { result: done }),
      ...(inputRequests && { inputRequests }),
    };
  };
  const old = {
    'server/discover': () => {
      throw new Refusal(-32601, 'Method not found');
    },
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
      serverInfo: { name: 'tasks', version: '1' },
    }),
    'notifications/initialized': () => ({}),
  };
  const execution = { taskSupport: 'required' };
  const { url, requests } = await startModern({
    ...(era === 'legacy' && old),
    'tools/list': () => ({
      tools: [
        { name: 'long', inputSchema: { type: 'object' }, ...(era === 'legacy' && { execution }) },
      ],
    }),
    'tools/call': () => (era === 'legacy' ? { task: task() } : { resultType: 'task', ...task() }),
    'tasks/get': get,
    'tasks/result': () => done,
    'tasks/update': ({ params }) => {
      updates.push(params.inputResponses);
      Object.assign(state, { status: 'completed', inputRequests: undefined });
      return {};
    },
    'tasks/cancel': () => ({}),
  });
  const count = (method: string) =>
    requests.filter(({ message }) => message?.method === method).length;
  const polled = () => new Promise<void>((resolve) => (wake = resolve));
  return {
    config: { type: 'streamableHttp', baseUrl: String(url) },
    state,
    updates,
    count,
    polled,
  };
}

async function open(place: StoreOptions, ...turns: ConstructorParameters<typeof ScriptedModel>) {
  return openApi({ place, models: { 'test/model': new ScriptedModel(...turns) } });
}

async function beginTask(api: TestApi, config: object) {
  await api.json('POST', '/api/servers', { name: 'tasks', autoApprove: ['*'], ...config });
  const { id: topicId } = await api.json<{ id: string }>('POST', '/api/topics', {});
  const message = { text: 'go', model: 'test/model' };
  const { answerId } = await api.host.messages.send(owner, topicId, message);
  return { topicId, answerId };
}

function toolOf({ blocks }: Message): ToolBlock {
  const block = blocks.find((each): each is ToolBlock => each.type === 'tool');
  if (!block) throw new Error('no call');
  return block;
}

describe.each(['modern', 'legacy'] as const)('a task of a %s server', (era) => {
  describeEachDatabase((_open, fresh) => {
    it.each([
      ['still runs', 'working', 'succeeded'],
      ['has ended', 'completed', 'succeeded'],
      ['is gone', 'gone', 'outcome_unknown'],
    ])('that %s after a restart is seen to its end', async (_how, now, expected) => {
      const place = await fresh();
      const server = await startTasks(era);
      const api = await open(place, calls(['mcp__tasks__long', {}]), says('Fine.'));
      const { topicId, answerId } = await beginTask(api, server.config);
      await server.polled();
      const running = await until(api.host, topicId, answerId, () => true);
      expect(toolOf(running)).toMatchObject({ state: 'dispatching', status: 'processing' });
      const { toolCallId } = toolOf(running);
      const record = await api.json('GET', `/api/tool-calls/${toolCallId}`);
      expect(record).toMatchObject({ state: 'parked' });
      await api.close();
      expect(server.count('tasks/cancel')).toBe(0);

      if (now === 'gone') server.state.gone = true;
      else server.state.status = now;
      const again = await open(place, says('Fine.'));
      if (now === 'working') {
        await server.polled();
        server.state.status = 'completed';
      }
      const ended = await finished(again.host, topicId, answerId);
      expect(ended.status).toBe('success');
      expect(toolOf(ended)).toMatchObject({
        state: expected,
        ...(now === 'gone' && {
          error: {
            code: 'outcome_unknown',
            message: expect.stringContaining("no longer recognises this call's task"),
          },
        }),
      });
      expect(server.count('tools/call')).toBe(1);
      expect(server.count('tasks/cancel')).toBe(0);
    });
  });

  it('is cancelled at its server when its answer is stopped after a restart', async () => {
    const server = await startTasks(era);
    const api = await openApi({
      models: { 'test/model': new ScriptedModel(calls(['mcp__tasks__long', {}])) },
    });
    const { topicId, answerId } = await beginTask(api, server.config);
    await server.polled();
    await api.close();
    const again = await open(api.place);
    await server.polled();
    await again.send('POST', `/api/answers/${answerId}/stop`, {});
    const ended = await finished(again.host, topicId, answerId);
    expect(toolOf(ended)).toMatchObject({ state: 'cancelled' });
    expect(server.count('tasks/cancel')).toBe(1);
  });
});

describe('a task whose answer breaks before its outcome is kept', () => {
  it('is unknown, in its row and in its block', async () => {
    const server = await startTasks('modern');
    const models = { 'test/model': new ScriptedModel(calls(['mcp__tasks__long', {}])) };
    const api = await openApi({ models });
    const { topicId, answerId } = await beginTask(api, server.config);
    await server.polled();
    armFault('result-arrived:1:throw', () => undefined);
    server.state.status = 'completed';
    const ended = await finished(api.host, topicId, answerId);
    expect(ended.status).toBe('error');
    const { toolCallId, state, error } = toolOf(ended);
    expect([state, error?.code]).toEqual(['outcome_unknown', 'outcome_unknown']);
    expect(await api.json('GET', `/api/tool-calls/${toolCallId}`)).toMatchObject({ state, error });
  });
});

describe('a task that asks', () => {
  it('asks the same after a restart, waits for the person, and goes on', async () => {
    const server = await startTasks('modern');
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    const params = { message: 'Sure?', requestedSchema };
    Object.assign(server.state, {
      status: 'input_required',
      inputRequests: { sure: { method: 'elicitation/create', params } },
    });
    const api = await openApi({
      models: { 'test/model': new ScriptedModel(calls(['mcp__tasks__long', {}])) },
    });
    const { topicId, answerId } = await beginTask(api, server.config);
    await until(api.host, topicId, answerId, ({ status }) => status === 'waiting');
    const before = await api.host.inputs.list(owner);
    expect(before).toMatchObject([{ message: 'Sure?', answerId }]);
    await api.close();
    const again = await open(api.place, says('Fine.'));
    expect(await again.host.inputs.list(owner)).toEqual(before);
    const going = until(again.host, topicId, answerId, ({ status }) => status === 'processing');
    await again.send('POST', `/api/inputs/${before[0]?.id}`, { action: 'decline' });
    expect(toolOf(await going)).toMatchObject({ state: 'dispatching' });
    const ended = await finished(again.host, topicId, answerId);
    expect(toolOf(ended)).toMatchObject({ state: 'succeeded' });
    expect(server.updates).toEqual([{ sure: { action: 'decline' } }]);
  });
});

describe('a host that is ended while a call waits for a person', () => {
  describeEachDatabase((_open, fresh) => {
    const lastOf = async (host: RunningServer, id: string) =>
      (await host.json<Conversation>('GET', `/api/topics/${id}`)).messages.at(-1) as Message;

    it.each([
      ['SIGKILL', 'SIGKILL'],
      ['SIGTERM', 0],
    ] as const)('by %s goes on with it', { timeout: 60_000 }, async (signal, code) => {
      const { home, databaseUrl } = await fresh();
      const env = { CERISE_HOME: home, ...(databaseUrl && { CERISE_DATABASE_URL: databaseUrl }) };
      const journal = `${home}-calls.jsonl`;
      const first = await startServer(env);
      const added = await first.json<ServerView>('POST', '/api/servers', {
        name: 'parking',
        command: process.execPath,
        args: [script, journal],
        autoApprove: ['*'],
      });
      const { launchHash } = added;
      await first.json('POST', `/api/servers/${added.id}/approve`, { launchHash });
      const { id } = await first.json<{ id: string }>('POST', '/api/topics', {});
      const text = '/call mcp__parking__order {}';
      await first.json('POST', `/api/topics/${id}/messages`, { text });
      await expect.poll(() => lastOf(first, id)).toMatchObject({ status: 'waiting' });
      first.child.kill(signal);
      expect(await first.ended).toBe(code);

      const second = await startServer(env);
      const { inputs } = await second.json<{ inputs: InputView[] }>('GET', '/api/inputs');
      expect(inputs).toHaveLength(1);
      await second.json('POST', `/api/inputs/${inputs[0]?.id}`, {
        action: 'accept',
        content: { name: 'Ada' },
      });
      await expect
        .poll(() => lastOf(second, id), { timeout: 40_000, interval: 200 })
        .toMatchObject({ status: 'success' });
      expect(toolOf(await lastOf(second, id))).toMatchObject({ state: 'succeeded' });
      const sent = (await readFile(journal, 'utf8')).trim().split('\n');
      expect(sent.map((line) => JSON.parse(line).method)).toEqual(['tools/call', 'tools/call']);
      expect(JSON.parse(sent[1] ?? '').params.requestState).toBe(oddState);
    });
  });
});
