import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ServerView, ToolView } from '#shared/api/api.ts';
import { openApi } from './fixtures/http.ts';

const script = join(import.meta.dirname, 'fakes/hostile-server.mjs');
const takes = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});

it('lists with each tool the models that are not offered it, and why', async () => {
  const scenario = {
    tools: ['echo', 'find', 'page', 'monstrous'],
    schemas: { find: takes('filter[id]'), page: takes('max-results') },
  };
  const api = await openApi();
  const { id, launchHash } = await api.json<ServerView>('POST', '/api/servers', {
    name: 'odd',
    command: process.execPath,
    args: [script, JSON.stringify(scenario)],
    disabledTools: ['page'],
  });
  await api.json('POST', `/api/servers/${id}/approve`, { launchHash });
  const { tools } = await api.json<{ tools: ToolView[] }>('GET', `/api/servers/${id}/tools`);
  const shown = Object.fromEntries(tools.map(({ name, leftOut }) => [name, leftOut]));
  const deep = expect.stringContaining('levels deep');
  expect(shown).toMatchObject({
    echo: undefined,
    find: [
      { dialect: 'anthropic', reason: expect.stringContaining('filter[id]') },
      { dialect: 'google', reason: expect.stringContaining('filter[id]') },
    ],
    page: [{ dialect: 'google', reason: expect.stringContaining('max-results') }],
    monstrous: ['openai', 'anthropic', 'google'].map((dialect) => ({ dialect, reason: deep })),
  });
});
