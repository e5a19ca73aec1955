import { describe, expect, it, vi } from 'vitest';
import { armFault, fault, faultPoints } from './fault.ts';

describe('a fault on purpose', () => {
  it('does nothing anywhere unless it is armed', () => {
    for (const point of Object.keys(faultPoints) as (keyof typeof faultPoints)[])
      expect(fault(point)).toBeUndefined();
  });

  it('happens the n-th time its point is passed, and only then', () => {
    const kill = vi.fn();
    armFault('answer-ended:3:kill', kill);
    for (let time = 1; time <= 5; time += 1) {
      void fault('answer-ending');
      void fault('answer-ended');
      expect(kill).toHaveBeenCalledTimes(time < 3 ? 0 : 1);
    }
  });

  it('is a bug, or a full disk, that is thrown before the call returns', () => {
    armFault('journal-tick:1:throw', vi.fn());
    expect(() => fault('journal-tick')).toThrow('on purpose at journal-tick');
    armFault('journal-tick:1:full', vi.fn());
    expect(() => fault('journal-tick')).toThrow(expect.objectContaining({ code: 'disk_full' }));
    expect(fault('journal-tick')).toBeUndefined();
  });

  it('is a delay of two seconds', async () => {
    vi.useFakeTimers();
    try {
      armFault('model-stream:1:delay', vi.fn());
      const passed = vi.fn();
      void fault('model-stream')?.then(passed);
      await vi.advanceTimersByTimeAsync(1_999);
      expect(passed).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(passed).toHaveBeenCalled();
    } finally {
      vi.useRealTimers();
    }
  });

  it.each(['', 'nowhere:1:kill', 'constructor:1:kill', 'answer-ended:0:kill'])(
    'is not %j',
    (spec) => {
      expect(() => armFault(spec, vi.fn())).toThrow(
        expect.objectContaining({ code: 'bad_setting' }),
      );
      expect(fault('answer-ended')).toBeUndefined();
    },
  );

  it.each([
    'answer-ended',
    'answer-ended:1:explode',
    'answer-ended:1:kill:2',
    'answer-ended:x:kill',
  ])('is not %j either', (spec) => {
    expect(() => armFault(spec, vi.fn())).toThrow('is not a fault');
  });

  it('refuses an unknown point with the list of all', () => {
    expect(() => armFault('nowhere:1:kill', vi.fn())).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('take-over') }),
    );
  });
});
