import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { cherryPicture } from '#mcp/builtin/demo/demo-media.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { answers, ask, ended, topicOf } from './page.ts';
import { named, t, textLike } from './texts.ts';

const evilPage = '<script>alert(1)</script>';
const places = { large: 0, image: 1, sound: 2 };
const kilobytes = 4096;
const lastLine = `Line ${kilobytes * 16} of ${kilobytes * 16}`;

describe.skipIf(!hasChromium())('large results', () => {
  const visit = opener();
  let app: App;
  let browser: Browser;
  let page: Page;
  let troubles: string[];

  beforeAll(async () => {
    ({ app, browser, page, troubles } = await visit.page());
  });

  /** A call of the first answer, by its place: to look for words in megabytes takes its time. */
  const call = (tool: keyof typeof places, where = page): Locator =>
    answers(where).first().locator('[data-type="tool"]').nth(places[tool]);

  async function openLarge(): Promise<Locator> {
    const large = call('large');
    await large.getByRole('button', { name: 'Large result' }).click();
    return large;
  }

  it('are kept outside of the conversation, which holds their head and tail', async () => {
    const calls = `/call large_result {"kilobytes":${kilobytes}}\n/call show_image {}\n/call play_sound {}`;
    const answer = await ask(page, calls);
    expect(answer.status).toBe('success');
    const { messages } = await app.conversation(await topicOf(page));
    const results = messages.flatMap(({ blocks }) =>
      blocks.filter((block): block is ToolBlock => block.type === 'tool').map((b) => b.result),
    );
    expect(JSON.stringify(results).length).toBeLessThan(200_000);
    const whole = results[0]?.content[0];
    expect(whole).toMatchObject({ type: 'text', stored: { size: kilobytes * 1024 } });
  });

  it.each(['as it came', 'after a reload'])('are shown whole when asked for, %s', async (when) => {
    if (when === 'after a reload') await page.reload();
    const large = await openLarge();
    const preview = large.getByTestId('preview');
    await preview.getByText(textLike('tool.leftOut', { count: /[\d,]{7,}/ })).waitFor();
    expect(await preview.textContent()).toContain('Line 1 of');
    expect(await preview.textContent()).toContain(lastLine);
    await large.getByRole('button', named('tool.showAll', { size: '4.0 MB' })).click();
    const whole = large.getByTestId('whole-text');
    await whole.waitFor();
    expect((await whole.textContent())?.length).toBeGreaterThan(kilobytes * 1000);
    await whole.evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
    await whole.getByText(lastLine).waitFor();
    await large.getByRole('button', named('common.showLess')).click();
    await preview.waitFor();
  });

  it('give the exact text when it is selected', async () => {
    await page.reload();
    const large = await openLarge();
    await large.getByRole('button', { name: textLike('tool.showAll') }).click();
    const whole = large.getByTestId('whole-text');
    await whole.waitFor();
    const selected = await whole.evaluate((box) => {
      getSelection()?.selectAllChildren(box);
      return getSelection()?.toString() ?? '';
    });
    const lines = selected.trimEnd().split('\n');
    expect(lines).toHaveLength(kilobytes * 16);
    expect(lines.findIndex((line, index) => !line.startsWith(`Line ${index + 1} of`))).toBe(-1);
  });

  it('can be taken away as a file', async () => {
    const large = call('large');
    const download = page.waitForEvent('download');
    await large.getByRole('link', { name: `${t('tool.download')} result.txt` }).click();
    const stream = await (await download).createReadStream();
    let size = 0;
    for await (const chunk of stream) size += (chunk as Buffer).length;
    expect(size).toBe(kilobytes * 1024);
  });

  it('show pictures in their place and large, and play sound, from this host', async () => {
    await page.reload();
    const picture = call('image').getByRole('img', named('block.image'));
    await picture.scrollIntoViewIfNeeded();
    const width = () => picture.evaluate((img) => (img as HTMLImageElement).naturalWidth);
    await expect.poll(width).toBeGreaterThan(100);
    await picture.click();
    const large = page.getByRole('dialog');
    await large.getByRole('img').waitFor();
    await page.keyboard.press('Escape');
    await large.waitFor({ state: 'detached' });
    const sound = call('sound').locator('audio');
    const duration = () => sound.evaluate((audio) => (audio as HTMLAudioElement).duration);
    await expect.poll(duration).toBeGreaterThan(0.5);
    expect(await sound.getAttribute('src')).toMatch(/^\/api\/blobs\//);
  });

  it('stand beside files that were sent: pictures shown, others to take away', async () => {
    const picture = await upload(page, 'cherries.png', 'image/png', cherryPicture());
    const website = await upload(page, 'page.html', 'text/html', Buffer.from(evilPage));
    await app.api(`/topics/${await topicOf(page)}/messages`, {
      method: 'POST',
      body: { text: 'Look at these.', files: [picture, website] },
    });
    await ended(page, 1);
    for (const moment of ['as it came', 'after a reload']) {
      const sent = page.locator('[data-testid="message"][data-role="user"]').last();
      const shown = sent.getByRole('img', { name: 'cherries.png' });
      const width = () => shown.evaluate((img) => (img as HTMLImageElement).naturalWidth);
      await expect.poll(width, { message: moment }).toBeGreaterThan(100);
      expect(await shown.getAttribute('src')).toMatch(/^\/api\/blobs\//);
      const file = sent.locator('[data-type="file"]');
      expect(await file.textContent()).toMatch(/page\.html.*text\/html · 25 B/);
      const download = page.waitForEvent('download');
      await file.getByRole('link', named('block.download', { name: 'page.html' })).click();
      expect((await download).suggestedFilename()).toBe('page.html');
      await page.reload();
    }
    expect(troubles).toEqual([]);
  });

  it('say so when they cannot be played, and are offered as files', async () => {
    // Another browser: this one may still have the sound.
    const other = await app.signIn(browser, { blank: true });
    await other.page.route('**/api/blobs/*', (route) => route.fulfill({ status: 404 }));
    await other.page.goto(`${app.url}/t/${await topicOf(page)}`);
    const sound = call('sound', other.page);
    // What is out of sight loads nothing.
    await sound.scrollIntoViewIfNeeded();
    await sound.getByText(t('block.notPlayed')).waitFor();
    await sound.getByRole('link', named('block.download', { name: t('block.file') })).waitFor();
    await other.context.close();
  });

  it('say so when they are gone', async () => {
    await page.route('**/api/blobs/*', (route) =>
      route.fulfill({
        status: 404,
        json: { error: { code: 'file_not_found', message: 'There is no such file.' } },
      }),
    );
    await page.reload();
    const large = await openLarge();
    await large.getByRole('button', { name: textLike('tool.showAll') }).click();
    await large.getByRole('alert').getByText('There is no such file.').waitFor();
    await page.unroute('**/api/blobs/*');
    await large.getByRole('button', named('common.showLess')).click();
    await large.getByRole('button', { name: textLike('tool.showAll') }).click();
    await large.getByTestId('whole-text').waitFor();
    expect(troubles.filter((line) => !line.includes('404'))).toEqual([]);
  });
});

/** Uploads as a page does; resolves with the id. */
function upload(page: Page, name: string, type: string, bytes: Buffer): Promise<string> {
  return page.evaluate(
    async ({ name, type, base64 }) => {
      const body = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const response = await fetch(`/api/files?name=${encodeURIComponent(name)}`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
      return ((await response.json()) as { id: string }).id;
    },
    { name, type, base64: bytes.toString('base64') },
  );
}
