import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { type Timeline, timelineSchema } from '#shared/telemetry/timeline-api.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import type { StoreOptions } from '#store/open-store.ts';
import { describeEachDatabase } from './databases.ts';
import { calls, type Round, says, ScriptedModel } from './fakes/scripted-model.ts';
import { freshPlace, openApi, type TestApi } from './fixtures/http.ts';
import { startModern } from './fixtures/modern-http.ts';
import { finished, owner, until } from './host.ts';

const done = { content: [{ type: 'text', text: 'Done.' }] };
const order = 'mcp__shop__order';

async function startShop() {
  const server = await startModern({
    'tools/list': () => ({ tools: [{ name: 'order', inputSchema: { type: 'object' } }] }),
    'tools/call': () => done,
  });
  onTestFinished(() => server.close());
  return server;
}

async function open(place: StoreOptions, model: ScriptedModel, logger?: Logger): Promise<TestApi> {
  return openApi({ place, models: { 'test/model': model }, ...(logger && { logger }) });
}

async function addShop(api: TestApi, url: URL | string, autoApprove: string[]): Promise<string> {
  const { id } = await api.json<ServerView>('POST', '/api/servers', {
    name: 'shop',
    type: 'streamableHttp',
    baseUrl: String(url),
    autoApprove,
  });
  return id;
}

async function ask(api: TestApi) {
  const { id: topicId } = await api.json<{ id: string }>('POST', '/api/topics', {});
  const { answerId } = await api.json<{ answerId: string }>(
    'POST',
    `/api/topics/${topicId}/messages`,
    { text: 'Order.', model: 'test/model' },
  );
  return { topicId, answerId };
}

async function approve(api: TestApi, topicId: string, answerId: string): Promise<void> {
  const { blocks } = await until(api.host, topicId, answerId, ({ status }) => status === 'waiting');
  const block = blocks.find((each) => each.type === 'tool' && each.approval);
  if (block?.type !== 'tool') throw new Error('no call waits');
  const { argsHash = '', toolCallId } = block;
  const decision = { decision: 'approve', argsHash, scope: 'once' } as const;
  await api.host.approvals.decide(owner, toolCallId, decision);
}

const read = async (api: TestApi, answerId: string): Promise<Timeline> =>
  timelineSchema.parse(await api.json('GET', `/api/answers/${answerId}/timeline`));

describe('the timeline of an answer', () => {
  describeEachDatabase((_open, fresh) => {
    it('has its requests and calls over a restart, whose tokens all count', async () => {
      const place = await fresh();
      const shop = await startShop();
      const first = await open(place, new ScriptedModel(calls([order, { n: 1 }])));
      await addShop(first, shop.url, []);
      const { topicId, answerId } = await ask(first);
      await until(first.host, topicId, answerId, ({ status }) => status === 'waiting');
      const waiting = await read(first, answerId);
      expect(waiting).toMatchObject({ status: 'waiting', requests: [{ round: 0 }] });
      expect(waiting.calls).toMatchObject([{ state: 'proposed', toolName: 'order' }]);
      await first.close();

      const second = await open(place, new ScriptedModel(says('Ordered.')));
      await approve(second, topicId, answerId);
      await finished(second.host, topicId, answerId);
      const timeline = await read(second, answerId);
      const { requests, calls: made, usage, startedAt, endedAt = 0 } = timeline;
      expect(requests).toMatchObject([
        { round: 0, finishReason: 'tool-calls', usage: { inputTokens: 5 } },
        { round: 1, finishReason: 'stop', usage: { inputTokens: 5 } },
      ]);
      expect(requests.every(({ derived }) => derived === undefined)).toBe(true);
      expect(usage?.inputTokens).toBe(10);
      const [call] = made;
      expect(call).toMatchObject({ round: 0, serverName: 'shop', state: 'succeeded', waits: [] });
      const { createdAt = 0, decidedAt = 0, times = {} } = call ?? {};
      const [one, two] = requests;
      const inOrder = [
        startedAt,
        one?.startedAt,
        one?.firstAt,
        one?.endedAt,
        createdAt,
        decidedAt,
        call?.startedAt,
        times.sentAt,
        call?.endedAt,
        two?.startedAt,
        two?.endedAt,
        endedAt,
      ];
      expect(inOrder).toEqual(inOrder.toSorted((a = 0, b = 0) => a - b));
      expect(JSON.stringify(timeline)).not.toContain('Done.');
      const view = await second.json<ToolCallView>('GET', `/api/tool-calls/${call?.toolCallId}`);
      expect(view).toMatchObject({ decidedAt, times });
    });
  });
});

it('times the first token of a request that was made again from what the model said', async () => {
  let spokeAt = 0;
  const round: Round = async function* () {
    yield [{ type: 'retrying', reason: 'overloaded', attempt: 2, of: 3, delay: 1 }];
    const retriedAt = Date.now();
    while (Date.now() === retriedAt) await new Promise(setImmediate);
    spokeAt = Date.now();
    yield [{ type: 'response-created' }, ...says('Here.')];
  };
  const failing: Round = [{ type: 'error', error: { code: 'model_failed', message: 'No.' } }];
  const api = await open(await freshPlace(), new ScriptedModel(round, failing));
  const timed = async () => {
    const { topicId, answerId } = await ask(api);
    await finished(api.host, topicId, answerId);
    return (await read(api, answerId)).requests[0];
  };
  const first = await timed();
  expect(first?.firstAt).toBeGreaterThanOrEqual(spokeAt);
  expect((await timed())?.firstAt).toBeUndefined();
});

describe('the log', () => {
  it('has a line for each step of a server and of a call, which a person can read', async () => {
    const lines: string[] = [];
    const write = (_: object, message: string): void => void lines.push(message);
    const logger: Logger = { debug: () => undefined, info: write, warn: write, error: write };
    const shop = await startShop();
    const api = await open(await freshPlace(), new ScriptedModel(), logger);
    const id = await addShop(api, shop.url, ['*']);
    const call = () => api.host.callTool(owner, id, 'order', {});
    await call();
    const ofShop = () =>
      lines
        .splice(0)
        .flatMap((line) => (/^shop\b/.test(line) ? [line.replace(/\d+ ms/, 'N ms')] : []));
    ofShop();
    const { times } = await call();
    expect(times).toEqual({ sentAt: expect.any(Number) });
    await api.send('POST', `/api/servers/${id}/stop`);
    await call();
    expect(ofShop()).toEqual([
      'shop / order: sent',
      'shop / order: succeeded in N ms',
      'shop: idle',
      'shop: connecting',
      'shop: connected in N ms',
      'shop / order: sent',
      'shop / order: succeeded in N ms',
    ]);
  });
});
