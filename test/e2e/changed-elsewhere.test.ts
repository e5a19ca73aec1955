import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import type { Assistant } from '#shared/vocabulary/message.ts';
import type { Provider } from '#shared/vocabulary/model.ts';
import type { PolicyDocument, PolicyRule } from '#shared/vocabulary/policy-api.ts';
import { hasChromium } from '../chromium.ts';
import { startFakeOpenAi } from '../fakes/fake-openai.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { named, t } from './texts.ts';

/** Pages ask the host in their own time. */
const patience = { timeout: 20_000 };
const hostile = join(import.meta.dirname, '../fakes/hostile-server.ts');

describe.skipIf(!hasChromium())(
  'a page that was opened before something was changed elsewhere',
  () => {
    const visit = opener();
    let app: App;
    let page: Page;
    const change = (path: string, body: object) => app.api(path, { method: 'PATCH', body });

    beforeAll(async () => {
      ({ app, page } = await visit.page({ context: { blank: true } }));
    });

    it('switches one tool, and no other', async () => {
      const args = [hostile, JSON.stringify({ tools: ['echo', 'find'] })];
      const body = { type: 'stdio', name: 'tools', command: process.execPath, args };
      const { id, launchHash } = await app.api<ServerView>('/servers', { method: 'POST', body });
      await app.api(`/servers/${id}/approve`, { method: 'POST', body: { launchHash } });
      await app.api(`/servers/${id}/connect`, { method: 'POST' });
      await page.goto(`${app.url}/servers`);
      await cardOf('tools').getByRole('button').first().click();
      const find = page.getByTestId('tool').filter({ hasText: 'find' }).getByTestId('tool-enabled');
      await find.waitFor();
      await change(`/servers/${id}`, { disabledTools: ['echo'] });
      await find.click();
      const disabled = async () => (await config(id))['disabledTools'];
      await expect.poll(disabled, patience).toContain('find');
      expect(await disabled()).toEqual(['echo', 'find']);
    });

    it('changes one header of a server, and no other', async () => {
      const headers = { First: '1', Second: '2' };
      const body = { type: 'streamableHttp', name: 'far', baseUrl: 'http://127.0.0.1:9/', headers };
      const { id } = await app.api<ServerView>('/servers', { method: 'POST', body });
      await page.goto(`${app.url}/servers`);
      await cardOf('far').getByRole('button', named('servers.edit')).click();
      await page.getByLabel(t('servers.rowValue', { n: 1 }), { exact: true }).fill('one');
      const hidden = ((await config(id))['headers'] as Record<string, string>)['First'];
      await change(`/servers/${id}`, { headers: { First: hidden, Third: '3' } });
      await page.getByRole('button', named('common.save')).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(Object.keys((await config(id))['headers'] as object)).toEqual(['First', 'Third']);
    });

    it('shows no server that was removed, and a large drawing as its small logo before', async () => {
      const body = { type: 'stdio', name: 'pictured', command: 'node', args: ['x'] };
      const { id } = await app.api<ServerView>('/servers', { method: 'POST', body });
      await page.goto(`${app.url}/servers`);
      await cardOf('pictured').getByTestId('edit-server').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(t('servers.more'), { exact: true }).click();
      const shapes = '<rect width="9" height="9" fill="green"/>'.repeat(3000);
      const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${shapes}</svg>`;
      const file = { name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) };
      await dialog.getByTestId('logo-file').setInputFiles(file);
      const logo = await dialog.getByTestId('logo').getAttribute('src');
      expect(logo).toMatch(/^data:image\/png;base64,/);
      await dialog.getByTestId('save-server').click();
      await cardOf('pictured').locator('img').waitFor();
      // It still waits for its approval.
      await dialog.getByRole('button', named('common.cancel')).click();
      await app.api(`/servers/${id}`, { method: 'DELETE' });
      await cardOf('pictured').waitFor({ state: 'detached' });
    });

    it('hides one model of a provider, and sets its key, and nothing else', async () => {
      const fake = await startFakeOpenAi(['one', 'two', 'three']);
      try {
        const body = { name: 'fake', baseUrl: fake.baseUrl, models: ['one', 'two', 'three'] };
        const { id } = await app.api<Provider>('/providers', { method: 'POST', body });
        const provider = async () =>
          (await app.api<{ providers: Provider[] }>('/providers')).providers.find(
            (one) => one.id === id,
          );
        await page.goto(`${app.url}/settings/models`);
        await page.getByRole('button', named('settings.modelsOf')).click();
        const two = page.getByRole('switch', { name: 'two' });
        await two.waitFor();
        await change(`/providers/${id}`, { hidden: ['one'] });
        await two.click();
        await expect.poll(async () => (await provider())?.hidden, patience).toContain('two');
        expect((await provider())?.hidden).toEqual(['one', 'two']);

        await page.getByRole('button', named('settings.editProvider', { name: 'fake' })).click();
        await page.getByTestId('provider-key').fill('sk-new');
        await change(`/providers/${id}`, { models: ['one', 'two', 'four'] });
        await page.getByRole('button', named('common.save')).click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        expect(await provider()).toMatchObject({ models: ['one', 'two', 'four'], hasKey: true });
      } finally {
        await fake.close();
      }
    });

    it('names an assistant anew, and leaves what it is told', async () => {
      const body = { name: 'Old name', systemPrompt: 'old words' };
      const { id } = await app.api<Assistant>('/assistants', { method: 'POST', body });
      await page.goto(app.url);
      await page.getByTestId('assistant-picker').click();
      await page.getByRole('option', { name: 'Old name' }).click();
      await page.getByTestId('assistant-picker').click();
      await page.getByRole('button', named('composer.editAssistant', { name: 'Old name' })).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', named('composer.name')).fill('New name');
      await change(`/assistants/${id}`, { systemPrompt: 'new words' });
      await dialog.getByRole('button', named('common.save')).click();
      await dialog.waitFor({ state: 'detached' });
      const { assistants } = await app.api<{ assistants: Assistant[] }>('/assistants');
      expect(assistants.find((one) => one.id === id)).toMatchObject({
        name: 'New name',
        systemPrompt: 'new words',
      });
    });

    it('sets the addresses of the host, and leaves the engine that searches the web', async () => {
      await page.goto(`${app.url}/settings/host`);
      await page.getByRole('textbox', named('settings.fetch')).fill('10.0.0.7');
      const webSearch = { kind: 'searxng', url: 'https://search.example/' };
      await app.api('/settings', { method: 'PUT', body: { fetchAllow: [], webSearch } });
      await page.getByRole('button', named('common.save')).click();
      await page.getByText(t('settings.saved'), { exact: true }).waitFor();
      expect(await app.api('/settings')).toEqual({ fetchAllow: ['10.0.0.7'], webSearch });
    });

    it('says in the editor of a rule that the rules have changed, and never replaces another', async () => {
      const write = (rules: PolicyRule[]) =>
        app.api<PolicyDocument>('/policy', {
          method: 'PUT',
          body: { rules, trustedServers: [], safeToRepeat: [] },
        });
      const { rules } = await write([
        { action: 'deny', note: 'first' },
        { action: 'ask', note: 'second' },
      ]);
      await page.goto(`${app.url}/settings/approvals`);
      const row = page.getByTestId('policy-rule').filter({ hasText: 'second' });
      await row.getByRole('button', named('common.edit')).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('radio', named('policy.actions.allow')).check();
      await write([{ action: 'deny', note: 'new' }, ...rules]);
      await page.getByRole('button', named('common.save')).click();
      await dialog.getByText(t('policy.conflict')).waitFor();
      await dialog.getByText(t('policy.conflictInRule')).waitFor();
      await page.getByRole('button', named('common.save')).click();
      await dialog.waitFor({ state: 'detached' });
      const kept = (await app.api<PolicyDocument>('/policy')).rules;
      expect(kept.map(({ action, note }) => `${action} ${note}`)).toEqual([
        'deny new',
        'deny first',
        'allow second',
      ]);
    });

    const cardOf = (name: string) =>
      page.getByTestId('server').filter({ has: page.getByText(name, { exact: true }) });
    const config = async (id: string) =>
      (await app.api<ServerView>(`/servers/${id}`)).config as Record<string, unknown>;
  },
);
