import { afterEach, describe, expect, it } from 'vitest';
import { capabilitiesOf } from '#models/wires/capabilities.ts';
import type { HostEvent } from '#shared/vocabulary/event.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import { shutdownReason } from '#shared/vocabulary/tool.ts';
import {
  getToolCall,
  insertToolCalls,
  type ToolCallRecord,
  transitionToolCall,
} from '#store/calls/tool-calls.ts';
import { type Store } from '#store/database/store.ts';
import { openStore } from '#store/open-store.ts';
import { RunningCalls } from '../calls/running-calls.ts';
import { describeEachDatabase, temporaryFolder } from '../../../test/databases.ts';
import { approved } from '../../../test/fakes/mcp-servers.ts';
import { says, ScriptedModel } from '../../../test/fakes/scripted-model.ts';
import { type AskContext, Inputs, type InputsDeps } from './inputs.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const owner = 'local';
const record = approved({ type: 'streamableHttp', baseUrl: 'http://127.0.0.1:9/mcp' }, 'srv');
const form = {
  kind: 'form' as const,
  message: 'Who?',
  schema: { type: 'object' as const, properties: { name: { type: 'string' } } },
};

async function start(more: Partial<InputsDeps> = {}) {
  const store = more.store ?? (await openStore(await temporaryFolder(cleanups)));
  if (!more.store) cleanups.push(() => store.close());
  const events: HostEvent[] = [];
  const running = new RunningCalls();
  const model = new ScriptedModel(says('It is 42. END, never seen'));
  const inputs = new Inputs({
    store,
    models: { of: () => ({ list: async () => [], resolve: async () => model }) },
    running,
    limits: usualLimits,
    defaultModel: async () => 'vendor/default',
    emit: (_owner, event) => events.push(event),
    now: Date.now,
    ...more,
  });
  return { store, inputs, events, running, model };
}

function context(more: Partial<AskContext> = {}): AskContext {
  const { signal } = new AbortController();
  return { serverId: record.id, serverName: 'test', server: record, signal, ...more };
}

/** A call that runs, with its row. */
async function runCall(
  { store, running }: { store: Store; running: RunningCalls },
  id: string,
  place: Parameters<RunningCalls['start']>[2] = {},
): Promise<AbortController> {
  const known = await getToolCall(store.db, owner, id);
  if (!known) await insertToolCalls(store.db, [{ ...call, id, callId: id }]);
  const controller = new AbortController();
  running.start(id, [controller.signal], place);
  return controller;
}

const call: ToolCallRecord = {
  id: '',
  owner,
  round: 0,
  index: 0,
  callId: '',
  serverId: record.id,
  serverName: 'test',
  toolName: 'ask',
  arguments: {},
  argsHash: '',
  state: 'dispatching',
  createdAt: 1,
};

const sampling: JsonObject = {
  messages: [{ role: 'user', content: { type: 'text', text: 'What is 6*7?' } }],
  maxTokens: 50,
  stopSequences: ['END'],
};

describe('an open question', () => {
  it('is cancelled when its time is over', async () => {
    const { inputs, events } = await start({ limits: { ...usualLimits, inputTime: 5 } });
    expect(await inputs.elicit(form, context())).toEqual({ action: 'cancel' });
    expect(events.map(({ type }) => type)).toEqual(['input-requested', 'input-answered']);
    expect(await inputs.list(owner)).toEqual([]);
  });

  it('T86: of another tool is not there for a key that is limited to some tools', async () => {
    const parts = await start();
    const { inputs, store } = parts;
    await insertToolCalls(store.db, [{ ...call, id: 'other', callId: 'other', toolName: 'write' }]);
    for (const id of ['own', 'other']) await runCall(parts, id, { owner });
    const asked = [{ callId: 'own' }, { callId: 'other' }, {}];
    const open = asked.map((more) => inputs.elicit(form, context(more)));
    await expect.poll(() => inputs.list(owner)).toHaveLength(3);
    const within = [{ id: record.id, tools: ['ask'] }];
    const listed = await inputs.list(owner, within);
    expect(listed).toMatchObject([{ toolCallId: 'own' }]);
    const yes = { action: 'accept', content: { name: 'Ana' } } as const;
    for (const { id, toolCallId } of await inputs.list(owner)) {
      const answered = inputs.answer(owner, id, yes, within);
      if (toolCallId === 'own') await answered;
      else await expect(answered).rejects.toMatchObject({ code: 'input_not_found' });
    }
    expect(await inputs.list(owner, [{ id: record.id }])).toHaveLength(2);
    inputs.closeServer(record.id);
    const [own, ...others] = await Promise.all(open);
    expect([own?.action, ...others.map(({ action }) => action)]).toEqual([
      'accept',
      'cancel',
      'cancel',
    ]);
  });

  it('is one of twenty at most; a further one is cancelled at once', async () => {
    const { inputs, events } = await start();
    const open = Array.from({ length: usualLimits.openInputs }, () =>
      inputs.elicit(form, context()),
    );
    await expect.poll(() => inputs.list(owner)).toHaveLength(usualLimits.openInputs);
    expect(await inputs.elicit(form, context())).toEqual({ action: 'cancel' });
    await expect(inputs.sample(sampling, context())).rejects.toMatchObject({ code: 'denied' });
    inputs.closeServer(record.id);
    expect(await Promise.all(open)).toHaveLength(usualLimits.openInputs);
    expect(events.filter(({ type }) => type === 'input-answered')).toHaveLength(
      usualLimits.openInputs,
    );
  });

  it('ends with its call, also when the server does not take it back', async () => {
    const started = await start();
    const { inputs, running, events } = started;
    const parked: boolean[] = [];
    await runCall(started, 'c1', { topicId: 't', onParked: (each) => parked.push(each) });
    const both = [
      inputs.elicit(form, context({ callId: 'c1' })),
      inputs.elicit(form, context({ callId: 'c1' })),
    ];
    const requested = { type: 'input-requested', topicId: 't' };
    await expect.poll(() => events).toMatchObject([requested, requested]);
    const asked = { toolCallId: 'c1', topicId: 't' };
    expect(await inputs.list(owner)).toMatchObject([asked, asked]);
    running.end('c1');
    expect(await Promise.all(both)).toEqual([{ action: 'cancel' }, { action: 'cancel' }]);
    expect(parked).toEqual([true, false]);
  });

  it('ends when nobody wants the answer any more', async () => {
    const { inputs } = await start();
    const controller = new AbortController();
    const answer = inputs.elicit(form, context({ signal: controller.signal }));
    controller.abort();
    await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
    expect(await inputs.list(owner)).toEqual([]);
  });

  it('is answered once, though two try at the same time', async () => {
    const { inputs } = await start();
    const answer = inputs.elicit(form, context());
    await expect.poll(() => inputs.list(owner)).toHaveLength(1);
    const [{ id } = { id: '' }] = await inputs.list(owner);
    const tries = await Promise.allSettled([
      inputs.answer(owner, id, { action: 'accept', content: { name: 'one' } }),
      inputs.answer(owner, id, { action: 'accept', content: { name: 'two' } }),
    ]);
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(tries.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'already_decided' },
    });
    expect(await answer).toMatchObject({ action: 'accept' });
  });

  it('comes with a form of a sensible size', async () => {
    const { inputs } = await start();
    const name = { type: 'string', description: 'x'.repeat(300_000) };
    const huge = { ...form, schema: { type: 'object' as const, properties: { name } } };
    await expect(inputs.elicit(huge, context())).rejects.toMatchObject({
      code: 'message_too_large',
    });
  });
});

describe('a model for a server', () => {
  it('is asked after an approval, the one that was chosen, up to the stop sequence', async () => {
    const { inputs, model } = await start();
    const answer = inputs.sample(
      { ...sampling, systemPrompt: 'Briefly.', temperature: 9 },
      context(),
    );
    await expect.poll(() => inputs.list(owner)).toHaveLength(1);
    const [input] = await inputs.list(owner);
    expect(input).toMatchObject({ kind: 'sampling', model: 'vendor/default' });
    expect(model.requests).toEqual([]);
    await inputs.answer(owner, input?.id ?? '', { action: 'approve', model: 'vendor/other' });
    expect(await answer).toEqual({
      role: 'assistant',
      content: { type: 'text', text: 'It is 42. ' },
      model: 'vendor/other',
      stopReason: 'stopSequence',
    });
    expect(model.requests).toMatchObject([
      { system: 'Briefly.', tools: [], parameters: { maxOutputTokens: 50, temperature: 2 } },
    ]);
  });

  it('is never asked without one', async () => {
    const { inputs, model } = await start({ limits: { ...usualLimits, inputTime: 5 } });
    await expect(inputs.sample(sampling, context())).rejects.toMatchObject({ code: 'denied' });
    expect(model.requests).toEqual([]);
  });

  it('is the one of the answer the call belongs to, unless the server hints at another', async () => {
    const info = (id: string) => ({
      id,
      name: id,
      provider: '',
      providerName: '',
      scripted: false,
      capabilities: capabilitiesOf(id),
    });
    const list = async () => ['a/Large', 'b/small'].map(info);
    const resolve = async () => new ScriptedModel();
    const started = await start({ models: { of: () => ({ list, resolve }) } });
    const { inputs } = started;
    await runCall(started, 'c1', { model: 'answer/model' });
    const hints = (...names: string[]) => ({
      ...sampling,
      modelPreferences: { hints: names.map((name) => ({ name })) },
    });
    for (const [params, model] of [
      [sampling, 'answer/model'],
      [hints('none', 'LARGE', 'small'), 'a/Large'],
      [hints('none'), 'answer/model'],
    ] as const) {
      const answer = inputs.sample(params, context({ callId: 'c1' }));
      await expect.poll(() => inputs.list(owner)).toMatchObject([{ model }]);
      inputs.closeServer(record.id);
      await expect(answer).rejects.toMatchObject({ code: 'denied' });
    }
  });
});

describe('a question of a call that can be gone on with', () => {
  describeEachDatabase((open) => {
    const asked = context({ callId: 'c1', question: '1/who' });
    const accept = { action: 'accept' as const, content: { name: 'Ada' } };

    /** Two processes on one database; the first one asks. */
    async function two() {
      const store = await open();
      const first = await start({ store });
      const second = await start({ store });
      const controller = await runCall(first, 'c1');
      const answer = first.inputs.elicit(form, { ...asked, signal: controller.signal });
      answer.catch(() => undefined);
      await expect.poll(() => first.inputs.list(owner)).toHaveLength(1);
      const [{ id } = { id: '' }] = await first.inputs.list(owner);
      return { store, first, second, controller, answer, id };
    }

    it('is left open by a host that ends, and is the same when it is asked again', async () => {
      const { store, first, second, controller, answer, id } = await two();
      controller.abort(shutdownReason);
      await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
      await second.inputs.tidy();
      const before = await second.inputs.list(owner);
      expect(before).toMatchObject([{ id, toolCallId: 'c1' }]);
      expect(before[0]).not.toHaveProperty('expiresAt');
      await runCall({ store, running: second.running }, 'c1');
      const again = second.inputs.elicit({ ...form, message: 'Other words?' }, asked);
      await expect.poll(() => second.events).toMatchObject([{ type: 'input-requested' }]);
      expect(await second.inputs.list(owner)).toEqual(before);
      await second.inputs.answer(owner, id, accept);
      expect(await again).toEqual(accept);
      expect(first.events.map(({ type }) => type)).toEqual(['input-requested']);
    });

    it('is answered by any process, once; whoever waits is told', async () => {
      const { first, second, answer, id } = await two();
      const tries = await Promise.allSettled([
        second.inputs.answer(owner, id, accept),
        second.inputs.answer(owner, id, { action: 'decline' }),
        first.inputs.answer('somebody else', id, accept),
      ]);
      expect(tries.map(({ status }) => status).toSorted()).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
      ]);
      await first.inputs.refresh(['another', id]);
      expect((await answer).action).toMatch(/accept|decline/);
      await expect(first.inputs.answer(owner, id, accept)).rejects.toMatchObject({
        code: 'already_decided',
      });
    });

    it('finds the answer that was given while nobody waited', async () => {
      const { store, second, controller, answer, id } = await two();
      controller.abort(shutdownReason);
      await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
      await second.inputs.answer(owner, id, accept);
      await second.inputs.tidy();
      await runCall({ store, running: second.running }, 'c1');
      expect(await second.inputs.elicit(form, asked)).toEqual(accept);
      expect(await second.inputs.elicit(form, asked)).toEqual(accept);
    });

    it('is not open any more when its call has ended, whoever ended it', async () => {
      const { store, second, id } = await two();
      await transitionToolCall(store.db, 'c1', ['dispatching'], 'cancelled', { endedAt: 2 });
      expect(await second.inputs.list(owner)).toEqual([]);
      await expect(second.inputs.answer(owner, id, accept)).rejects.toMatchObject({
        code: 'already_decided',
      });
    });

    it('is asked again though there are many, while a new one is not', async () => {
      const { store, second, controller, answer, id } = await two();
      controller.abort(shutdownReason);
      await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
      await runCall({ store, running: second.running }, 'c1');
      const full = Array.from({ length: usualLimits.openInputs }, () =>
        second.inputs.elicit(form, context()),
      );
      const again = second.inputs.elicit(form, asked);
      const other = { ...asked, question: '1/other' };
      expect(await second.inputs.elicit(form, other)).toEqual({ action: 'cancel' });
      await expect.poll(() => second.inputs.list(owner)).toHaveLength(usualLimits.openInputs + 1);
      await second.inputs.answer(owner, id, accept);
      expect(await again).toEqual(accept);
      second.inputs.closeServer(record.id);
      await Promise.all(full);
    });
  });

  it('ends with the process where the call cannot be gone on with', async () => {
    const store = await openStore(await temporaryFolder(cleanups));
    cleanups.push(() => store.close());
    const first = await start({ store, instance: 'one' });
    const second = await start({ store, instance: 'two' });
    const answer = first.inputs.elicit(form, context());
    await expect.poll(() => second.inputs.list(owner)).toHaveLength(1);
    await second.inputs.tidy(['one']);
    expect(await second.inputs.list(owner)).toHaveLength(1);
    await second.inputs.tidy();
    expect(await second.inputs.list(owner)).toEqual([]);
    await first.inputs.refresh();
    expect(await answer).toEqual({ action: 'cancel' });
  });
});
