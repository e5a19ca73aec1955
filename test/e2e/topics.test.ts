import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { ask, send, topicOf } from './page.ts';
import { named, t, textLike } from './texts.ts';

describe.skipIf(!hasChromium())('the list of conversations', () => {
  const visit = opener();
  let app: App;
  let browser: Browser;
  let page: Page;
  let other: Page;

  beforeAll(async () => {
    ({ app, browser } = await visit.app());
    ({ page } = await app.signIn(browser));
    ({ page: other } = await app.signIn(browser));
  });

  it('names a conversation after its first answer, in every browser', async () => {
    await ask(page, '樱桃蛋糕需要多少 3*7 的面粉？');
    const topicId = await topicOf(page);
    for (const one of [page, other]) await row(one, topicId).getByText('樱桃蛋糕').waitFor();
  });

  it('marks a conversation while its answer runs', async () => {
    await page.getByTestId('new-chat').click();
    await send(page, '/call slow_task {"seconds":1.5,"steps":3}');
    const topicId = await topicOf(page);
    const mark = row(other, topicId).getByRole('img', named('sidebar.running'));
    await mark.waitFor();
    await mark.waitFor({ state: 'detached' });
  });

  it('renames a conversation everywhere, and a later answer keeps that name', async () => {
    await page.getByTestId('new-chat').click();
    await ask(page, 'What is 2+2?');
    const topicId = await topicOf(page);
    await choose(page, topicId, t('sidebar.rename'));
    await page.getByTestId('rename').fill('Sums for school');
    await page.getByTestId('rename').press('Enter');
    for (const one of [page, other]) await row(one, topicId).getByText('Sums for school').waitFor();
    await ask(page, 'What is 3+3?');
    const titles = (await app.topics()).map(({ title }) => title);
    expect(titles).toContain('Sums for school');
    await page.waitForFunction(() => document.title === 'Sums for school · Cerise');
  });

  it('saves a conversation as Markdown and as JSON', async () => {
    const topicId = await topicOf(page);
    for (const [item, file, words] of [
      [t('sidebar.exportMarkdown'), `topic-${topicId}.md`, /^# Sums for school[^]*What is 2\+2\?/],
      [
        t('sidebar.exportJson'),
        `topic-${topicId}.jsonl`,
        /^\{"kind":"cerise-export"[^]*What is 2\+2\?/,
      ],
    ] as const) {
      const saved = page.waitForEvent('download');
      await choose(page, topicId, item);
      const download = await saved;
      expect(download.suggestedFilename()).toBe(file);
      expect(readFileSync(await download.path(), 'utf8')).toMatch(words);
    }
  });

  it('finds words in a conversation on a phone, from its menu', async () => {
    const { page: phone, context } = await app.signIn(browser, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    const { id } = (await app.topics()).find(({ title }) => title === 'Sums for school')!;
    await phone.getByTestId('open-sidebar').tap();
    await row(phone, id).getByTestId('topic-menu').tap();
    await phone.getByRole('menuitem', named('find.placeholder')).tap();
    await phone.getByTestId('find-bar').waitFor();
    await phone.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(phone.url()).pathname).toBe(`/t/${id}`);
    await expect
      .poll(() => phone.evaluate(() => document.activeElement?.getAttribute('data-testid')))
      .toBe('find');
    await phone.keyboard.type('3+3');
    await phone.getByTestId('find-count').getByText(textLike('find.count')).waitFor();
    await phone.getByTestId('find-bar').getByRole('button', named('common.close')).tap();
    await phone.getByTestId('find-bar').waitFor({ state: 'detached' });
    await context.close();
  });

  it('finds words in titles and texts, also a Chinese word of two characters', async () => {
    const search = page.getByTestId('search');
    await search.fill('樱桃');
    const hits = page.getByTestId('search-hit');
    await hits.first().waitFor();
    expect(await hits.first().textContent()).toContain('樱桃');
    await search.fill('school');
    await hits.getByText('Sums for school').first().waitFor();
    await search.fill('nowhere-to-be-found');
    await page.getByText(t('sidebar.noHits')).waitFor();
    await search.fill('樱桃');
    await hits.first().click();
    await page.locator('[data-testid="message"]').getByText('樱桃').first().waitFor();
    await search.fill('');
  });

  it('deletes a conversation, also for who is looking at it', async () => {
    const { id } = (await app.topics()).find(({ title }) => title === 'Sums for school')!;
    await other.goto(`${app.url}/t/${id}`);
    await other.locator('[data-testid="message"]').first().waitFor();
    await choose(page, id, t('common.delete'));
    await row(page, id).waitFor({ state: 'detached' });
    await other.getByText(t('chat.missing')).waitFor();
    expect((await app.topics()).map((topic) => topic.id)).not.toContain(id);
    await page.getByTestId('search').fill('school');
    await page.getByText(t('sidebar.noHits')).waitFor();
    await page.getByTestId('search').fill('');
    await page.reload();
    await page.getByTestId('topic-row').first().waitFor();
    expect(await row(page, id).count()).toBe(0);
  });
});

function row(page: Page, topicId: string): Locator {
  return page.locator(`[data-testid="topic-row"][data-id="${topicId}"]`);
}

async function choose(page: Page, topicId: string, action: string): Promise<void> {
  await row(page, topicId).hover();
  await row(page, topicId).getByTestId('topic-menu').click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}
