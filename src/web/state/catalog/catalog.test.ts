import { afterAll, describe, expect, it, vi } from 'vitest';
import { loadAssistants, loadModels, loadProviders, useCatalog } from './catalog.ts';

const lists = [
  ['assistants', loadAssistants],
  ['models', loadModels],
  ['providers', loadProviders],
] as const;

afterAll(() => {
  vi.unstubAllGlobals();
});

describe('the lists that a conversation is given', () => {
  it.for(lists)('show the %s as they are, whichever answer comes last', async ([name, load]) => {
    let host = ['old'];
    const first = Promise.withResolvers<void>();
    let isFirst = true;
    vi.stubGlobal('fetch', async (path: string) => {
      const body = { vendors: [], [name]: host };
      if (isFirst && path === `/api/${name}`) {
        isFirst = false;
        await first.promise;
      }
      return Response.json(body);
    });
    const before = load();
    host = ['new'];
    const after = load();
    queueMicrotask(first.resolve);
    await Promise.all([before, after]);
    expect(useCatalog.getState()[name]).toEqual(['new']);
  });
});
