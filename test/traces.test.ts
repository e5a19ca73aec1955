import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import type { InputView } from '#shared/api/input-api.ts';
import type { StoreOptions } from '#store/open-store.ts';
import { describeEachDatabase } from './databases.ts';
import { type ReceivedSpan, startReceiver } from './fakes/otlp-receiver.ts';
import { parkingState } from './fakes/parking-state.ts';
import { calls, says, ScriptedModel } from './fakes/scripted-model.ts';
import { freshPlace, openApi, type TestApi, token } from './fixtures/http.ts';
import { openProgram } from './fixtures/mcp-programs.ts';
import { type ModernRequest, startModern } from './fixtures/modern-http.ts';
import { finished, owner, until } from './host.ts';

const done = { content: [{ type: 'text', text: 'canary-result' }] };
const order = 'mcp__shop__order';
const caller = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const callerTrace = '4bf92f3577b34da6a3ce929d0e0e4736';

/** A shop whose second order asks who it is for. It keeps what it was told of the trace. */
async function startShop() {
  const parents: string[] = [];
  const server = await startModern({
    'tools/list': () => ({ tools: [{ name: 'order', inputSchema: { type: 'object' } }] }),
    'tools/call': ({ params }: ModernRequest) => {
      const meta = params['_meta'] as { traceparent?: string };
      parents.push(meta.traceparent ?? '');
      return parents.length === 2 ? parkingState('Who?') : done;
    },
  });
  onTestFinished(() => server.close());
  return { ...server, parents };
}

async function openTraced(
  place: StoreOptions,
  url: string,
  content: boolean,
  model: ScriptedModel,
) {
  const traces = { url: `${url}?key=canary-address`, content, ratio: 1, batchMs: 5 };
  return openApi({
    place,
    models: { 'test/model': model },
    traces: { ...traces, headers: { 'x-key': 'canary-header' } },
  });
}

async function addShop(api: TestApi, url: URL | string): Promise<string> {
  const { id, launchHash, state } = await api.json<ServerView>('POST', '/api/servers', {
    name: 'shop',
    type: 'streamableHttp',
    baseUrl: String(url),
    headers: { authorization: 'Bearer canary-server' },
    autoApprove: ['*'],
  });
  if (state === 'draft') await api.send('POST', `/api/servers/${id}/approve`, { launchHash });
  return id;
}

/** What follows from words of a server waits for a person. */
async function approveNext(api: TestApi, topicId: string, answerId: string): Promise<void> {
  const { blocks } = await until(api.host, topicId, answerId, ({ status }) => status === 'waiting');
  const block = blocks.find((each) => each.type === 'tool' && each.approval);
  if (block?.type !== 'tool') throw new Error('no call waits');
  const { argsHash = '', toolCallId } = block;
  await api.host.approvals.decide(owner, toolCallId, {
    decision: 'approve',
    argsHash,
    scope: 'once',
  });
}

/** Three rounds; the host is closed while a call of the second waits for a person. */
async function runOverRestart(place: StoreOptions, content = false) {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const shop = await startShop();
  const wanted = { item: 'canary-argument' };
  const before = new ScriptedModel(calls([order, wanted]), calls([order, { ...wanted, n: 2 }]));
  const first = await openTraced(place, receiver.url, content, before);
  await addShop(first, shop.url);
  const { id: topicId } = await first.json<{ id: string }>('POST', '/api/topics', {});
  const sent = await first.send(
    'POST',
    `/api/topics/${topicId}/messages`,
    { text: 'canary-prompt', model: 'test/model' },
    { traceparent: caller },
  );
  const { answerId } = (await sent.json()) as { answerId: string };
  await approveNext(first, topicId, answerId);
  await expect.poll(() => first.host.inputs.list(owner)).toHaveLength(1);
  await first.close();
  const early = receiver.spans.map(({ name }) => name);

  const second = await openTraced(place, receiver.url, content, new ScriptedModel(says('Done.')));
  await expect.poll(() => second.host.inputs.list(owner)).toHaveLength(1);
  const [input] = (await second.host.inputs.list(owner)) as [InputView];
  await second.send('POST', `/api/inputs/${input.id}`, {
    action: 'accept',
    content: { name: 'Ada' },
  });
  await finished(second.host, topicId, answerId);
  await second.close();
  return { ...receiver, shop, topicId, early };
}

/** Every span below one, as names with their children. */
function treeOf(spans: ReceivedSpan[], parent: string | undefined): unknown[] {
  return spans
    .filter(({ parentSpanId }) => parentSpanId === parent)
    .toSorted((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
    .map(({ name, spanId }) => {
      const below = treeOf(spans, spanId);
      return below.length === 0 ? name : [name, below];
    });
}

describe('traces (T99)', () => {
  describeEachDatabase((_open, fresh) => {
    it('of a turn over a restart have one tree, below the span of the caller, and reach the server', async () => {
      const { spans, shop, topicId, early } = await runOverRestart(await fresh());
      const own = spans.filter(({ traceId }) => traceId === callerTrace);
      expect(treeOf(own, '00f067aa0ba902b7')).toEqual([
        [
          'invoke_agent',
          [
            ['round 1', ['chat model', ['execute_tool order', ['tools/call order']]]],
            [
              'round 2',
              [
                'chat model',
                [
                  'execute_tool order',
                  ['wait for approval', 'tools/call order', 'tools/call order'],
                ],
              ],
            ],
            ['round 3', ['chat model']],
          ],
        ],
      ]);
      // What had ended before the restart was sent by the process of then, and nothing is sent twice.
      expect(early).toContain('round 1');
      expect(early).not.toContain('invoke_agent');
      expect(new Set(own.map(({ spanId }) => spanId)).size).toBe(own.length);
      const requests = own.filter(({ name }) => name === 'tools/call order');
      const parents = requests.map(({ spanId }) => `00-${callerTrace}-${spanId}-01`);
      expect(shop.parents.toSorted()).toEqual(parents.toSorted());
      const third = own.find(({ name }) => name === 'round 3');
      const interrupted = own.find(({ name }) => name === 'round 2');
      expect(third?.links).toEqual([{ traceId: callerTrace, spanId: interrupted?.spanId }]);
      expect(requests[0]?.attributes).toMatchObject({
        'mcp.method.name': 'tools/call',
        'gen_ai.tool.name': 'order',
        'mcp.protocol.version': '2026-07-28',
        'network.transport': 'tcp',
      });
      const chat = own.find(({ name }) => name === 'chat model');
      expect(chat).toMatchObject({
        kind: 3,
        attributes: { 'gen_ai.conversation.id': topicId, 'gen_ai.provider.name': 'test' },
      });
      expect(chat?.attributes['gen_ai.usage.input_tokens']).toBe('5');
    });
  });

  it('hold no prompt, argument, result or secret, unless contents are wanted', async () => {
    const silent = await runOverRestart(await freshPlace());
    expect(silent.bodies.join('')).not.toMatch(/canary/);
    expect(silent.headers[0]?.get('x-key')).toBe('canary-header');
    const told = (await runOverRestart(await freshPlace(), true)).bodies.join('');
    for (const content of ['canary-prompt', 'canary-argument', 'canary-result'])
      expect(told).toContain(content);
    expect(told).not.toMatch(/canary-(?:server|header|address)/);
    expect(told).not.toContain(token);
  });

  it('of a caller that does not record its own are not sent, and the server is told so', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const shop = await startShop();
    const api = await openTraced(await freshPlace(), receiver.url, false, new ScriptedModel());
    const id = await addShop(api, shop.url);
    const unrecorded = `${caller.slice(0, -2)}00`;
    const path = `/api/servers/${id}/tools/order/call`;
    await api.send('POST', path, { arguments: {} }, { traceparent: unrecorded });
    await api.close();
    expect(receiver.spans.filter(({ traceId }) => traceId === callerTrace)).toEqual([]);
    expect(shop.parents[0]).toMatch(new RegExp(`^00-${callerTrace}-[0-9a-f]{16}-00$`));
  });

  it('take in what programs say of theirs on /v1, on /mcp and in a batch of calls', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const shop = await startShop();
    const model = new ScriptedModel(says('Hello.'));
    const api = await openTraced(await freshPlace(), receiver.url, false, model);
    const id = await addShop(api, shop.url);
    const headers = { traceparent: caller };
    const question = { model: 'test/model', messages: [{ role: 'user', content: 'Hi.' }] };
    await (await api.send('POST', '/v1/chat/completions', question, headers)).text();
    const batch = { calls: [{ serverId: id, toolName: 'order', arguments: {} }] };
    await api.send('POST', '/api/tool-calls', batch, headers);
    const program = await openProgram(api, 'legacy', { path: '/mcp/time' });
    await program.callTool({
      name: 'get_current_time',
      arguments: { timezone: 'Asia/Tokyo' },
      _meta: headers,
    });
    await api.close();
    const below = receiver.spans.filter(({ parentSpanId }) => parentSpanId === '00f067aa0ba902b7');
    expect(below.map(({ traceId, name }) => `${traceId} ${name}`).toSorted()).toEqual([
      `${callerTrace} execute_tool get_current_time`,
      `${callerTrace} execute_tool order`,
      `${callerTrace} invoke_agent`,
    ]);
  });
});
