import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { hasChromium, sharedChromium } from '../chromium.ts';
import { barriers } from './barriers.ts';
import { answers } from './page.ts';
import { startTold, type ToldApp } from './told-model.ts';

describe.skipIf(!hasChromium())('the price of a model', () => {
  let told: ToldApp;
  let page: Page;

  beforeAll(async () => {
    told = await startTold();
    ({ page } = await told.app.signIn(await sharedChromium()));
  });
  afterAll(async () => {
    await page?.context().close();
    await told?.close();
  });

  it('is set beside its switch, and gives the next answers an estimated cost', async () => {
    await told.say(page, 'Before.');
    expect(await answers(page).last().getByTestId('usage').textContent()).not.toContain('$');

    await page.goto(`${told.app.url}/settings/models`);
    await page.getByRole('button', { name: 'Choose models' }).click();
    await page.getByRole('button', { name: 'Set price – Price of fake-model' }).click();
    const form = page.getByTestId('price-form');
    await form.getByLabel('Input', { exact: true }).fill('2.5');
    await form.getByLabel('Output').fill('10');
    expect(await barriers(page)).toEqual([]);
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: '$2.50 / $10 – Price of fake-model' }).waitFor();

    await page.goto(told.app.url);
    await told.say(page, 'After.');
    // 7 tokens in and 5 out.
    const line = answers(page).last().getByTestId('usage');
    await line.getByText('≈$0.0000675').waitFor();
    await line.click();
    await page.getByTestId('usage-figures').getByText('Cost, estimated').waitFor();

    await page.goto(`${told.app.url}/settings/usage`);
    await page.getByText('≈$0.0000675').first().waitFor();
    await page.goto(`${told.app.url}/settings/models`);
    await page.getByRole('button', { name: 'Choose models' }).click();
    await page.getByRole('button', { name: /Price of fake-model/ }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Set price – Price of fake-model' }).waitFor();
  });
});
