import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { answers, ask, ended, inMenu, topicOf } from './page.ts';
import { named, t } from './texts.ts';

describe.skipIf(!hasChromium())('versions of an answer', () => {
  const visit = opener();
  let app: App;
  let page: Page;
  let troubles: string[];

  beforeAll(async () => {
    ({ app, page, troubles } = await visit.page());
  });

  it('branch from a step, with the calls before it as they were', async () => {
    await ask(page, 'What is 6*7?');
    await inMenu(answers(page), 'branch');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(t('versions.from')).selectOption('2');
    await dialog.getByLabel(t('versions.prompt')).fill('Be brief.');
    await dialog.getByTestId('branch-save').click();
    await answers(page).getByTestId('version').getByText('2/2').waitFor();
    await ended(page, 0);
    const { messages } = await app.conversation(await topicOf(page));
    const calls = messages
      .filter(({ role }) => role === 'assistant')
      .map(({ blocks }) => blocks.flatMap((each) => (each.type === 'tool' ? each.toolCallId : [])));
    expect(calls[0]).toHaveLength(1);
    expect(calls[1]).toEqual(calls[0]);
  });

  it('stand side by side, step by step, and what differs stands out', async () => {
    await answers(page).getByRole('button', named('versions.compare')).click();
    const dialog = page.getByRole('dialog');
    const steps = dialog.getByTestId('compared-step');
    await steps.nth(1).waitFor();
    expect(await steps.count()).toBe(2);
    expect(await steps.first().locator('[data-same="false"]').count()).toBe(0);
    expect(await steps.nth(1).textContent()).toContain('42');
    await dialog.getByLabel(t('versions.left')).focus();
    // A key in the dialog is none for the versions behind it.
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await answers(page).getByTestId('version').getByText('2/2').waitFor();
    expect(troubles).toEqual([]);
  });
});
