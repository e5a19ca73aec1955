import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const topic = (isLoading: boolean) => ({
  id: 'a',
  isLoading,
  updatedAt: 1000,
  activeLeafId: 'answer',
});

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.resetModules();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

it('an end that is seen the moment it comes stays seen, here and for other tabs', async () => {
  const { followLists, seeEnd, useProgress } = await import('./progress.ts');
  useProgress.subscribe(() => seeEnd('a'));
  followLists([topic(true)], 2000);
  expect(followLists([topic(false)], 3000)).toHaveLength(1);
  expect(useProgress.getState().ended).toEqual({});
  expect(JSON.parse(localStorage.getItem('cerise.progress') ?? '')).toMatchObject({ ended: {} });
});

it('an end that another tab has seen is not brought back', async () => {
  const { followLists, useProgress } = await import('./progress.ts');
  followLists([topic(true)], 2000);
  followLists([topic(false)], 3000);
  localStorage.setItem('cerise.progress', JSON.stringify({ running: {}, ended: {} }));
  followLists([{ ...topic(true), id: 'b' }], 4000);
  expect(useProgress.getState().ended).toEqual({});
});

it('nothing is shown of what was kept wrongly', async () => {
  localStorage.setItem('cerise.progress', '{"running":[],"ended":{"a":"x","b":5}}');
  const { useProgress } = await import('./progress.ts');
  expect(useProgress.getState()).toEqual({ running: {}, ended: { b: 5 } });
});
