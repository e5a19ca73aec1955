import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import type { InputView } from '#shared/api/input-api.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { answerInput, readInputs } from '#store/calls/inputs.ts';
import { transitionToolCall } from '#store/calls/tool-calls.ts';
import { openStore, type StoreOptions } from '#store/open-store.ts';
import { describeEachDatabase } from './databases.ts';
import { oddState, parkingState } from './fakes/parking-state.ts';
import { calls, says, ScriptedModel } from './fakes/scripted-model.ts';
import { openApi, type TestApi } from './fixtures/http.ts';
import { type ModernRequest, Refusal, startModern } from './fixtures/modern-http.ts';
import { finished, owner, until } from './host.ts';

const script = join(import.meta.dirname, 'fakes/parking-server.ts');
const done = { content: [{ type: 'text', text: 'done' }] };
const accept = { action: 'accept', content: { name: 'Ada' } };

type Script = (params: JsonObject, round: number) => object;

/** A server on loopback that outlives the host: what it does with `tools/call`, and what it was sent. */
async function startHttp(script: Script, methods: Parameters<typeof startModern>[0] = {}) {
  const sent: JsonObject[] = [];
  const { url, requests, close } = await startModern({
    'tools/list': () => ({ tools: [{ name: 'order', inputSchema: { type: 'object' } }] }),
    'tools/call': ({ params }: ModernRequest) => {
      sent.push(params);
      return script(params, sent.length);
    },
    ...methods,
  });
  const told = (method: string) => requests.filter(({ message }) => message?.method === method);
  return { config: { type: 'streamableHttp', baseUrl: String(url) }, sent, told, close };
}

/** Asks once, then is done. */
const asksOnce: Script = ({ inputResponses }) => (inputResponses ? done : parkingState('Who?'));

async function open(place: StoreOptions, ...turns: ConstructorParameters<typeof ScriptedModel>) {
  return openApi({ place, models: { 'test/model': new ScriptedModel(...turns) } });
}

async function add(api: TestApi, config: object): Promise<ServerView> {
  const sent = { name: 'parking', autoApprove: ['*'], ...config };
  const server = await api.json<ServerView>('POST', '/api/servers', sent);
  const { id, launchHash } = server;
  if (server.state === 'draft')
    await api.send('POST', `/api/servers/${id}/approve`, { launchHash });
  return server;
}

/** An answer whose one call waits for a person. */
async function parkAnswer(place: StoreOptions, config: object, questions = 1) {
  const api = await open(place, calls(['mcp__parking__order', {}]), says('Thank you.'));
  await add(api, config);
  const { id: topicId } = await api.json<{ id: string }>('POST', '/api/topics', {});
  const message = { text: 'go', model: 'test/model' };
  const { answerId } = await api.host.messages.send(owner, topicId, message);
  await until(api.host, topicId, answerId, ({ status }) => status === 'waiting');
  const open_ = await inputs(api, questions);
  return { api, topicId, answerId, inputs: open_ };
}

async function inputs(api: TestApi, count: number): Promise<InputView[]> {
  await expect.poll(() => api.host.inputs.list(owner)).toHaveLength(count);
  return api.host.inputs.list(owner);
}

const answer = (api: TestApi, { id }: InputView, body: object = accept) =>
  api.send('POST', `/api/inputs/${id}`, body);

function toolOf({ blocks }: Message): ToolBlock {
  const block = blocks.find((each): each is ToolBlock => each.type === 'tool');
  if (!block) throw new Error('no call');
  return block;
}

/** Works on the data while no host does. */
async function between(
  place: StoreOptions,
  work: (store: Awaited<ReturnType<typeof openStore>>) => unknown,
) {
  const store = await openStore(place);
  await work(store);
  await store.close();
}

describe('a call that waits for a person', () => {
  describeEachDatabase((_open, fresh) => {
    it.each(['stdio', 'http'])('goes on after a restart, over %s', async (kind) => {
      const place = await fresh();
      const journal = `${place.home}-calls.jsonl`;
      const http = await startHttp(asksOnce);
      const stdio = { command: process.execPath, args: [script, journal] };
      const {
        api,
        topicId,
        answerId,
        inputs: before,
      } = await parkAnswer(place, kind === 'stdio' ? stdio : http.config);
      expect(before[0]?.expiresAt).toBeUndefined();
      await api.close();

      const again = await open(place, says('Thank you.'));
      expect(await inputs(again, 1)).toEqual(before);
      const seen = await until(again.host, topicId, answerId, () => true);
      expect(toolOf(seen)).toMatchObject({ state: 'parked', status: 'paused' });
      expect((await answer(again, before[0] as InputView)).status).toBe(200);
      const ended = await finished(again.host, topicId, answerId);
      expect(ended.status).toBe('success');
      expect(toolOf(ended)).toMatchObject({ state: 'succeeded' });
      expect((await answer(again, before[0] as InputView)).status).toBe(409);
      const [row] = await readInputs(again.host.store.db, [before[0]?.id ?? '']);
      expect(row).toMatchObject({ closedAt: expect.any(Number) });
      expect(row).not.toHaveProperty('answer');

      const lines = kind === 'stdio' ? (await readFile(journal, 'utf8')).trim().split('\n') : [];
      const sent =
        kind === 'stdio' ? lines.map((line) => JSON.parse(line).params as JsonObject) : http.sent;
      expect(sent).toHaveLength(2);
      expect(sent[0]).not.toHaveProperty('requestState');
      expect(sent[1]).toMatchObject({ requestState: oddState, inputResponses: { who: accept } });
    });

    it('finds the answer that was given while nobody listened', async () => {
      const place = await fresh();
      const http = await startHttp(asksOnce);
      const parked = await parkAnswer(place, http.config);
      await parked.api.close();
      await between(place, async (store) => {
        const given = { action: 'accept' as const, content: { name: 'Eve' } };
        const id = parked.inputs[0]?.id ?? '';
        expect(await answerInput(store.db, owner, id, given, Date.now())).toBe(true);
      });
      const again = await open(place, says('Thank you.'));
      const ended = await finished(again.host, parked.topicId, parked.answerId);
      expect(toolOf(ended)).toMatchObject({ state: 'succeeded' });
      expect(http.sent).toHaveLength(2);
      expect(http.sent[1]).toMatchObject({ inputResponses: { who: { content: { name: 'Eve' } } } });
    });

    it('keeps what was answered of two questions, and asks only the other again', async () => {
      const place = await fresh();
      const http = await startHttp(({ inputResponses }) =>
        inputResponses ? done : parkingState('Who?', ['a', 'b']),
      );
      const parked = await parkAnswer(place, http.config, 2);
      const [first, second] = parked.inputs as [InputView, InputView];
      await answer(parked.api, first);
      await parked.api.close();
      const again = await open(place, says('Thank you.'));
      expect(await inputs(again, 1)).toEqual([second]);
      await answer(again, second, { action: 'decline' });
      const ended = await finished(again.host, parked.topicId, parked.answerId);
      expect(toolOf(ended)).toMatchObject({ state: 'succeeded' });
      const { inputResponses } = http.sent[1] as { inputResponses: JsonObject };
      expect(Object.values(inputResponses)).toEqual(
        expect.arrayContaining([accept, { action: 'decline' }]),
      );
      expect(http.sent).toHaveLength(2);
    });

    it('fails when its server does not take its state any more, and the turn goes on', async () => {
      const place = await fresh();
      const http = await startHttp(({ requestState }) => {
        if (requestState) throw new Refusal(-32602, 'This state is not mine');
        return parkingState('Who?');
      });
      const parked = await parkAnswer(place, http.config);
      await parked.api.close();
      const again = await open(place, says('Oh.'));
      await answer(again, (await inputs(again, 1))[0] as InputView, { action: 'decline' });
      const ended = await finished(again.host, parked.topicId, parked.answerId);
      expect(ended.status).toBe('success');
      expect(toolOf(ended)).toMatchObject({
        state: 'failed',
        error: { code: 'protocol_error', message: expect.stringContaining('not mine') },
      });
    });

    it('has no known outcome once its answer was on the way', async () => {
      const place = await fresh();
      const http = await startHttp(asksOnce);
      const parked = await parkAnswer(place, http.config);
      const { toolCallId = '' } = parked.inputs[0] ?? {};
      await parked.api.close();
      await between(place, (store) =>
        transitionToolCall(store.db, toolCallId, ['parked'], 'dispatching'),
      );
      const again = await open(place, says('Oh.'));
      const ended = await finished(again.host, parked.topicId, parked.answerId);
      expect(toolOf(ended)).toMatchObject({ state: 'outcome_unknown' });
      expect(await again.host.inputs.list(owner)).toEqual([]);
      expect(http.sent).toHaveLength(1);
    });

    it('is sent again from where it stood if that is safe', async () => {
      const place = await fresh();
      const http = await startHttp(asksOnce);
      const parked = await parkAnswer(place, http.config);
      const { toolCallId = '', serverId = '', id = '' } = parked.inputs[0] ?? {};
      const { version } = await parked.api.host.policy.read(owner);
      await parked.api.host.policy.write(owner, {
        version,
        rules: [],
        trustedServers: [],
        safeToRepeat: [{ serverId, toolName: 'order' }],
      });
      await parked.api.close();
      await between(place, async (store) => {
        await answerInput(store.db, owner, id, { action: 'decline' }, Date.now());
        await transitionToolCall(store.db, toolCallId, ['parked'], 'dispatching');
      });
      const again = await open(place, says('Thank you.'));
      const ended = await finished(again.host, parked.topicId, parked.answerId);
      expect(toolOf(ended)).toMatchObject({ state: 'succeeded' });
      expect(http.sent).toHaveLength(2);
      expect(http.sent[1]).toMatchObject({ requestState: oddState });
    });

    it('goes on without an answer too, when it was called directly', async () => {
      const place = await fresh();
      const http = await startHttp(asksOnce);
      const api = await open(place);
      const server = await add(api, http.config);
      const path = `/api/servers/${server.id}/tools/order/call`;
      const response = api.send('POST', path, { callId: 'direct-1' });
      const [input] = await inputs(api, 1);
      const view = (host: TestApi) => host.json<ToolCallView>('GET', '/api/tool-calls/direct-1');
      expect(await view(api)).toMatchObject({ state: 'parked' });
      expect(await view(api)).not.toHaveProperty('continuation');
      await api.close();
      expect((await response).status).toBe(503);
      const again = await open(place);
      expect(await inputs(again, 1)).toEqual([input]);
      await answer(again, input as InputView);
      await expect.poll(() => view(again)).toMatchObject({ state: 'succeeded', result: done });
      expect(http.sent).toHaveLength(2);
    });

    it('ends with its answer when that is stopped after the restart', async () => {
      const place = await fresh();
      const http = await startHttp(asksOnce);
      const parked = await parkAnswer(place, http.config);
      await parked.api.close();
      const again = await open(place);
      await inputs(again, 1);
      await again.send('POST', `/api/answers/${parked.answerId}/stop`, {});
      const ended = await finished(again.host, parked.topicId, parked.answerId);
      expect(toolOf(ended)).toMatchObject({ state: 'cancelled' });
      expect(await again.host.inputs.list(owner)).toEqual([]);
      expect((await answer(again, parked.inputs[0] as InputView)).status).toBe(409);
    });
  });

  it('takes no place at its server from others', async () => {
    const http = await startHttp((params) =>
      isJsonObject(params.arguments) && params.arguments.quick ? done : asksOnce(params, 0),
    );
    const api = await openApi();
    const server = await add(api, http.config);
    const path = `/api/servers/${server.id}/tools/order/call`;
    const waiting = Array.from({ length: 10 }, () => api.send('POST', path, {}));
    const open_ = await inputs(api, 10);
    const quick = await api.json('POST', path, { arguments: { quick: true } });
    expect(quick).toMatchObject(done);
    for (const input of open_) await answer(api, input);
    for (const response of waiting) expect((await response).status).toBe(200);
  });

  it('is asked ten times at most (T28)', async () => {
    const roots = { folders: { method: 'roots/list' } };
    const http = await startHttp((_params, round) => ({
      resultType: 'input_required',
      inputRequests: roots,
      requestState: `round ${round}`,
    }));
    const api = await openApi();
    const server = await add(api, http.config);
    const response = await api.send('POST', `/api/servers/${server.id}/tools/order/call`, {});
    expect(await response.json()).toMatchObject({ error: { code: 'call_limit' } });
    expect(http.sent).toHaveLength(11);
    expect(http.sent.slice(1).map(({ requestState }) => requestState)).toEqual(
      Array.from({ length: 10 }, (_, n) => `round ${n + 1}`),
    );
  });
});
