import type { Browser, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { barriers } from './barriers.ts';
import { opener } from './opener.ts';
import { ask, topicOf } from './page.ts';
import { named, t } from './texts.ts';

const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 800 };

describe.skipIf(!hasChromium())('the palette and the shortcuts', () => {
  const visit = opener();
  let app: App;
  let browser: Browser;
  let page: Page;
  let troubles: string[];

  beforeAll(async () => {
    ({ app, browser, page, troubles } = await visit.page({ context: { blank: true } }));
  });
  beforeEach(() => goTo('/'));

  const goTo = async (path: string) => {
    await page.goto(app.url + path);
    await page.getByTestId('user-menu').waitFor();
  };
  const palette = () => page.getByTestId('palette');
  const active = () => palette().locator('[role="option"][data-highlighted]');
  const open = async (query = '') => {
    await page.keyboard.press('Control+k');
    await palette().waitFor();
    await page.keyboard.type(query);
  };
  const close = async () => {
    await page.keyboard.press('Escape');
    await palette().waitFor({ state: 'detached' });
  };
  const shown = () => page.getByTestId('shortcut').evaluateAll(idsOf);

  it('finds a chat by its title and by its text, with the keyboard alone', async () => {
    await ask(page, 'What is 2+2?');
    const topicId = await topicOf(page);
    await app.api(`/topics/${topicId}`, { method: 'PATCH', body: { title: 'Cherry pie' } });
    await page.getByTestId('topic-row').getByText('Cherry pie').waitFor();
    await goTo('/settings/about');
    await open('chpie');
    await active().getByText('Cherry pie').waitFor();
    const query = page.getByTestId('palette-query');
    expect(await query.getAttribute('aria-activedescendant')).toBe(
      await active().getAttribute('id'),
    );
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/t/${topicId}`);
    await palette().waitFor({ state: 'detached' });
    // What only the host knows: the words of the message.
    await goTo('/');
    await open('What is 2+2');
    await palette()
      .getByRole('group', named('palette.groups.found'))
      .getByText('Cherry pie')
      .waitFor();
    await close();
  });

  it('finds a chat by its title that is not in the list of the page', async () => {
    const { id } = await app.api<{ id: string }>('/topics', { method: 'POST', body: {} });
    const body = { title: 'Plums in autumn', archived: true };
    await app.api(`/topics/${id}`, { method: 'PATCH', body });
    await open('autumn');
    const chats = palette().getByRole('group', named('palette.groups.chats'));
    await chats.getByText(body.title).click();
    await page.waitForURL(`**/t/${id}`);
  });

  it('takes what is typed before it has come, and keeps it from the message', async () => {
    const { page: early } = await app.signIn(browser);
    const held = Promise.withResolvers<void>();
    await early.route(/\/assets\/palette-[^/]*\.js$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await early.reload();
    await early.getByTestId('composer').waitFor();
    await early.keyboard.press('Control+k');
    await early.keyboard.type('usagee');
    await early.keyboard.press('Backspace');
    held.resolve();
    const query = early.getByTestId('palette-query');
    await query.waitFor();
    await expect.poll(() => query.inputValue()).toBe('usage');
    await early.keyboard.type('!');
    expect(await query.inputValue()).toBe('usage!');
    await early.keyboard.press('Escape');
    await query.waitFor({ state: 'detached' });
    expect(await early.getByTestId('composer').inputValue()).toBe('');
    await expect.poll(() => focused(early)).toBe('composer');
    await early.context().close();
  });

  it('highlights one row, wherever the pointer rests', async () => {
    await open('settings');
    const rows = palette().getByTestId('option');
    await rows.nth(2).hover();
    await expect.poll(() => rows.nth(2).getAttribute('data-highlighted')).toBe('');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => rows.nth(3).getAttribute('data-highlighted')).toBe('');
    const colours = await rows.evaluateAll((all) =>
      all.map((row) => getComputedStyle(row).backgroundColor),
    );
    expect(new Set(colours.toSpliced(3, 1))).toEqual(new Set(['rgba(0, 0, 0, 0)']));
    await close();
  });

  it('says that an address leads nowhere, with a way back', async () => {
    await page.goto(`${app.url}/nonsense`);
    await page.getByRole('heading', named('chat.noPage')).waitFor();
    await page.getByTestId('no-page').getByRole('link').click();
    await page.waitForURL((url) => url.pathname === '/');
  });

  it('runs commands, goes to settings, and lists first what was chosen last', async () => {
    await open('dark');
    await active()
      .getByText(t('palette.themeIs', { name: t('settings.themeDark') }))
      .waitFor();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate(() => document.documentElement.dataset['theme']))
      .toBe('dark');
    await expect.poll(() => focused(page)).toBe('composer');
    await open();
    const recent = palette().getByRole('group', named('palette.groups.recent'));
    await recent.getByText(t('palette.themeIs', { name: t('settings.themeDark') })).waitFor();
    await page.keyboard.type('usage');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/settings/usage');
    await open('shortcuts');
    await page.keyboard.press('Enter');
    await page.getByTestId('shortcuts').waitFor();
    await page.keyboard.press('Escape');
  });

  it('finds settings by what is in them, and the ways to add something', async () => {
    const settingsPage = (name: string) => t('palette.settingsPage', { name });
    await open(t('people.password'));
    await active()
      .getByText(settingsPage(t('settings.account')))
      .waitFor();
    await close();
    await open(t('data.backup'));
    await active()
      .getByText(settingsPage(t('settings.data')))
      .waitFor();
    await close();
    await open(t('palette.addServer'));
    await active().getByText(t('palette.addServer')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByTestId('create-server').waitFor();
    await page.keyboard.press('Escape');
  });

  it('offers what fits the open chat, and uses models and servers', async () => {
    await open('regenerate');
    await page.getByText(t('palette.nothing')).waitFor();
    await close();
    await ask(page, 'What is 3+3?');
    await open('regenerate');
    await active().waitFor();
    await page.keyboard.press('Enter');
    await page.getByTestId('version').last().waitFor();
    await open('archive');
    await active().waitFor();
    await page.keyboard.press('Enter');
    await page.getByTestId('notice').getByRole('button', named('common.undo')).click();
    await open('demo');
    await palette().getByRole('group', named('palette.groups.models')).waitFor();
    await close();
    await open('server calculator');
    await active().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/servers?show=*');
    await page.getByTestId('server').locator('button[aria-expanded="true"]').waitFor();
  });

  it('lists with ? what works on this page, and only that, unless something is being typed', async () => {
    const box = page.getByTestId('composer');
    await box.press('?');
    expect(await box.inputValue()).toBe('?');
    await box.fill('');
    await box.blur();
    await page.keyboard.press('?');
    await page.getByTestId('shortcuts').waitFor();
    expect(await box.inputValue()).toBe('');
    const onStart = await shown();
    expect(onStart).toEqual(expect.arrayContaining(['palette', 'help', 'send', 'sidebar']));
    expect(onStart).not.toContain('find');
    await page.keyboard.press('Escape');
    await goTo('/settings/about');
    await page.getByTestId('user-menu').click();
    await page.getByTestId('keyboard-shortcuts').click();
    await page.getByTestId('shortcuts').waitFor();
    expect(await shown()).not.toContain('send');
    await page.keyboard.press('Escape');
    await page.getByTestId('shortcuts').waitFor({ state: 'detached' });
  });

  it('does what each of the listed keys of every page says', async () => {
    await page.keyboard.press('Control+b');
    await page.locator('[data-testid="side-pane"] [data-testid="topic-row"]').waitFor({
      state: 'detached',
    });
    await page.keyboard.press('Control+b');
    await page.goto(`${app.url}/servers`);
    await page.getByTestId('server').first().waitFor();
    await page.keyboard.press('Control+Shift+o');
    await page.waitForURL((url) => url.pathname === '/');
    await open();
    // A dialog keeps its keys.
    await page.keyboard.press('Control+b');
    await page.getByTestId('open-help').click();
    await page.getByTestId('shortcuts').waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('new-chat').waitFor();
  });

  it('is there for everyone: on a phone, in both looks', async () => {
    const { page: small } = await app.signIn(browser, {
      viewport: phone,
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
    });
    await small.getByTestId('open-palette').click();
    for (const theme of ['light', 'dark'])
      for (const viewport of [phone, desk]) {
        await small.setViewportSize(viewport);
        await small.evaluate((look) => (document.documentElement.dataset['theme'] = look), theme);
        await small.getByTestId('palette-query').waitFor();
        expect(await barriers(small, '[role="dialog"]')).toEqual([]);
      }
    await small.setViewportSize(phone);
    await small.getByTestId('palette-query').fill('about');
    await small.getByTestId('option').first().tap();
    await small.waitForURL('**/settings/about');
    await small.getByTestId('open-palette').click();
    await small.getByTestId('open-help').click();
    await small.getByTestId('shortcuts').waitFor();
    for (const theme of ['light', 'dark']) {
      await small.evaluate((look) => (document.documentElement.dataset['theme'] = look), theme);
      expect(await barriers(small, '[role="dialog"]')).toEqual([]);
    }
  });

  it('caused no trouble in the page', () => {
    expect(troubles).toEqual([]);
  });
});

function idsOf(rows: Element[]): (string | undefined)[] {
  return rows.map((row) => (row as HTMLElement).dataset['id']);
}

function focused(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.getAttribute('data-testid'));
}
