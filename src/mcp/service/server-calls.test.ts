import { describe, expect, it } from 'vitest';
import { ServerCalls } from './server-calls.ts';

describe('ServerCalls', () => {
  it('refuses an id that runs and takes it again afterwards', () => {
    const calls = new ServerCalls();
    calls.begin('a');
    expect(() => calls.begin('a')).toThrowError(expect.objectContaining({ code: 'conflict' }));
    expect(calls.size).toBe(1);
    calls.end('a');
    expect(calls.size).toBe(0);
    expect(calls.begin('a').signal.aborted).toBe(false);
  });

  it('aborts the call of an id, or all', () => {
    const calls = new ServerCalls();
    const [one, two, three] = ['1', '2', '3'].map((id) => calls.begin(id));
    expect(calls.abort('2')).toBe(true);
    expect([one?.signal.aborted, two?.signal.aborted, three?.signal.aborted]).toEqual([
      false,
      true,
      false,
    ]);
    expect(calls.abort('4')).toBe(false);
    calls.abortAll();
    expect([one?.signal.aborted, three?.signal.aborted]).toEqual([true, true]);
  });

  it.each(['__proto__', 'constructor', 'toString', ''])(
    'takes the id "%s" like any other',
    (id) => {
      const calls = new ServerCalls();
      expect(calls.abort(id)).toBe(false);
      const stop = calls.begin(id);
      expect(calls.abort(id)).toBe(true);
      expect(stop.signal.aborted).toBe(true);
      calls.end(id);
      expect(calls.abort(id)).toBe(false);
    },
  );
});
