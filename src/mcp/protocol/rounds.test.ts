import { afterEach, describe, expect, it, vi } from 'vitest';
import { CeriseError } from '#shared/errors/errors.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { RpcError } from './messages.ts';
import type { Rounds } from './round-trip.ts';
import { complete } from './rounds.ts';

/** Sends by a script of results and keeps what was sent. */
function scripted(results: (JsonObject | Error)[], parts: Partial<Rounds> = {}) {
  const sent: { method: string; params: JsonObject }[] = [];
  const rounds: Rounds = {
    send: async (method, params) => {
      sent.push({ method, params });
      const next = results.shift() ?? {};
      if (next instanceof Error) throw next;
      return next;
    },
    answer: async (method, params) => ({ answered: method, ...params }),
    limits: { total: 1000 },
    ...parts,
  };
  return { rounds, sent };
}

afterEach(() => void vi.useRealTimers());

describe('a request that needs input', () => {
  it('is sent again with all answers by their keys and the state byte for byte', async () => {
    const state = '{"weird": "\\u0000 ünï ==" }';
    const { rounds, sent } = scripted([
      {
        resultType: 'input_required',
        requestState: state,
        inputRequests: {
          one: { method: 'elicitation/create', params: { message: 'Hi' } },
          two: { method: 'roots/list' },
        },
      },
      { resultType: 'complete', content: [] },
    ]);
    const result = await complete('tools/call', { name: 'x' }, rounds);
    expect(result).toMatchObject({ content: [] });
    expect(sent[0]?.params).toEqual({ name: 'x' });
    expect(sent[1]).toEqual({
      method: 'tools/call',
      params: {
        name: 'x',
        requestState: state,
        inputResponses: {
          one: { answered: 'elicitation/create', message: 'Hi' },
          two: { answered: 'roots/list' },
        },
      },
    });
  });

  it('carries no state from an earlier round, and none that was not given', async () => {
    const { rounds, sent } = scripted([
      { resultType: 'input_required', requestState: 'one' },
      { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } },
      {},
    ]);
    await complete('prompts/get', {}, rounds);
    expect(sent.map(({ params }) => params)).toEqual([
      {},
      { requestState: 'one' },
      { inputResponses: { a: { answered: 'roots/list' } } },
    ]);
  });

  it.each([
    ['for ever', { resultType: 'input_required', requestState: 'x' }, 'call_limit'],
    [
      'with a huge state',
      { resultType: 'input_required', requestState: 'x'.repeat(2 ** 20 + 1) },
      'result_too_large',
    ],
    ['unreadably', { resultType: 'input_required', inputRequests: [] }, 'unreadable_response'],
    [
      'for nothing',
      { resultType: 'input_required', inputRequests: { a: {} } },
      'unreadable_response',
    ],
    ['in an unknown way', { resultType: 'other' }, 'unreadable_response'],
  ])('fails cleanly when it asks %s (T28)', async (_how, result, code) => {
    const { rounds, sent } = scripted(Array.from({ length: 1000 }, () => result as JsonObject));
    await expect(complete('tools/call', {}, rounds)).rejects.toMatchObject({ code });
    expect(sent.length).toBeLessThanOrEqual(11);
  });

  it.each([
    ['tools/list', 'input_required'],
    ['tools/list', 'task'],
    ['prompts/get', 'task'],
  ])('is none if it is %s, and fails then with a result of the kind %s', async (method, kind) => {
    const { rounds, sent } = scripted([{ resultType: kind, taskId: 't', requestState: 's' }]);
    await expect(complete(method, {}, rounds)).rejects.toMatchObject({
      code: 'unreadable_response',
    });
    expect(sent).toHaveLength(1);
  });

  it('is none for an old server, whatever words its results have', async () => {
    const result = { content: [], resultType: 'input_required', retry: true };
    const { rounds, sent } = scripted([result], { legacy: true });
    expect(await complete('tools/call', {}, rounds)).toEqual(result);
    expect(sent).toHaveLength(1);
  });

  it('treats a result without a type as complete', async () => {
    const { rounds } = scripted([{ content: [] }]);
    expect(await complete('tools/call', {}, rounds)).toEqual({ content: [] });
  });
});

describe('a server of 2025-11-25 that wants a page visited first', () => {
  const wanted = new RpcError({
    code: -32042,
    message: 'visit',
    data: { elicitations: [{ mode: 'url', url: 'https://a.example', elicitationId: '1' }] },
  });

  it('is asked again when the person went there', async () => {
    const { rounds, sent } = scripted([wanted, { content: [] }], {
      answer: async () => ({ action: 'accept' }),
    });
    await complete('tools/call', {}, rounds);
    expect(sent).toHaveLength(2);
  });

  it('is not asked again when the person did not', async () => {
    const { rounds, sent } = scripted([wanted], { answer: async () => ({ action: 'decline' }) });
    await expect(complete('tools/call', {}, rounds)).rejects.toMatchObject({ code: 'cancelled' });
    expect(sent).toHaveLength(1);
  });
});

describe('a task', () => {
  const task = { resultType: 'task', taskId: 't', status: 'working', pollIntervalMs: 500 };

  it('is asked for until it has its result, its questions are answered once', async () => {
    vi.useFakeTimers();
    const question = { a: { method: 'elicitation/create', params: { message: 'Sure?' } } };
    const { rounds, sent } = scripted([
      task,
      { taskId: 't', status: 'input_required', inputRequests: question },
      {},
      { taskId: 't', status: 'input_required', inputRequests: question },
      { taskId: 't', status: 'completed', result: { content: [{ type: 'text', text: 'ok' }] } },
    ]);
    const result = complete('tools/call', {}, rounds);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await result).toEqual({ content: [{ type: 'text', text: 'ok' }] });
    expect(sent.map(({ method }) => method)).toEqual([
      'tools/call',
      'tasks/get',
      'tasks/update',
      'tasks/get',
      'tasks/get',
    ]);
  });

  it.each([
    [{ status: 'failed', error: { code: -32000, message: 'broke' } }, { message: 'broke' }],
    [{ status: 'cancelled' }, { code: 'cancelled' }],
    [{ status: 'odd' }, { code: 'unreadable_response' }],
  ])('that ends as %j fails', async (end, failure) => {
    vi.useFakeTimers();
    const { rounds } = scripted([task, end]);
    const ended = expect(complete('tools/call', {}, rounds)).rejects.toMatchObject(failure);
    await vi.advanceTimersByTimeAsync(2000);
    await ended;
  });

  it('is asked for again when its server cannot be reached for a moment', async () => {
    vi.useFakeTimers();
    const lost = new CeriseError('connection_lost', 'gone');
    const done = { status: 'completed', result: { content: [] } };
    const { rounds } = scripted([task, lost, lost, done]);
    const result = complete('tools/call', {}, rounds);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await result).toEqual({ content: [] });
  });

  it('is given up when its server stays away', async () => {
    vi.useFakeTimers();
    const lost = Array.from({ length: 10 }, () => new CeriseError('connection_lost', 'gone'));
    const { rounds, sent } = scripted([task, ...lost]);
    const ended = expect(complete('tools/call', {}, rounds)).rejects.toMatchObject({
      code: 'connection_lost',
    });
    await vi.advanceTimersByTimeAsync(60_000);
    await ended;
    expect(sent.length).toBeLessThan(9);
  });

  it.each([-32602, -32601, -32002])('has no known outcome when it is gone (%i)', async (code) => {
    vi.useFakeTimers();
    const { rounds, sent } = scripted([task, new RpcError({ code, message: 'no such task' })]);
    const ended = expect(complete('tools/call', {}, rounds)).rejects.toMatchObject({
      code: 'outcome_unknown',
    });
    await vi.advanceTimersByTimeAsync(60_000);
    await ended;
    expect(sent).toHaveLength(2);
  });

  it('has no known outcome when its server only says that something is wrong', async () => {
    vi.useFakeTimers();
    const wrong = Array.from({ length: 10 }, () => new RpcError({ code: -32603, message: 'oh' }));
    const { rounds } = scripted([task, ...wrong]);
    const ended = expect(complete('tools/call', {}, rounds)).rejects.toMatchObject({
      code: 'outcome_unknown',
    });
    await vi.advanceTimersByTimeAsync(60_000);
    await ended;
  });

  it('is cancelled at the server when the call is aborted', async () => {
    vi.useFakeTimers();
    const stop = new AbortController();
    const { rounds, sent } = scripted([task], { signal: stop.signal });
    const ended = expect(complete('tools/call', {}, rounds)).rejects.toMatchObject({
      code: 'cancelled',
    });
    await vi.advanceTimersByTimeAsync(100);
    stop.abort();
    await ended;
    expect(sent.at(-1)).toEqual({ method: 'tasks/cancel', params: { taskId: 't' } });
  });
});

describe('a task of 2025-11-25', () => {
  const created = { task: { taskId: 't', status: 'working', pollInterval: 500 } };
  const asTask = { name: 'x', task: {} };

  it('is asked for, then its result is', async () => {
    vi.useFakeTimers();
    const heard: string[] = [];
    const { rounds, sent } = scripted(
      [
        created,
        { taskId: 't', status: 'working', statusMessage: 'half' },
        { taskId: 't', status: 'completed' },
        { content: [{ type: 'text', text: 'ok' }] },
      ],
      { legacy: true, onStatus: (message) => void heard.push(message) },
    );
    const result = complete('tools/call', asTask, rounds);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await result).toEqual({ content: [{ type: 'text', text: 'ok' }] });
    expect(sent.map(({ method }) => method)).toEqual([
      'tools/call',
      'tasks/get',
      'tasks/get',
      'tasks/result',
    ]);
    expect(heard).toEqual(['half']);
  });

  it('is none where the server answered at once, or where none was asked for', async () => {
    const result = { content: [] };
    const asked = scripted([result], { legacy: true });
    expect(await complete('tools/call', asTask, asked.rounds)).toEqual(result);
    const notAsked = scripted([created], { legacy: true });
    expect(await complete('tools/call', { name: 'x' }, notAsked.rounds)).toEqual(created);
  });

  it('that needs input is waited for by its result', async () => {
    const waiting = { task: { taskId: 't', status: 'input_required' } };
    const { rounds, sent } = scripted([waiting, { content: [] }], { legacy: true });
    expect(await complete('tools/call', asTask, rounds)).toEqual({ content: [] });
    expect(sent.at(-1)?.method).toBe('tasks/result');
  });

  it('that the server cancels fails', async () => {
    const { rounds } = scripted([{ task: { taskId: 't', status: 'cancelled' } }], { legacy: true });
    await expect(complete('tools/call', asTask, rounds)).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});
