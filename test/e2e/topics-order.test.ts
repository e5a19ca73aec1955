import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Topic } from '#shared/vocabulary/message.ts';
import { en } from '#web/messages/en/en.ts';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { barriers } from './barriers.ts';
import { opener } from './opener.ts';
import { ask, inMenu, send, topicOf } from './page.ts';

const { sidebar, common, message } = en;

describe.skipIf(!hasChromium())('order in many conversations', () => {
  const visit = opener();
  let app: App;
  let browser: Browser;
  let page: Page;
  let other: Page;
  let troubles: string[];
  let ids: Record<string, string>;

  beforeAll(async () => {
    ({ app, browser, page, troubles } = await visit.page());
    ({ page: other } = await app.signIn(browser));
  });

  beforeEach(async () => {
    await app.api('/data/topics', { method: 'DELETE' });
    ids = {};
    for (const title of ['Apples', 'Berries', 'Cherries', 'Dates'])
      ids[title] = (await app.api<Topic>('/topics', { method: 'POST', body: { title } })).id;
    await page.goto(app.url);
    await row('Dates').waitFor();
  });

  const row = (title: string, on = page): Locator =>
    on.locator(`[data-testid="topic-row"][data-id="${ids[title]}"]`);
  const titles = (on = page) => on.getByTestId('topic-row').getByRole('link').allTextContents();
  const choose = async (title: string, action: string) => {
    await row(title).hover();
    await row(title).getByTestId('topic-menu').click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  const undo = () => page.getByRole('status').getByRole('button', { name: common.undo });
  const bar = (on = page) => on.getByRole('toolbar', { name: sidebar.selection });

  it('puts pinned ones on top, in every tab', async () => {
    await choose('Apples', sidebar.pin);
    await page.getByRole('heading', { name: sidebar.pinned }).waitFor();
    await expect.poll(() => titles()).toEqual(['Apples', 'Dates', 'Cherries', 'Berries']);
    await expect.poll(() => titles(other)).toEqual(['Apples', 'Dates', 'Cherries', 'Berries']);
    await choose('Apples', sidebar.unpin);
    await expect.poll(() => titles()).toEqual(['Dates', 'Cherries', 'Berries', 'Apples']);
  });

  it('stumble: leaves every row where it is when the first is selected', async () => {
    const place = async () => (await row('Berries').boundingBox())?.y;
    const before = await place();
    await row('Cherries').hover();
    await row('Cherries').getByRole('checkbox').click();
    await bar().waitFor();
    expect(await place()).toBe(before);
    const first = await row('Dates').boundingBox();
    const over = await bar().boundingBox();
    expect((over?.y ?? 0) + (over?.height ?? 0)).toBeLessThanOrEqual(first?.y ?? 0);
  });

  it('archives one, finds it again, and brings it back when it goes on', async () => {
    await choose('Berries', sidebar.archive);
    await expect.poll(() => titles()).toEqual(['Dates', 'Cherries', 'Apples']);
    await page.getByTestId('search').fill('Berries');
    await page.getByTestId('search-hit').getByText(sidebar.archived).waitFor();
    await page.getByTestId('search').fill('');
    await page.getByRole('button', { name: sidebar.filter }).click();
    await page.getByRole('menuitemcheckbox', { name: sidebar.archived }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('menuitemcheckbox', { name: sidebar.archived }).click();
    await expect.poll(() => titles()).toEqual(['Berries']);
    await row('Berries').getByRole('link').click();
    await ask(page, 'What is 2+2?');
    await page.getByText(sidebar.noArchived).waitFor();
    const remove = sidebar.clearFilter.replace('{name}', sidebar.archived);
    await page.getByRole('button', { name: remove }).click();
    await expect.poll(async () => (await titles())[0]).toBe('Berries');
  });

  it('deletes several after a selection with the mouse, and brings them back', async () => {
    await row('Cherries').hover();
    await row('Cherries').getByRole('checkbox').check();
    await row('Apples')
      .getByRole('link')
      .click({ modifiers: ['Shift'] });
    await bar().getByText(sidebar.selected.replace('{count}', '3')).waitFor();
    expect(await barriers(page)).toEqual([]);
    await bar().getByRole('button', { name: common.delete }).click();
    await expect.poll(() => titles()).toEqual(['Dates']);
    await expect.poll(() => titles(other)).toEqual(['Dates']);
    expect((await app.topics()).map(({ title }) => title)).toEqual(['Dates']);
    expect(await barriers(page)).toEqual([]);
    await undo().click();
    await expect.poll(() => titles()).toEqual(['Dates', 'Cherries', 'Berries', 'Apples']);
    await expect.poll(() => titles(other)).toEqual(['Dates', 'Cherries', 'Berries', 'Apples']);
    expect(await app.topics()).toHaveLength(4);
  });

  it('selects and archives by keys alone', async () => {
    await row('Dates').getByRole('link').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+Space');
    await bar().getByText(sidebar.selected.replace('{count}', '3')).waitFor();
    await bar().getByRole('button', { name: sidebar.archive }).press('Enter');
    await expect.poll(() => titles()).toEqual(['Apples']);
    await undo().press('Enter');
    await expect.poll(() => titles()).toEqual(['Dates', 'Cherries', 'Berries', 'Apples']);
    await row('Dates').getByRole('link').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Escape');
    await bar().waitFor({ state: 'detached' });
  });

  it('selects by a finger that rests, and then by taps', async () => {
    const { page: phone, context } = await app.signIn(browser, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await phone.getByTestId('open-sidebar').tap();
    await row('Dates', phone).waitFor();
    const rests = { pointerType: 'touch', bubbles: true };
    await row('Dates', phone).getByRole('link').dispatchEvent('pointerdown', rests);
    await bar(phone).waitFor();
    await row('Dates', phone).getByRole('link').dispatchEvent('pointerup', rests);
    await row('Dates', phone).getByRole('link').dispatchEvent('click', { bubbles: true });
    await row('Apples', phone).getByRole('link').tap();
    await bar(phone).getByText(sidebar.selected.replace('{count}', '2')).waitFor();
    expect(new URL(phone.url()).pathname).toBe('/');
    await context.close();
  });

  it('shows only those that wait for a decision, as long as they do', async () => {
    await row('Cherries').getByRole('link').click();
    await send(page, '/call write_file {"path":"order.txt","content":"x"}');
    await page.getByTestId('deny').waitFor();
    await page.getByRole('button', { name: sidebar.filter }).click();
    await page.getByRole('menuitemcheckbox', { name: sidebar.filterWaiting }).click();
    await expect.poll(() => titles()).toEqual(['Cherries']);
    await page.getByTestId('deny').click();
    await page.getByText(sidebar.noMatches).waitFor();
  });

  it('goes back to a conversation that was deleted while it was open', async () => {
    await row('Cherries').getByRole('link').click();
    await ask(page, 'What is 2+2?');
    await choose('Cherries', common.delete);
    await page.waitForURL(`${app.url}/`);
    await undo().click();
    await page.waitForURL(`**/t/${ids['Cherries']}`);
    await page.getByTestId('message').first().waitFor();
    await ask(page, 'What is 3+3?');
  });

  it('forks a conversation from any message, with a way back', async () => {
    await row('Cherries').getByRole('link').click();
    await ask(page, 'What is 2+2?');
    await ask(page, 'What is 3+3?');
    const first = page.locator('[data-testid="message"][data-role="assistant"]').first();
    await inMenu(first, 'fork');
    await page.waitForURL((url) => !url.pathname.endsWith(ids['Cherries'] ?? ''));
    await page.getByText(message.forkedFrom).waitFor();
    expect(await page.getByTestId('message').count()).toBe(2);
    expect(await topicOf(page)).not.toBe(ids['Cherries']);
    await ask(page, 'What is 4+4?');
    await page.getByTestId('forked-from').getByRole('link', { name: 'Cherries' }).click();
    await page.waitForURL(`**/t/${ids['Cherries']}**`);
    await page.getByText('What is 3+3?').waitFor();
  });

  it('caused no trouble in the page', () => {
    expect(troubles).toEqual([]);
  });
});
