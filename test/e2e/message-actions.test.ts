import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { attach, newChat } from './composing.ts';
import { opener } from './opener.ts';
import { answers, ask, ended, inMenu, shownMessages, shows, topicOf } from './page.ts';
import { named, t } from './texts.ts';

describe.skipIf(!hasChromium())('what can be done with a message', () => {
  const visit = opener();
  let app: App;
  let page: Page;
  let troubles: string[];

  beforeAll(async () => {
    ({ app, page, troubles } = await visit.page());
  });

  const version = () => answers(page).getByTestId('version');
  const confirm = () =>
    page.getByRole('dialog').getByRole('button', named('common.delete')).click();

  it('goes through versions by the keyboard, and keeps the focus', async () => {
    await ask(page, 'What is 2+2?');
    await answers(page).getByRole('button', named('message.regenerate')).click();
    await version().getByText('2/2').waitFor();
    await ended(page, 0);
    await page.getByRole('button', named('message.previous')).focus();
    await page.keyboard.press('ArrowLeft');
    await version().getByText('1/2').waitFor();
    await page.keyboard.press('ArrowRight');
    await version().getByText('2/2').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await expect.poll(focused).toBe(t('message.previous'));
  });

  it('ends with a menu that ends with Delete, apart from what goes through the versions', async () => {
    const buttons = answers(page).getByRole('group', named('message.actions')).getByRole('button');
    expect((await testIds(buttons)).slice(-3)).toEqual(['compare', 'message-menu', 'usage']);
    await answers(page).getByTestId('message-menu').click();
    const entries = ['translate', 'branch', 'fork', 'delete-message'];
    await expect.poll(() => testIds(page.getByRole('menuitem'))).toEqual(entries);
    await page.keyboard.press('Escape');
  });

  it('stumble: shows at most four actions before what goes through the versions', async () => {
    const buttons = answers(page).getByRole('group', named('message.actions')).getByRole('button');
    const names = await buttons.evaluateAll((all) => all.map((one) => one.ariaLabel));
    expect(names.slice(0, names.indexOf(t('message.previous')))).toEqual([
      t('common.copy'),
      t('message.regenerate'),
      t('message.quote'),
    ]);
  });

  it('has the menu on the keyboard, and the focus back on its button', async () => {
    const menu = answers(page).getByTestId('message-menu');
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => menu.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await page.getByTestId('languages').getByRole('menuitem').first().waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByTestId('languages').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  });

  it('deletes a version and shows the one beside it', async () => {
    await inMenu(answers(page), 'delete-message');
    await confirm();
    await version().waitFor({ state: 'detached' });
    const { messages } = await app.conversation(await topicOf(page));
    expect(messages).toHaveLength(2);
    expect(await answers(page).count()).toBe(1);
    await page.reload();
    await answers(page).getByText('4').first().waitFor();
  });

  it('says how much goes with a message, and takes it away in every window', async () => {
    await ask(page, 'What is 3+3?');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await answers(other).nth(1).waitFor();
    const question = page.locator('[data-testid="message"][data-role="user"]').nth(1);
    await question.hover();
    await inMenu(question, 'delete-message');
    await page
      .getByRole('dialog')
      .getByText(t('message.deleteText', { count: 2, more: 1 }))
      .waitFor();
    await confirm();
    await question.waitFor({ state: 'detached' });
    await shows(other, await shownMessages(page));
    expect(await shownMessages(page)).toHaveLength(2);
    await other.close();
  });

  it('quotes what is selected, or all, in the composer', async () => {
    await answers(page).getByTestId('quote').click();
    const composer = page.getByTestId('composer');
    expect(await composer.inputValue()).toMatch(/^> .*4/s);
    expect(await composer.evaluate((box) => box === document.activeElement)).toBe(true);
    await composer.fill('');
  });

  it('tells what an answer took, and no price that nobody told', async () => {
    await answers(page).hover();
    await answers(page).getByTestId('usage').click();
    const figures = page.getByTestId('usage-figures');
    await figures.getByText('demo/scripted').waitFor();
    await figures.getByText(t('message.usageOutput')).waitFor();
    expect(await figures.textContent()).not.toContain('$');
    await page.keyboard.press('Escape');
  });

  it('keeps the files of a question that is worded anew, and the words until they are sent', async () => {
    await newChat(page, app);
    await attach(page, 'note.txt', 'text/plain', Buffer.from('a note'));
    await ask(page, 'What is 4+4?');
    const question = page.locator('[data-testid="message"][data-role="user"]');
    await question.hover();
    await question.getByRole('button', named('message.edit')).click();
    await page.getByTestId('edit-message').fill('What is 5+5?');
    const topicId = await topicOf(page);
    const elsewhere = { text: 'What is 6+6?', parentId: null };
    await app.api(`/topics/${topicId}/messages`, { method: 'POST', body: elsewhere });
    await question.getByText('What is 6+6?').waitFor();
    await ended(page, 0);
    await question.hover();
    await question.getByRole('button', named('message.previous')).click();
    await page.getByTestId('edit-message').waitFor();
    await page.reload();
    const editor = page.getByTestId('edit-message');
    await editor.waitFor();
    expect(await editor.inputValue()).toBe('What is 5+5?');
    await page.getByTestId('resend').click();
    await question.getByText('What is 5+5?').waitFor();
    await question.getByText('note.txt').waitFor();
    await ended(page, 0);
    await page.reload();
    await question.getByText('What is 5+5?').waitFor();
    expect(await editor.count()).toBe(0);
  });

  it('caused no trouble in the page', () => {
    expect(troubles).toEqual([]);
  });
});

function testIds(all: Locator): Promise<(string | undefined)[]> {
  return all.evaluateAll((each) => each.map((one) => (one as HTMLElement).dataset['testid']));
}
