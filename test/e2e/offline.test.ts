import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoProse } from '#models/demo/prose.ts';
import { zh } from '#web/messages/zh/zh.ts';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { answers, ask, ended, send, shownMessages, topicOf } from './page.ts';
import { named, t } from './texts.ts';

const count = 200;

describe.skipIf(!hasChromium())('the page while the host is away', { timeout: 90_000 }, () => {
  const visit = opener();
  let app: App;
  let page: Page;

  beforeAll(async () => {
    ({ app, page } = await visit.page({ own: true, pace: 25 }));
    await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
  });

  const notice = () => page.getByTestId('offline');
  /** Starts the host again, and lets the page know as a network does that is back: it waits no longer. */
  const revive = async () => {
    await app.revive();
    await page.evaluate(() => dispatchEvent(new Event('online')));
  };
  /** Nothing more is said of the host, neither that it is away nor that it is another. */
  const isBack = (tab = page) =>
    expect.poll(() => tab.getByTestId('offline').textContent()).toBe('');
  const isSameDocument = () => page.evaluate(() => 'sameDocument' in globalThis);
  const words = async () =>
    (await app.conversation(await topicOf(page))).messages
      .filter(({ role }) => role === 'user')
      .map(({ blocks }) => blocks[0]?.content);

  it('says so quietly while an answer runs, keeps what is written, and goes on by itself', async () => {
    await send(page, `/write ${count}`);
    await page.locator('[data-type="main_text"][data-status="streaming"]').waitFor();
    await page.getByTestId('composer').fill('half a thought');
    await app.kill();
    await notice().getByText(t('common.offline')).waitFor();
    expect(await page.getByTestId('composer').inputValue()).toBe('half a thought');
    expect(await page.getByRole('alert').count()).toBe(0);
    await app.revive();
    await isBack();
    const { status, blocks } = await ended(page, 0);
    expect(status).toBe('success');
    const { messages } = await app.conversation(await topicOf(page));
    const stored = messages.at(-1)?.blocks ?? [];
    expect(stored.at(-1)?.content).toBe(demoProse(count).join(''));
    expect(blocks.map(({ length }) => length)).toEqual(stored.map(({ content }) => content.length));
    expect(await page.getByTestId('composer').inputValue()).toBe('half a thought');
    expect(await isSameDocument()).toBe(true);
  });

  it('says it in Chinese too, on every page, and shows a page that was never read later', async () => {
    await page.getByRole('link', named('sidebar.settings')).click();
    await page.getByTestId('language').selectOption('zh');
    await page.getByRole('heading', { name: zh.settings.title }).waitFor();
    await app.kill();
    await notice().getByText(zh.common.offline).waitFor();
    await page.getByTestId('language').selectOption('en');
    await notice().getByText(t('common.offline')).waitFor();
    await page.getByRole('link', named('sidebar.servers')).click();
    await page.waitForURL(/\/servers$/);
    await revive();
    await isBack();
    await page.getByTestId('server').first().waitFor();
    await page.getByTestId('topic-row').first().getByRole('link').click();
    await answers(page).first().waitFor();
  });

  it('keeps messages that are sent meanwhile, and sends each once, in their order', async () => {
    await page.getByTestId('composer').fill('');
    await app.kill();
    await notice().getByText(t('common.offline')).waitFor();
    await send(page, 'What is 2+2?');
    await send(page, 'What is 3+3?');
    await send(page, 'Never mind.');
    const held = page.getByTestId('held-message');
    await expect.poll(() => held.count()).toBe(3);
    await held.last().getByText(t('message.held')).waitFor();
    await held.last().getByRole('button', named('message.takeBack')).click();
    expect(await page.getByTestId('composer').inputValue()).toBe('Never mind.');
    await page.getByTestId('composer').fill('');
    expect(await page.getByRole('alert').count()).toBe(0);
    await revive();
    await ended(page, 2);
    await expect.poll(() => held.count()).toBe(0);
    expect((await words()).slice(1)).toEqual(['What is 2+2?', 'What is 3+3?']);
    const shown = (await shownMessages(page)).filter(({ role }) => role === 'user');
    expect(shown).toHaveLength(3);
    expect(await isSameDocument()).toBe(true);
  });

  it('holds a new conversation too: it is made once, with all its messages in their order', async () => {
    const before = (await app.topics()).length;
    await page.getByTestId('new-chat').click();
    await app.kill();
    await notice().getByText(t('common.offline')).waitFor();
    await send(page, 'Taken back.');
    const held = page.getByTestId('held-message');
    await held.getByRole('button', named('message.takeBack')).click();
    await page.getByTestId('suggestion').first().waitFor();
    expect(await page.getByTestId('composer').inputValue()).toBe('Taken back.');
    await page.getByTestId('composer').fill('');
    await send(page, 'What is 5+5?');
    await send(page, 'What is 6+6?');
    await expect.poll(() => held.count()).toBe(2);
    await page.getByTestId('composer').fill('a third thought');
    await revive();
    await ended(page, 1);
    expect(await words()).toEqual(['What is 5+5?', 'What is 6+6?']);
    expect((await app.topics()).length).toBe(before + 1);
    expect(await page.getByTestId('composer').inputValue()).toBe('a third thought');
    await page.getByTestId('composer').fill('');
    expect(await isSameDocument()).toBe(true);
  });

  it('still has a new conversation after a reload', async () => {
    const before = (await app.topics()).length;
    await page.getByTestId('new-chat').click();
    await page.route('**/api/topics', (route) => route.abort());
    await send(page, 'What is 7+7?');
    const failed = page.getByTestId('begun').getByRole('alert');
    await failed.waitFor();
    await page.unroute('**/api/topics');
    await page.reload();
    await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
    await failed.getByRole('button', named('common.retry')).click();
    await ended(page, 0);
    expect(await words()).toEqual(['What is 7+7?']);
    expect((await app.topics()).length).toBe(before + 1);
  });

  it('shows a conversation that was opened meanwhile as soon as it can', async () => {
    const [, , first] = (await app.topics()).map(({ id }) => `/t/${id}`);
    await page.getByTestId('new-chat').click();
    await ask(page, 'What is 4+4?');
    await app.kill();
    await notice().getByText(t('common.offline')).waitFor();
    await page.locator(`a[href="${first}"]`).click();
    await page.getByRole('button', named('common.retry')).waitFor();
    await revive();
    await answers(page).nth(2).waitFor();
    expect(await isSameDocument()).toBe(true);
  });

  it('shows parts of the page that were first wanted meanwhile, as soon as it can', async () => {
    await page.getByTestId('new-chat').click();
    await ask(page, '/call show_image {}');
    await app.kill();
    await notice().getByText(t('common.offline')).waitFor();
    await page.locator('[data-large]').first().click();
    await page.getByTestId('coming').waitFor();
    expect(await page.getByTestId('lightbox').count()).toBe(0);
    await revive();
    await page.getByTestId('lightbox').waitFor();
    expect(await isSameDocument()).toBe(true);
    await page.keyboard.press('Escape');
  });

  it('offers to load the page again where the host has another one, and keeps what is written', async () => {
    const name = await page.evaluate(
      () => document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? '',
    );
    const other = {
      contentType: 'text/html',
      body: '<script src="/assets/index-other.js"></script>',
    };
    await page.route('**/assets/help-*.js', (route) => route.fulfill({ status: 404 }));
    await page.route(`${app.url}/`, (route) =>
      route.request().isNavigationRequest() ? route.continue() : route.fulfill(other),
    );
    expect(name).toContain('/assets/index-');
    await send(page, '/help');
    await page.getByTestId('composer').fill('kept words');
    await notice().getByText(t('common.outdated')).waitFor();
    await page.unroute('**/assets/help-*.js');
    await page.unroute(`${app.url}/`);
    await notice().getByRole('button', named('common.reload')).click();
    await expect.poll(isSameDocument).toBe(false);
    await answers(page).first().waitFor();
    expect(await page.getByTestId('composer').inputValue()).toBe('kept words');
    await send(page, '/help');
    await page.getByRole('dialog').waitFor();
  });

  it('says so too where it went before the page was whole, and comes to life then', async () => {
    const tab = await page.context().newPage();
    await tab.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
    await tab.route('**/hub-*.js', (route) => route.abort());
    await tab.goto(app.url);
    await tab.getByTestId('offline').getByText(t('common.offline')).waitFor();
    await tab.unroute('**/hub-*.js');
    await isBack(tab);
    await tab.getByTestId('topic-row').first().waitFor();
    await tab.close();
  });
});
