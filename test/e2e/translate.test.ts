import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { answers, ask, inMenu, topicOf } from './page.ts';
import { t } from './texts.ts';

describe.skipIf(!hasChromium())('a translation', () => {
  const visit = opener();
  let app: App;
  let page: Page;
  let troubles: string[];

  beforeAll(async () => {
    ({ app, page, troubles } = await visit.page({ own: true }));
  });

  const translation = () => answers(page).locator('[data-type="translation"]').last();
  const withStatus = (status: string) =>
    translation().and(page.locator(`[data-status="${status}"]`));

  async function translate(language: string): Promise<void> {
    await inMenu(answers(page), 'translate');
    await page.getByRole('menuitem', { name: language, exact: true }).click();
  }

  async function stored() {
    const { messages } = await app.conversation(await topicOf(page));
    const answer = messages.at(-1);
    return { answer, block: answer?.blocks.findLast(({ type }) => type === 'translation') };
  }

  it('offers the language of the page first, and goes on over a reload', async () => {
    await ask(page, '/write 900');
    // From here on slow enough that a reload is over before a translation is.
    await app.restart('SIGKILL', 20);
    await inMenu(answers(page), 'translate');
    const languages = page.getByTestId('languages').getByRole('menuitem');
    expect(await languages.first().textContent()).toBe('English');
    await page.getByRole('menuitem', { name: 'Japanese' }).click();
    await withStatus('streaming').waitFor();
    await translation()
      .getByText(t('block.translating', { language: 'Japanese' }))
      .waitFor();
    await page.reload();
    await withStatus('streaming').waitFor();
    await withStatus('success').waitFor();
    const { answer, block } = await stored();
    expect(block).toMatchObject({ language: 'ja', model: 'demo/scripted', status: 'success' });
    expect(block?.content.endsWith(answer?.blocks[0]?.content ?? '?')).toBe(true);
    await translation()
      .getByText(t('block.translatedInto', { language: 'Japanese' }))
      .waitFor();
  });

  it('can be stopped; what was written stays', async () => {
    await translate('French');
    await withStatus('streaming').waitFor();
    // By the keyboard: under a mouse it moves away with the words that come.
    await page.getByTestId('stop-translation').press('Enter');
    await withStatus('paused').waitFor();
    const { answer, block } = await stored();
    expect(block).toMatchObject({ language: 'fr', status: 'paused' });
    expect(answer?.status).toBe('success');
  });

  it('can be stopped beside the box, where no words move the button away', async () => {
    await translate('Spanish');
    await withStatus('streaming').waitFor();
    await page.getByTestId('stop').click();
    await withStatus('paused').waitFor();
    await page.getByTestId('stop').waitFor({ state: 'detached' });
    expect((await stored()).block).toMatchObject({ language: 'es', status: 'paused' });
  });

  it('is made again after the host was killed', async () => {
    await translate('German');
    await withStatus('streaming').waitFor();
    await app.restart('SIGKILL', 1);
    await withStatus('success').waitFor();
    const { answer, block } = await stored();
    expect(block).toMatchObject({ language: 'de', status: 'success' });
    expect(answer).not.toHaveProperty('translating');
    const shown = answers(page).locator('[data-type="translation"]');
    await expect.poll(() => shown.count()).toBe(4);
  });

  it('caused no trouble in the page', () => {
    const own = troubles.filter((words) => !/ERR_|Failed to load resource/.test(words));
    expect(own).toEqual([]);
  });
});
