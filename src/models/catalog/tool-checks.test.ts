import { describe, expect, it } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { ModelAdapter, ModelRequest, ToolCheck } from '#shared/vocabulary/model.ts';
import { checkTools, createToolChecks } from './tool-checks.ts';

const { signal } = new AbortController();

function saying(...chunks: Chunk[]): ModelAdapter & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    requests,
    async *stream(request) {
      requests.push(request);
      yield chunks;
    },
  };
}
const calls = (toolName = 'report_number'): Chunk => ({
  type: 'tool-pending',
  callId: 'c',
  toolName,
  arguments: { number: 7 },
  rawArguments: '{"number":7}',
});
const ends = (finishReason: 'stop' | 'length'): Chunk => ({
  type: 'response-complete',
  finishReason,
});
const fails = (status: number, vendorMessage: string): Chunk => ({
  type: 'error',
  error: { code: 'model_failed', message: 'x', details: { status, vendorMessage } },
});

describe('a tool check', () => {
  it.each<[string, Chunk, ToolCheck]>([
    ['calls the tool', calls(), 'passed'],
    ['calls another one', calls('delete_everything'), 'failed'],
    ['calls with nonsense', { ...calls(), arguments: null } as Chunk, 'failed'],
    ['only talks', ends('stop'), 'failed'],
    ['thinks until there is no room', ends('length'), 'unknown'],
    ['is refused tools', fails(400, 'gemma does not support tools'), 'failed'],
    ['is out of order', fails(500, 'tool runner crashed'), 'unknown'],
    ['cannot be asked', fails(404, 'no such model'), 'unknown'],
  ])('of a model that %s', async (_name, chunk, result) => {
    expect(await checkTools(saying(chunk), signal)).toBe(result);
  });

  it('offers one tool and tells the model to call it', async () => {
    const model = saying(calls());
    await checkTools(model, signal);
    expect(model.requests).toMatchObject([{ tools: [{ name: 'report_number' }] }]);
  });
});

describe('tool checks', () => {
  function remembering(results: Record<string, ToolCheck> = {}) {
    const written = Promise.withResolvers<void>();
    const memory = {
      read: async () => results,
      write: async () => written.resolve(),
    };
    return { memory, written: written.promise };
  }

  it('are made once a model, and remembered', async () => {
    const { memory, written } = remembering({ old: 'failed' });
    const checks = createToolChecks(memory, () => undefined);
    const model = saying(calls());
    const old = saying(calls());
    expect(await checks.result('new')).toBe('unknown');
    for (let times = 0; times < 3; times += 1) {
      checks.start([
        { key: 'old', adapter: async () => old },
        { key: 'new', adapter: async () => model },
      ]);
    }
    await written;
    expect([await checks.result('new'), await checks.result('old')]).toEqual(['passed', 'failed']);
    expect([model.requests.length, old.requests.length]).toEqual([1, 0]);
  });

  it('run one at a time and go on after one that breaks', async () => {
    const { memory, written } = remembering();
    const errors: unknown[] = [];
    const checks = createToolChecks(memory, (error) => errors.push(error));
    let running = 0;
    const slow: ModelAdapter = {
      async *stream() {
        running += 1;
        expect(running).toBe(1);
        await Promise.resolve();
        running -= 1;
        yield [];
        throw new Error('broken');
      },
    };
    checks.start([
      { key: 'a', adapter: async () => slow },
      { key: 'b', adapter: async () => slow },
      { key: 'c', adapter: async () => saying(calls()) },
    ]);
    await written;
    expect(errors).toHaveLength(2);
    expect(await checks.result('a')).toBe('unknown');
  });

  it('end with the host', async () => {
    const begun = Promise.withResolvers<AbortSignal>();
    const checks = createToolChecks(remembering().memory, () => undefined);
    const hanging: ModelAdapter = {
      async *stream(_request, until) {
        begun.resolve(until);
        await new Promise((resolve) => until.addEventListener('abort', resolve));
        yield [{ type: 'error', error: { code: 'cancelled', message: '' } }];
      },
    };
    const never = saying(calls());
    checks.start([
      { key: 'a', adapter: async () => hanging },
      { key: 'b', adapter: async () => never },
    ]);
    const until = await begun.promise;
    checks.close();
    expect(until.aborted).toBe(true);
    expect(never.requests).toEqual([]);
  });
});
