import { describe, expect, it } from 'vitest';
import { markOf, titleOf } from './tab-title.ts';

const quiet = { name: 'Cherry pie', waiting: 0, finished: false, running: false, live: true };

describe('the title of a tab', () => {
  it('names what is shown', () => {
    expect(titleOf(quiet)).toBe('Cherry pie · Cerise');
    expect(titleOf({ ...quiet, name: '' })).toBe('Cerise');
  });

  it('counts what waits before everything else', () => {
    const all = { ...quiet, waiting: 2, finished: true, running: true };
    expect(titleOf(all)).toBe('(2) Cherry pie · Cerise');
    expect(markOf(all)).toBe('waiting');
    expect(titleOf({ ...all, name: '' })).toBe('(2) Cerise');
    expect(titleOf({ ...all, waiting: 100 })).toBe('(99+) Cherry pie · Cerise');
  });

  it('tells an answer that ended from one that runs', () => {
    expect(titleOf({ ...quiet, finished: true, running: true })).toBe('✓ Cherry pie · Cerise');
    expect(markOf({ ...quiet, finished: true })).toBe('finished');
    expect(titleOf({ ...quiet, running: true })).toBe('… Cherry pie · Cerise');
    expect(markOf({ ...quiet, running: true })).toBe('running');
  });

  it('does not say that an answer runs while nobody can know', () => {
    const away = { ...quiet, running: true, live: false };
    expect(titleOf(away)).toBe('Cherry pie · Cerise');
    expect(markOf(away)).toBe('none');
    expect(markOf({ ...away, waiting: 1 })).toBe('waiting');
  });

  it('lets no name pass for a mark, and draws all of it', () => {
    expect(titleOf({ ...quiet, name: '(3) Pay now' })).toBe('“(3) Pay now” · Cerise');
    expect(titleOf({ ...quiet, name: ' \u200B✓ Done' })).toBe('“✓ Done” · Cerise');
    expect(titleOf({ ...quiet, name: '… more' })).toBe('“… more” · Cerise');
    expect(titleOf({ ...quiet, name: 'a\u202Eb\nc' })).toBe('ab c · Cerise');
    expect(titleOf({ ...quiet, name: 'x'.repeat(500) }).length).toBeLessThan(130);
  });
});
