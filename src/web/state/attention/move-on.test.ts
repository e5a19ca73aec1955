import { describe, expect, it } from 'vitest';
import { moveOn, type Progress } from './move-on.ts';

const topic = (id: string, isLoading: boolean, updatedAt = 1000) => ({
  id,
  isLoading,
  updatedAt,
  activeLeafId: `${id}-answer`,
});
const nothing: Progress = { running: {}, ended: {} };

describe('how far answers are', () => {
  it('an answer that runs is known from its beginning', () => {
    const { progress, ended } = moveOn(nothing, [topic('a', true, 900)], 1000);
    expect(progress).toEqual({ running: { a: 900 }, ended: {} });
    expect(ended).toEqual([]);
    const later = moveOn(progress, [topic('a', true, 5000)], 6000);
    expect(later.progress.running).toEqual({ a: 900 });
  });

  it('the clock of another machine makes nothing begin in the future', () => {
    expect(moveOn(nothing, [topic('a', true, 9000)], 1000).progress.running).toEqual({ a: 1000 });
  });

  it('one that ran and no longer does has ended, once, and is told with its time', () => {
    const before = { running: { a: 1000, b: 1000 }, ended: {} };
    const { progress, ended } = moveOn(before, [topic('a', false), topic('b', true)], 31_000);
    expect(ended).toEqual([{ topicId: 'a', answerId: 'a-answer', tookMs: 30_000 }]);
    expect(progress).toEqual({ running: { b: 1000 }, ended: { a: 31_000 } });
    expect(moveOn(progress, [topic('a', false)], 40_000).ended).toEqual([]);
  });

  it('a conversation that answers again has not ended', () => {
    const before = { running: {}, ended: { a: 500 } };
    expect(moveOn(before, [topic('a', true)], 2000).progress.ended).toEqual({});
  });

  it('what was never seen to run has not ended', () => {
    expect(moveOn(nothing, [topic('a', false)], 2000)).toEqual({ progress: nothing, ended: [] });
  });

  it('what is in no list any more is forgotten after a day, and never more than a hundred are kept', () => {
    const old = { running: { gone: 0 }, ended: {} };
    expect(moveOn(old, [], 23 * 3_600_000).progress.running).toEqual({ gone: 0 });
    expect(moveOn(old, [], 25 * 3_600_000).progress.running).toEqual({});
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`t${at}`, at]));
    const kept = moveOn({ running: {}, ended: many }, [], 1000).progress.ended;
    expect(Object.keys(kept)).toHaveLength(100);
    expect(kept).toHaveProperty('t149');
  });
});
