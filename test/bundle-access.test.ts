// Starts processes.
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { helloBundle, settings } from './fixtures/bundles.ts';
import { openApi } from './fixtures/http.ts';
import { approve, hello, install } from './fixtures/installed-bundles.ts';

describe('the access of a bundle', () => {
  const folder = () => realpathSync(mkdtempSync(join(tmpdir(), 'cerise-')));
  const foldersOf = ({ config }: ServerView) => (config as { access?: object }).access;
  const only = (...paths: string[]) => ({
    files: { folders: paths.map((path) => ({ path, write: true })) },
    network: true,
  });

  it('is its own folder and those in its settings, and follows them', async () => {
    const api = await openApi();
    const [one, two] = [folder(), folder()];
    const values = { api_key: 'k', folders: [one] };
    const server = await install(api, helloBundle('node', settings), { values });
    expect(foldersOf(server)).toEqual(only(one));
    await approve(api, server);
    expect((await hello(api, server)).args).toContain(one);
    const change = (more: object) =>
      api.json<ServerView>('PATCH', `/api/bundles/${server.id}`, { values: more });
    const more = await change({ folders: [one, two] });
    expect(more).toMatchObject({ state: 'draft', config: { access: only(one, two) } });
    expect(foldersOf(await change({ folders: null }))).toMatchObject({ network: true });
  });

  it('stays where somebody chose another', async () => {
    const api = await openApi();
    const server = await install(api, helloBundle('node', settings), { values: { api_key: 'k' } });
    const access = { files: 'own', network: false };
    await api.json('PATCH', `/api/servers/${server.id}`, { access });
    const values = { folders: [folder()] };
    const next = await api.json<ServerView>('PATCH', `/api/bundles/${server.id}`, { values });
    expect(foldersOf(next)).toEqual(access);
  });
});
