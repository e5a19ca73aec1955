import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RequestAnswers } from '#shared/vocabulary/server-request.ts';
import { type Continuation, shutdownReason } from '#shared/vocabulary/tool.ts';
import { launchHash } from '../connection/launch-hash.ts';
import { temporaryFolder } from '../../../test/databases.ts';
import { approved, callTool, testService } from '../../../test/fakes/mcp-servers.ts';
import { oddState, parkingState } from '../../../test/fakes/parking-state.ts';
import { Refusal, startModern } from '../../../test/fixtures/modern-http.ts';

const done = { content: [{ type: 'text' as const, text: 'done' }] };
const tools = { tools: [{ name: 'act', inputSchema: { type: 'object' } }] };
const task = { taskId: 't-1', status: 'working', pollIntervalMs: 100 };

/** Writes down what happens to a call, in its order. */
async function begin(
  methods: Parameters<typeof startModern>[0] = {},
  options: { config?: object; elicit?: RequestAnswers['elicit'] } = {},
) {
  const steps: string[] = [];
  const { url } = await startModern({
    'tools/list': () => tools,
    'tools/call': ({ params }) => {
      steps.push('sent');
      return params.inputResponses ? done : parkingState('Who?');
    },
    ...methods,
  });
  const service = testService({
    answers: () => ({
      elicit: async (request, context) => {
        steps.push(`asked ${context.question}`);
        return options.elicit?.(request, context) ?? { action: 'decline' };
      },
      sample: () => Promise.reject(new Error('not asked')),
      roots: async () => [],
    }),
  });
  onTestFinished(() => service.close());
  const record = approved({ type: 'streamableHttp', baseUrl: String(url), ...options.config });
  await service.setServer(record);
  const parked: Continuation[] = [];
  const hooks = {
    onParked: async (continuation: Continuation) => {
      await Promise.resolve();
      steps.push('parked');
      parked.push(JSON.parse(JSON.stringify(continuation)) as Continuation);
    },
    onUnparked: async () => {
      await Promise.resolve();
      steps.push('unparked');
    },
  };
  const call = (more: object = {}) =>
    callTool(service, record.id, 'act', {}, { ...hooks, ...more });
  return { service, record, steps, parked, call };
}

describe('a call that waits', () => {
  it('is parked before anything is asked, and unparked before anything is sent', async () => {
    const { steps, call } = await begin();
    expect((await call()).content).toEqual(done.content);
    expect(steps).toEqual(['sent', 'parked', 'asked 1/who', 'unparked', 'sent']);
  });

  it('is not sent if it could not be unparked', async () => {
    const { steps, call } = await begin();
    const onUnparked = () => Promise.reject(new Error('the disk is full'));
    await expect(call({ onUnparked })).rejects.toThrow('the disk is full');
    expect(steps).toEqual(['sent', 'parked', 'asked 1/who']);
  });

  it('goes on from where it stood, with its state as it was, and is not called anew', async () => {
    const sent: unknown[] = [];
    const { steps, parked, call } = await begin({
      'tools/call': ({ params }) => {
        sent.push(params.requestState);
        return params.requestState ? done : parkingState('Who?');
      },
    });
    await call({ onUnparked: () => Promise.reject(new Error('ended')) }).catch(() => undefined);
    steps.length = 0;
    expect((await call({ resume: parked[0] })).content).toEqual(done.content);
    expect(steps).toEqual(['asked 1/who', 'unparked']);
    expect(sent).toEqual([undefined, oddState]);
  });

  it('gives its answers to nobody but the server that asked', async () => {
    const { steps, call } = await begin();
    const wait = { kind: 'input', round: 1, requestState: 'x' };
    await expect(call({ resume: { server: 'another', wait } })).rejects.toMatchObject({
      code: 'outcome_unknown',
      message: 'test was changed while this call was waiting.',
    });
    expect(steps).toEqual([]);
  });

  it('is not called anew where its server speaks an older version now', async () => {
    const { record, steps, call } = await begin({
      'server/discover': () => {
        throw new Refusal(-32601, 'Method not found');
      },
      initialize: () => ({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'old', version: '1' },
      }),
    });
    const wait = { kind: 'input', round: 1, requestState: 'x' };
    const resume = { server: launchHash(record.config), wait };
    await expect(call({ resume })).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(steps).toEqual(['unparked']);
  });

  it('goes on at a new process when the old one died meanwhile', async () => {
    const cleanups: (() => Promise<unknown>)[] = [];
    const { home } = await temporaryFolder(cleanups);
    onTestFinished(async () => {
      for (const cleanup of cleanups) await cleanup();
    });
    const journal = join(home, 'calls.jsonl');
    const args = [join(import.meta.dirname, '../../../test/fakes/parking-server.ts'), journal];
    const ended = Promise.withResolvers<void>();
    const service = testService({
      answers: () => ({
        elicit: async () => {
          const [tree] = (await service.diagnose(record.id)).processes;
          process.kill(tree?.pid ?? 0, 'SIGKILL');
          await ended.promise;
          return { action: 'decline' };
        },
        sample: () => Promise.reject(new Error('not asked')),
        roots: async () => [],
      }),
      onStatus: (_id, { state }) => state === 'reconnecting' && ended.resolve(),
    });
    onTestFinished(() => service.close());
    const record = approved({ type: 'stdio', command: process.execPath, args });
    await service.setServer(record);
    const { content } = await callTool(service, record.id, 'order');
    expect(content).toEqual([{ type: 'text', text: '{"who":{"action":"decline"}}' }]);
    const lines = (await readFile(journal, 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).params.requestState)).toEqual([
      undefined,
      oddState,
    ]);
  });
});

describe('a task that is left when the host ends', () => {
  it('is parked before it is asked for, and is not cancelled', async () => {
    const { promise: polled, resolve } = Promise.withResolvers<void>();
    const { steps, parked, call } = await begin({
      'tools/call': () => ({ resultType: 'task', ...task }),
      'tasks/get': () => {
        steps.push('polled');
        resolve();
        return task;
      },
      'tasks/cancel': () => {
        steps.push('cancelled');
        return {};
      },
    });
    const controller = new AbortController();
    const left = expect(call({ signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    await polled;
    controller.abort(shutdownReason);
    await left;
    expect(steps.slice(0, 2)).toEqual(['parked', 'polled']);
    expect(steps).not.toContain('cancelled');
    expect(parked).toMatchObject([{ wait: { kind: 'task', taskId: 't-1', legacy: false } }]);
  });
});
