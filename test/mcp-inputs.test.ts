import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import type { InputView } from '#shared/api/input-api.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { HostEvent } from '#shared/vocabulary/event.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Conversation, Message } from '#shared/vocabulary/message.ts';
import { calls, says, ScriptedModel } from './fakes/scripted-model.ts';
import { startServer } from './fixtures/cerise-process.ts';
import { emptyPlace, errorOf, openApi, type TestApi } from './fixtures/http.ts';
import { finished, owner, until } from './host.ts';

const script = join(import.meta.dirname, 'fakes/asking-server.mjs');
const eras = ['legacy', 'modern'] as const;

/** The asking server, its tools free to run. */
function config(era: string): object {
  const args = [script, era];
  return { name: 'asking', command: process.execPath, args, autoApprove: ['*'] };
}

interface Started {
  api: TestApi;
  server: ServerView;
  /** Every event of the host so far. */
  events: HostEvent[];
  /** Resolves with the open questions once there are so many. */
  asked(count?: number): Promise<InputView[]>;
  answer(id: string, body: object): Promise<Response>;
}

/** A host with the asking server, approved and free to run without asking. */
async function start(
  era: string,
  more: { model?: ScriptedModel; config?: object } = {},
): Promise<Started> {
  const thinker = new ScriptedModel(says('Forty-two. END and more'));
  const models = { 'test/model': more.model ?? new ScriptedModel(), 'test/thinker': thinker };
  const api = await openApi({ models });
  const events: HostEvent[] = [];
  const listeners = new Set<() => unknown>();
  api.host.events.subscribe(owner, (event) => {
    events.push(event);
    for (const listener of listeners) listener();
  });
  const sent = { ...config(era), ...more.config };
  const server = await api.json<ServerView>('POST', '/api/servers', sent);
  const { launchHash } = server;
  await api.send('POST', `/api/servers/${server.id}/approve`, { launchHash });
  const asked = async (count = 1) => {
    const { promise, resolve, reject } = Promise.withResolvers<InputView[]>();
    const look = () =>
      api.host.inputs
        .list(owner)
        .then((open) => open.length >= count && resolve(open))
        .catch(reject);
    listeners.add(look);
    void look();
    await promise.finally(() => listeners.delete(look));
    return (await api.json<{ inputs: InputView[] }>('GET', '/api/inputs')).inputs;
  };
  const answer = (id: string, body: object) => api.send('POST', `/api/inputs/${id}`, body);
  return { api, server, events, asked, answer };
}

/** Calls a tool as a client does; what the server was told, by the key it asked under. */
async function call({ api, server }: Started, tool: string, callId?: string): Promise<JsonObject> {
  const path = `/api/servers/${server.id}/tools/${tool}/call`;
  const response = await api.send('POST', path, callId ? { callId } : {});
  const { content } = (await response.json()) as { content: { text: string }[] };
  return JSON.parse(content[0]?.text ?? 'null') as JsonObject;
}

/** Starts an answer whose model calls a tool of the server. */
async function ask({ api }: Started): Promise<{ topicId: string; answerId: string }> {
  const { id: topicId } = await api.json<{ id: string }>('POST', '/api/topics', {});
  const message = { text: 'go', model: 'test/model' };
  const { answerId } = await api.host.messages.send(owner, topicId, message);
  return { topicId, answerId };
}

const toolBlock = ({ blocks }: Message) =>
  blocks.find((block): block is ToolBlock => block.type === 'tool');

describe.each(eras)('a %s server that asks', (era) => {
  it('gets a form that was filled in, with its defaults', async () => {
    const started = await start(era);
    const result = call(started, 'order', 'call-1');
    const [input] = await started.asked();
    expect(input).toMatchObject({
      kind: 'form',
      serverName: 'asking',
      serverId: started.server.id,
      toolCallId: 'call-1',
      message: 'What shall it be?',
      schema: { required: ['name'] },
    });
    const content = { name: 'Ada', extras: ['y'] };
    expect((await started.answer(input?.id ?? '', { action: 'accept', content })).status).toBe(200);
    expect(await result).toMatchObject({
      order: { action: 'accept', content: { name: 'Ada', size: 'm', count: 1, extras: ['y'] } },
    });
    expect(await started.api.host.inputs.list(owner)).toEqual([]);
  });

  it('never gets what does not fit its form; the question stays open', async () => {
    const started = await start(era);
    const result = call(started, 'order');
    const [input] = await started.asked();
    const wrong: [object, string][] = [
      [{ action: 'accept' }, 'name: is required.'],
      [{ action: 'accept', content: { name: 'A' } }, 'name: must be at least 2 characters long.'],
      [
        { action: 'accept', content: { name: 'Ada', size: 'Medium' } },
        'size: must be one of "s", "m".',
      ],
      [
        { action: 'accept', content: { name: 'Ada', count: 1.5 } },
        'count: must be a whole number.',
      ],
      [
        { action: 'accept', content: { name: 'Ada', more: 1 } },
        'more: the form has no field with this name.',
      ],
      [{ action: 'approve' }, 'action: must be accept or decline or cancel.'],
      [{ action: 'decline', content: {} }, 'content: only allowed when a form is accepted.'],
    ];
    for (const [body, message] of wrong)
      expect(await errorOf(await started.answer(input?.id ?? '', body))).toMatchObject({
        status: 400,
        code: 'invalid_request',
        message,
      });
    expect(await started.asked()).toHaveLength(1);
    await started.answer(input?.id ?? '', { action: 'decline' });
    expect(await result).toMatchObject({ order: { action: 'decline' } });
  });

  it('is told when a person declines or cancels, once', async () => {
    const started = await start(era);
    for (const action of ['decline', 'cancel']) {
      const result = call(started, 'visit');
      const [input] = await started.asked();
      expect(input).toMatchObject({ kind: 'url', message: 'Please pay.' });
      expect(input).toMatchObject({ url: 'https://xn--pypal-4ve.example/pay?a=1' });
      expect((await started.answer(input?.id ?? '', { action })).status).toBe(200);
      expect(await result).toMatchObject({ visit: { action } });
      expect(await errorOf(await started.answer(input?.id ?? '', { action }))).toMatchObject({
        status: 409,
        code: 'already_decided',
      });
    }
  });

  it('may ask a model only when a person allows it, and gets what the model said', async () => {
    const started = await start(era);
    const result = call(started, 'think');
    const [input] = await started.asked();
    expect(input).toMatchObject({
      kind: 'sampling',
      model: 'test/thinker',
      params: {
        systemPrompt: 'Be brief.',
        messages: [{ role: 'user', content: [{ type: 'text', text: 'What is 6*7?' }] }],
        maxTokens: 100,
      },
    });
    const id = input?.id ?? '';
    const unknown = await started.answer(id, { action: 'approve', model: 'no/such' });
    expect(await errorOf(unknown)).toMatchObject({ code: 'model_not_found' });
    await started.answer(id, { action: 'approve' });
    expect(await result).toMatchObject({
      think: { result: { role: 'assistant', model: 'test/thinker', content: { type: 'text' } } },
    });
  });

  it('gets no answer of a model when a person denies it', async () => {
    const started = await start(era);
    const path = `/api/servers/${started.server.id}/tools/think/call`;
    const response = started.api.send('POST', path, {});
    const [input] = await started.asked();
    await started.answer(input?.id ?? '', { action: 'deny' });
    const text = JSON.stringify(await (await response).json());
    expect(text).not.toContain('Forty-two');
    expect(text).toMatch(/wasn't allowed|rejected the request/);
  });

  it('learns of the folders that were offered to it and exist', async () => {
    const { home } = await emptyPlace();
    const folder = join(home, 'a folder');
    await mkdir(folder);
    const roots = [folder, join(home, 'missing'), 'relative'];
    const started = await start(era, { config: { roots } });
    expect(await call(started, 'folders')).toMatchObject({
      folders: { roots: [{ uri: pathToFileURL(folder).href, name: 'a folder' }] },
    });
  });

  it('may ask several things at once', async () => {
    const started = await start(era);
    const result = call(started, 'both');
    // The old way is one question after the other.
    for (let left = 2; left > 0; left -= 1) {
      const [input] = await started.asked(era === 'modern' ? left : 1);
      if (input?.kind !== 'form') throw new Error('not a form');
      const name = Object.keys(input.schema.properties)[0] ?? '';
      await started.answer(input.id, { action: 'accept', content: { [name]: `for ${name}` } });
    }
    expect(await result).toMatchObject({
      one: { content: { first: 'for first' } },
      two: { content: { second: 'for second' } },
    });
  });
});

describe.each(eras)('in an answer, a %s server that asks', (era) => {
  const model = () => new ScriptedModel(calls(['mcp__asking__order', {}]), says('Thank you.'));

  it('makes its block and the answer wait for the person, and go on afterwards', async () => {
    const started = await start(era, { model: model() });
    const { topicId, answerId } = await ask(started);
    const [input] = await started.asked();
    expect(input).toMatchObject({ topicId, answerId });
    const waiting = await until(
      started.api.host,
      topicId,
      answerId,
      ({ status }) => status === 'waiting',
    );
    expect(waiting).toMatchObject({ waiting: { for: 'input' } });
    expect(toolBlock(waiting)).toMatchObject({ state: 'parked', status: 'paused' });
    expect(input?.toolCallId).toBe(toolBlock(waiting)?.toolCallId);
    const record = await started.api.json('GET', `/api/tool-calls/${input?.toolCallId}`);
    expect(record).toMatchObject({ state: 'parked' });
    await started.answer(input?.id ?? '', { action: 'accept', content: { name: 'Ada' } });
    const answer = await finished(started.api.host, topicId, answerId);
    expect(answer.status).toBe('success');
    expect(toolBlock(answer)).toMatchObject({ state: 'succeeded', status: 'success' });
    const types = started.events.map(({ type }) => type).filter((type) => type.startsWith('input'));
    expect(types).toEqual(['input-requested', 'input-answered']);
  });

  it.each(['stop', 'abort', 'stop server'])('takes its question back at: %s', async (how) => {
    const started = await start(era, { model: model() });
    const { api, server } = started;
    const { topicId, answerId } = await ask(started);
    const [input] = await started.asked();
    await until(api.host, topicId, answerId, ({ status }) => status === 'waiting');
    if (how === 'stop') await api.send('POST', `/api/answers/${answerId}/stop`, {});
    if (how === 'abort') await api.send('POST', `/api/tool-calls/${input?.toolCallId}/abort`, {});
    if (how === 'stop server') await api.send('POST', `/api/servers/${server.id}/stop`, {});
    const answer = await finished(api.host, topicId, answerId);
    expect(toolBlock(answer)).toMatchObject({ state: 'cancelled' });
    expect(answer.status).toBe(how === 'stop' ? 'stopped' : 'success');
    const told = () => started.events.filter(({ type }) => type === 'input-answered');
    await expect.poll(told).toMatchObject([{ inputId: input?.id, topicId }]);
    expect(await api.host.inputs.list(owner)).toEqual([]);
    expect(
      await errorOf(await started.answer(input?.id ?? '', { action: 'cancel' })),
    ).toMatchObject({
      code: 'already_decided',
    });
  });
});

describe('an old server that asked in the middle of a call', () => {
  it('loses its question with the process; the outcome of its call is then unknown', async () => {
    const { home } = await emptyPlace();
    const first = await startServer({ CERISE_HOME: home });
    const server = await first.json<ServerView>('POST', '/api/servers', config('legacy'));
    const { launchHash } = server;
    await first.json('POST', `/api/servers/${server.id}/approve`, { launchHash });
    const { id } = await first.json<{ id: string }>('POST', '/api/topics', {});
    const message = { text: '/call mcp__asking__order {}' };
    await first.json('POST', `/api/topics/${id}/messages`, message);
    const answer = async (host: typeof first) =>
      (await host.json<Conversation>('GET', `/api/topics/${id}`)).messages.at(-1);
    await expect.poll(() => answer(first)).toMatchObject({ status: 'waiting' });
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await startServer({ CERISE_HOME: home });
    await expect.poll(() => answer(second)).toMatchObject({ status: 'success' });
    const block = toolBlock((await answer(second)) as Message);
    expect(block).toMatchObject({ state: 'outcome_unknown', status: 'error' });
    expect(await second.json('GET', '/api/inputs')).toEqual({ inputs: [] });
  });
});

describe('questions', () => {
  it('of others or of nobody are not found', async () => {
    const started = await start('modern');
    const result = call(started, 'order');
    const [input] = await started.asked();
    expect(await started.api.host.inputs.list('somebody else')).toEqual([]);
    await expect(
      started.api.host.inputs.answer('somebody else', input?.id ?? '', { action: 'cancel' }),
    ).rejects.toMatchObject({ code: 'input_not_found' });
    for (const id of ['none', '__proto__', 'toString'])
      expect(await errorOf(await started.answer(id, { action: 'cancel' }))).toMatchObject({
        status: 404,
        code: 'input_not_found',
      });
    await started.answer(input?.id ?? '', { action: 'cancel' });
    await result;
  });
});
