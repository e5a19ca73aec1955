import type { Locator, Page, Request } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { answers, ask, ended, topicOf } from './page.ts';
import { named } from './texts.ts';

describe.skipIf(!hasChromium())('what is sent from the page', () => {
  const visit = opener();
  let app: App;
  let page: Page;

  beforeAll(async () => {
    ({ app, page } = await visit.page({ context: { reducedMotion: 'reduce' } }));
  });
  beforeEach(() => page.unrouteAll());

  /** Keeps requests back until they are let go, and says how many there were. */
  async function hold(method: string, path: RegExp) {
    const { promise: letGo, resolve: release } = Promise.withResolvers<void>();
    const held: Request[] = [];
    await page.route(path, async (route) => {
      if (route.request().method() !== method) return route.fallback();
      held.push(route.request());
      await letGo;
      await route.continue();
    });
    return { held, release };
  }

  /** Clicks twice and presses Enter as if once were not enough, and lets the host answer then. */
  async function sendTwice(button: Locator, path: RegExp): Promise<number> {
    const { held, release } = await hold('POST', path);
    await button.click();
    await expect.poll(() => held.length).toBe(1);
    await button.click();
    await button.press('Enter');
    release();
    await button.waitFor({ state: 'detached' });
    return held.length;
  }

  const forms: [what: string, path: string, open: () => Promise<void>, button: string][] = [
    [
      'servers',
      '/servers',
      async () => {
        await page.getByRole('button', named('servers.add')).click();
        await page.getByRole('textbox', named('servers.formName')).fill('once');
        await page.getByRole('textbox', named('servers.command')).fill('true');
      },
      'create-server',
    ],
    [
      'providers',
      '/settings/models',
      async () => {
        await page.getByRole('button', named('settings.addProvider')).click();
        await page.getByTestId('vendor-search').fill('deeps');
        await page.getByRole('button', { name: 'DeepSeek' }).click();
        await page.getByTestId('provider-key').fill('sk-once');
      },
      'save-provider',
    ],
    [
      'keys',
      '/settings/account',
      async () => {
        await page.getByRole('button', named('people.addKey')).click();
        await page.getByRole('textbox', named('people.keyName')).fill('once');
      },
      'save-key',
    ],
    [
      'users',
      '/settings/people',
      async () => {
        await page.getByRole('button', named('people.addPerson')).click();
        await page.getByRole('textbox', named('people.name')).fill('once');
      },
      'save-person',
    ],
  ];
  it.for(forms)('is one of the %s, however often it is clicked', async (form) => {
    const [what, path, fill, button] = form;
    await page.goto(app.url + path);
    await fill();
    expect(await sendTwice(page.getByTestId(button), new RegExp(`/api/${what}$`))).toBe(1);
  });

  it('is one assistant, however often it is clicked', async () => {
    await page.goto(app.url);
    await page.getByTestId('assistant-picker').click();
    await page.getByRole('button', named('composer.newAssistant')).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', named('composer.name')).fill('Once');
    const save = dialog.getByRole('button', named('common.save'));
    expect(await sendTwice(save, /\/api\/assistants$/)).toBe(1);
  });

  it('is one new answer, however often it is asked for', async () => {
    await page.goto(app.url);
    await ask(page, 'hello');
    const topicId = await topicOf(page);
    const { held, release } = await hold('POST', /\/regenerate$/);
    const again = answers(page).getByRole('button', named('message.regenerate'));
    await again.dblclick();
    await expect.poll(() => held.length).toBe(1);
    await again.click();
    release();
    await page.getByTestId('version').getByText('2/2').waitFor();
    await ended(page, 0);
    expect(held).toHaveLength(1);
    expect((await app.conversation(topicId)).messages).toHaveLength(3);
  });

  it('closes no other dialog when it arrives late', async () => {
    const body = { name: 'late', baseUrl: 'http://127.0.0.1:9/v1', models: ['one'] };
    await app.api('/providers', { method: 'POST', body });
    await page.goto(`${app.url}/settings/models`);
    await page.getByRole('button', named('settings.editProvider', { name: 'late' })).click();
    await page.getByTestId('provider-key').fill('sk-late');
    const { held, release } = await hold('PATCH', /\/api\/providers\//);
    await page.getByRole('button', named('common.save')).click();
    await expect.poll(() => held.length).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', named('settings.addProvider')).click();
    await page.getByTestId('vendor-search').fill('deeps');
    const reread = page.waitForResponse(/\/api\/providers$/);
    release();
    await reread;
    expect(await page.getByTestId('vendor-search').inputValue()).toBe('deeps');
  });

  it('says that it was refused where its dialog is closed by then', async () => {
    const body = { type: 'stdio', name: 'refused', command: 'true' };
    await app.api('/servers', { method: 'POST', body });
    await page.goto(`${app.url}/servers`);
    const card = page.getByTestId('server').filter({ hasText: 'refused' });
    await card.getByRole('button', named('servers.edit')).click();
    await page.getByRole('textbox', named('servers.formName')).fill('twice');
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const error = { code: 'invalid_server', message: 'No such name.' };
    await page.route(/\/api\/servers\/[^/]+$/, async (route) => {
      if (route.request().method() !== 'PATCH') return route.fallback();
      await closed;
      await route.fulfill({ status: 400, json: { error } });
    });
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByRole('button', named('common.save')).click();
    await sent;
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    close();
    await page.getByText('No such name.').waitFor();
  });
});
