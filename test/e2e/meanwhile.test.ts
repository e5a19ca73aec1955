import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SearchHit } from '#shared/api/api.ts';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { attachments, newChat, option } from './composing.ts';
import { opener } from './opener.ts';
import { answers, ask, ended, send, shownMessages, topicOf } from './page.ts';
import { named, t } from './texts.ts';

describe.skipIf(!hasChromium())('while something is on its way', () => {
  const visit = opener();
  let app: App;
  let page: Page;
  let first: string;
  let second: string;

  beforeAll(async () => {
    ({ app, page } = await visit.page({ context: { reducedMotion: 'reduce' } }));
    for (const text of ['the first', 'the second']) {
      await newChat(page, app);
      await ask(page, text);
      [first, second] = [second, await topicOf(page)];
    }
  });
  beforeEach(() => page.unrouteAll());

  const row = (id: string) => page.locator(`[data-testid="topic-row"][data-id="${id}"]`);
  /** The kinds of blocks of the message with these words. */
  const sent = async (words: string) =>
    (await shownMessages(page))
      .find(({ blocks }) => blocks.some(({ text }) => text === words))
      ?.blocks.map(({ type }) => type);

  /** Goes to a topic with a draft that has a resource; gives what lets the resource be read. */
  async function draftWithResource(topicId: string, text: string) {
    const { promise: letGo, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/resources\/read$/, async (route) => {
      await letGo;
      await route.fulfill({ json: { contents: [{ uri: 'a://b', text: 'far' }] } });
    });
    const server = { serverId: 's', serverName: 's', uri: 'a://b', name: 'b.txt' };
    const resource = { kind: 'resource', key: 'k', ...server, state: 'chosen' };
    await page.goto(`${app.url}/servers`);
    await page.evaluate(
      ([name = '', draft = '']) => localStorage.setItem(name, draft),
      [`cerise.draft.${topicId}`, JSON.stringify({ text, attachments: [resource] })],
    );
    await page.goto(`${app.url}/t/${topicId}`);
    await attachments(page, 'chosen').waitFor();
    return release;
  }

  it('keeps what is attached while a resource of the message is read', async () => {
    const release = await draftWithResource(first, 'with a resource');
    await page.getByTestId('composer').press('Enter');
    await attachments(page, 'reading').waitFor();
    const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('mine') };
    await page.getByTestId('attach-input').setInputFiles([note]);
    await attachments(page, 'ready').waitFor();
    release();
    await expect.poll(() => sent('with a resource')).toEqual(['file', 'main_text']);
    expect(await page.getByTestId('composer').inputValue()).toBe('');
    await attachments(page, 'ready').getByText('note.txt').waitFor();
    await page.getByRole('button', named('composer.remove', { name: 'note.txt' })).click();
  });

  it('lets another conversation be written in while a resource of this one is read', async () => {
    const release = await draftWithResource(first, 'once more');
    await page.getByTestId('composer').press('Enter');
    await attachments(page, 'reading').waitFor();
    await row(second).getByRole('link').click();
    await page.waitForURL(`**/t/${second}`);
    await ask(page, 'in the meantime');
    release();
    await row(first).getByRole('link').click();
    await expect.poll(() => sent('once more')).toEqual(['file', 'main_text']);
  });

  /** Asks for a prompt by its form; gives how often it was asked for, and what lets it come. */
  async function askForPrompt() {
    const { promise: letGo, resolve: release } = Promise.withResolvers<void>();
    const prompt = { name: 'greet', arguments: [{ name: 'who', required: true }] };
    const content = { type: 'text', text: 'Hello!' };
    await page.route(/\/api\/servers\/[^/]+\/prompts$/, (route) =>
      route.fulfill({ json: { prompts: [prompt] } }),
    );
    let count = 0;
    await page.route(/\/prompts\/greet\/get$/, async (route) => {
      count += 1;
      await letGo;
      // A page that no longer wants it has closed the line.
      await route.fulfill({ json: { messages: [{ role: 'user', content }] } }).catch(() => {});
    });
    await newChat(page, app);
    await page.getByTestId('composer').pressSequentially('/greet');
    await option(page, '/greet').waitFor();
    await page.keyboard.press('Enter');
    await page.getByTestId('argument-form').getByRole('textbox').fill('Rome');
    await page.keyboard.press('Enter');
    await expect.poll(() => count).toBe(1);
    return { asked: () => count, release };
  }

  it('puts a prompt into the box once, however often Enter is pressed', async () => {
    const { asked, release } = await askForPrompt();
    await page.keyboard.press('Enter');
    release();
    await page.getByTestId('argument-form').waitFor({ state: 'detached' });
    expect(await page.getByTestId('composer').inputValue()).toBe('Hello!');
    expect(asked()).toBe(1);
  });

  it('puts no prompt into the box once it was cancelled', async () => {
    const { release } = await askForPrompt();
    const left = page.waitForEvent('requestfailed', (one) => one.url().endsWith('/get'));
    await page.getByTestId('argument-form').getByRole('button', named('common.cancel')).click();
    release();
    await left;
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await page.getByTestId('composer').inputValue()).toBe('');
  });

  it('counts what comes while words are looked for, and stays at the find one is at', async () => {
    await page.goto(`${app.url}/t/${first}`);
    await page.locator('[data-testid="message"]').first().waitFor();
    await page.keyboard.press('Control+f');
    await page.getByTestId('find').fill('zebra');
    const count = page.getByTestId('find-count');
    await count.getByText(t('find.none')).waitFor();
    /** Says something elsewhere; gives how many finds there are when it is answered. */
    const say = async (text: string) => {
      const before = await answers(page).count();
      await app.api(`/topics/${first}/messages`, { method: 'POST', body: { text } });
      await ended(page, before);
      const query = `/search?q=zebra&topicId=${first}`;
      const { hits } = await app.api<{ hits: SearchHit[] }>(query);
      return new Set(hits.map(({ blockId }) => blockId)).size;
    };
    const known = await say('one zebra');
    await count.getByText(t('find.count', { index: 0, count: known })).waitFor();
    await page.getByTestId('find').press('Enter');
    await count.getByText(t('find.count', { index: 1, count: known })).waitFor();
    const now = await say('another zebra');
    expect(now).toBeGreaterThan(known);
    await count.getByText(t('find.count', { index: now - known + 1, count: now })).waitFor();
    await page.getByTestId('find').press('Escape');
  });

  it('forgets arguments that are being changed once another tab has decided', async () => {
    await newChat(page, app);
    await send(page, '/call write_file {"path":"a.txt","content":"x"}');
    await page.getByTestId('edit-arguments').click();
    const kept = () => page.evaluate(() => sessionStorage.getItem('cerise.arguments'));
    await expect.poll(kept).toContain('a.txt');
    const other = await page.context().newPage();
    await other.goto(`${app.url}/t/${await topicOf(page)}`);
    await other.getByTestId('deny').click();
    await ended(page, 0);
    await other.close();
    await expect.poll(kept).toBeNull();
  });

  it('stays in the conversation one has gone to since another was deleted', async () => {
    await page.goto(`${app.url}/t/${second}`);
    const { promise: letGo, resolve: release } = Promise.withResolvers<void>();
    await page.route(new RegExp(`/api/topics/${second}\\?`), async (route) => {
      if (route.request().method() === 'DELETE') await letGo;
      await route.continue();
    });
    await row(second).hover();
    await row(second).getByTestId('topic-menu').click();
    const deleted = page.waitForResponse((one) => one.request().method() === 'DELETE');
    await page.getByRole('menuitem', named('common.delete')).click();
    await row(second).waitFor({ state: 'detached' });
    await row(first).getByRole('link').click();
    await page.waitForURL(`**/t/${first}`);
    release();
    await deleted;
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(new URL(page.url()).pathname).toBe(`/t/${first}`);
  });
});
