import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { answers, ended, topicOf } from './page.ts';
import { t, textLike } from './texts.ts';

/** One task from the first page to the last key: the steps build on each other, and none uses a mouse. */
describe.skipIf(!hasChromium())('a whole task by the keyboard alone', () => {
  const visit = opener();
  let app: App;
  let page: Page;
  let troubles: string[];

  beforeAll(async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const context = { permissions, reducedMotion: 'reduce' as const };
    ({ app, page, troubles } = await visit.page({ pace: 15, context }));
  });

  const press = (key: string) => page.keyboard.press(key);
  const type = (text: string) => page.keyboard.type(text);
  const fileText = (name: string) => readFileSync(join(app.home, 'workspace', name), 'utf8');

  /** Goes on until something that fits has the focus, which must be seen at every stop. */
  async function go(key: 'Tab' | 'Shift+Tab', selector: string): Promise<void> {
    const passed: string[] = [];
    for (let steps = 0; steps < 80; steps += 1) {
      await press(key);
      const stop = await focus(page);
      // After the last stop of the page come the browser's own.
      if (stop.name !== 'nothing') expect(stop).toMatchObject({ isSeen: true });
      if (await page.evaluate((it) => document.activeElement?.matches(it) === true, selector))
        return;
      passed.push(stop.name);
    }
    throw new Error(`${key} never reached ${selector}, but ${passed.join(', ')}.`);
  }

  /** Resolves when something that fits has the focus, and is seen to have it. */
  async function isAt(selector: string): Promise<void> {
    await page.waitForFunction((it) => document.activeElement?.matches(it), selector);
    await expect.poll(() => focus(page)).toMatchObject({ isSeen: true });
  }

  /** Chooses from the open menu by the first letters. */
  async function choose(item: string): Promise<void> {
    await isAt('[role="menuitem"]');
    await type(item.slice(0, 3));
    await page.waitForFunction((it) => document.activeElement?.textContent === it, item);
    await isAt('[role="menuitem"]');
    await press('Enter');
  }

  const testId = (id: string) => `[data-testid="${id}"]`;

  it('begins in the composer, and chooses the model', async () => {
    await isAt(testId('composer'));
    await go('Tab', testId('model-picker'));
    await press('Enter');
    await isAt('[role="combobox"]');
    await type('demo');
    await page.getByRole('option', { name: /demo/i }).first().waitFor();
    await press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await isAt(testId('model-picker'));
    await go('Shift+Tab', testId('composer'));
  });

  it('sends a message that calls a tool, and approves the call from its card', async () => {
    await type('/call write_file {"path":"one.txt","content":"as asked"}');
    await press('Shift+Enter');
    await press('Shift+Enter');
    await type('/call write_file {"path":"two.txt","content":"as asked"}');
    await press('Enter');
    await page.getByTestId('approve').waitFor();
    await isAt(testId('composer'));
    await press('F8');
    await isAt(testId('approval'));
    await go('Tab', testId('approve'));
    await press('Enter');
    await expect.poll(() => fileText('one.txt')).toBe('as asked');
  });

  it('changes the arguments of the second call before it approves them', async () => {
    await page.getByTestId('approval').filter({ hasText: 'two.txt' }).waitFor();
    await press('F8');
    await isAt(testId('approval'));
    await go('Tab', testId('edit-arguments'));
    await press('Enter');
    await page.getByTestId('edit-as-json').waitFor();
    await isAt('[data-pointer="/path"]');
    await go('Tab', '[data-pointer="/content"]');
    await press('Control+a');
    await type('as changed');
    await go('Tab', testId('approve'));
    await press('Enter');
    await ended(page, 0);
    await isAt(testId('composer'));
    expect(fileText('two.txt')).toBe('as changed');
  });

  it('opens the thinking and a call of the next answer, and copies its raw result', async () => {
    await type('What time is it in Tokyo, and what files are in the workspace?');
    await press('Enter');
    await ended(page, 1);
    await isAt(testId('composer'));
    await go('Shift+Tab', '[data-type="thinking"] button[aria-expanded]');
    await press('Enter');
    await answers(page).last().locator('[data-type="thinking"] .prose').waitFor();
    await go('Tab', `${testId('tool')} > button[aria-expanded]`);
    await press('Enter');
    await page.getByTestId('result').waitFor();
    await go('Tab', `${testId('result')} button[aria-pressed]`);
    await press('Space');
    await page.getByTestId('result').getByText('"content"').waitFor();
    await press('Tab');
    await press('Enter');
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain('"content"');
    await isAt(`${testId('result')} button`);
  });

  it('searches within the conversation, and comes back to where it was', async () => {
    await press('Control+f');
    await isAt(testId('find'));
    await type('Tokyo');
    await page
      .getByTestId('find-count')
      .filter({ hasText: textLike('find.count', { index: 1 }) })
      .waitFor();
    await press('Enter');
    await page
      .getByTestId('find-count')
      .filter({ hasText: textLike('find.count', { index: 2 }) })
      .waitFor();
    await press('Escape');
    await page.getByTestId('find-bar').waitFor({ state: 'detached' });
    await isAt(`${testId('result')} button`);
  });

  it('gives the conversation another name', async () => {
    await go('Shift+Tab', testId('topic-menu'));
    await press('Enter');
    await choose(t('sidebar.rename'));
    await isAt(testId('rename'));
    await type('By keys alone');
    await press('Enter');
    await isAt(`${testId('topic-row')} a`);
    const row = page.locator(`${testId('topic-row')}[data-id="${await topicOf(page)}"]`);
    await row.getByText('By keys alone').waitFor();
    await press('Tab');
    await press('Enter');
    await isAt('[role="menuitem"]');
    await press('Escape');
    await isAt(testId('topic-menu'));
  });

  it('changes the theme in the settings, and comes back', async () => {
    await go('Tab', 'a[href="/settings"]');
    await press('Enter');
    await page.waitForURL(/\/settings/);
    await go('Tab', testId('theme'));
    await type(t('settings.themeDark'));
    await expect
      .poll(() => page.evaluate(() => document.documentElement.dataset['theme']))
      .toBe('dark');
    await go('Shift+Tab', `${testId('topic-row')} a`);
    await press('Enter');
    await page.waitForURL(/\/t\//);
    await isAt(testId('composer'));
  });

  it('stops a running answer', async () => {
    await type('/write 20000');
    await press('Enter');
    await page.getByTestId('stop').waitFor();
    await go('Tab', testId('stop'));
    await press('Enter');
    expect((await ended(page, 2)).status).toBe('stopped');
    await isAt(testId('composer'));
  });

  it('deletes the conversation, is left at a place, and takes that back', async () => {
    await go('Shift+Tab', testId('topic-menu'));
    await press('Enter');
    await choose(t('common.delete'));
    await page.getByTestId('notice').waitFor();
    await isAt(testId('composer'));
    await go('Tab', `${testId('notice')} button`);
    await press('Enter');
    await page.waitForURL(/\/t\//);
  });

  it('caused no trouble in the page', () => {
    expect(troubles).toEqual([]);
  });
});

/** What has the focus, and whether a person can see that: by an outline, a ring, a border or a highlight. */
function focus(page: Page): Promise<{ name: string; isSeen: boolean }> {
  return page.evaluate(async () => {
    // A change of style is seen with the next frame.
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
    const element = document.activeElement;
    if (!element || element === document.body) return { name: 'nothing', isSeen: false };
    const colour = (token: string) => {
      const probe = document.createElement('i');
      probe.style.color = `var(${token})`;
      document.body.append(probe);
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    };
    const resting = new Set([colour('--line'), colour('--line-strong'), 'rgba(0, 0, 0, 0)']);
    const isRinged = (one: Element) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
      const hasOutline = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
      // A shadow without any blur is a ring, or a bar at one side; one of no size at all is none.
      return hasOutline || /\b(?:0px 0px 0px [1-9]|[1-9]px 0px 0px 0px inset)/.test(boxShadow);
    };
    const isFramed = (one: Element | null) => {
      if (!one) return false;
      const { borderTopColor, borderTopWidth } = getComputedStyle(one);
      return parseFloat(borderTopWidth) > 0 && !resting.has(borderTopColor);
    };
    const role = element.getAttribute('role');
    const isHighlighted =
      role === 'menuitem' && getComputedStyle(element).backgroundColor !== 'rgba(0, 0, 0, 0)';
    const isField = element.matches('input, textarea, select');
    const isSeen =
      isRinged(element) ||
      isHighlighted ||
      (isField && (isFramed(element.closest('[data-focus-frame]')) || isFramed(element)));
    const { width, height } = element.getBoundingClientRect();
    const name =
      element.getAttribute('data-testid') ??
      element.getAttribute('aria-label') ??
      `${element.tagName} ${element.textContent?.slice(0, 30)}`;
    return { name, isSeen: isSeen && width > 0 && height > 0 };
  });
}
