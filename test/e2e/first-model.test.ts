import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../src/web/messages/en/en.ts';
import { hasChromium } from '../chromium.ts';
import { type FakeOpenAi, startFakeOpenAi, textChunks } from '../fakes/fake-openai.ts';
import type { App } from './app.ts';
import { barriers } from './barriers.ts';
import { opener } from './opener.ts';
import { answers, ended, isInSight, topicOf } from './page.ts';

const { chat, composer, message, settings } = en;

/** Counts in the page what a person does there: presses, keys apart from letters, and fields typed into. */
async function countDeeds(page: Page): Promise<() => Promise<{ clicks: number; fields: number }>> {
  const deeds = await page.evaluateHandle(() => {
    const counts = { clicks: 0, fields: new Set<EventTarget | null>() };
    addEventListener('pointerdown', () => (counts.clicks += 1), true);
    addEventListener('keydown', ({ key }) => (counts.clicks += key.length > 1 ? 1 : 0), true);
    addEventListener('input', ({ target }) => counts.fields.add(target), true);
    return counts;
  });
  return () => deeds.evaluate(({ clicks, fields }) => ({ clicks, fields: fields.size }));
}

/** Types where the focus is already, as a person does who is not asked to click first. */
async function typeInto(target: Locator, text: string): Promise<void> {
  await expect.poll(() => target.evaluate((it) => it === document.activeElement)).toBe(true);
  await target.page().keyboard.type(text);
}

describe.skipIf(!hasChromium())('the first real model', () => {
  const visit = opener();
  let app: App;
  let page: Page;
  let fake: FakeOpenAi;

  beforeAll(async () => {
    fake = await startFakeOpenAi(['tiny-mini', 'grand']);
    ({ app, page } = await visit.page({ own: true }));
    return () => fake.close();
  });

  const button = (name: string, exact = true) => page.getByRole('button', { name, exact });
  const picker = () => page.getByRole('button', { name: new RegExp(`^${composer.model}: `) });

  it('answers after at most 5 clicks and 2 fields, from an empty host', async () => {
    fake.respond({ chunks: textChunks(['I am', ' real.']) });
    const deeds = await countDeeds(page);
    await page.getByRole('link', { name: chat.addModel }).click();
    await page
      .getByRole('dialog')
      .getByRole('heading', { name: settings.vendorsPopular })
      .waitFor();
    expect(await barriers(page)).toEqual([]);
    // What is not listed is in sight without scrolling through all that is.
    const other = button(settings.providerKindOther);
    expect(await isInSight(other)).toBe(true);
    await other.click();
    await typeInto(page.getByLabel(settings.baseUrl), fake.baseUrl);
    await button(settings.connectProvider).click();
    await button(settings.backToChat).waitFor();
    expect(await page.getByRole('checkbox', { name: settings.useByDefault }).isChecked()).toBe(
      true,
    );
    expect(await barriers(page)).toEqual([]);
    await button(settings.backToChat).click();
    await typeInto(page.getByRole('textbox', { name: composer.label }), 'Who are you?');
    await button(composer.send).click();
    await ended(page, 0);
    expect(await answers(page).last().innerText()).toContain('I am real.');
    expect(await deeds()).toEqual({ clicks: 5, fields: 2 });
    const { defaultModel } = await app.api<{ defaultModel: string }>('/models');
    expect(defaultModel).toMatch(/\/tiny-mini$/);
    const { topic } = await app.conversation(await topicOf(page));
    expect(topic.model).toBe(defaultModel);
  });

  it('leads back to the form where the test fails, and on from there', async () => {
    await page.goto(`${app.url}/settings/models?add`);
    await typeInto(page.getByRole('searchbox', { name: settings.searchVendors }), 'deeps');
    await button('DeepSeek', false).click();
    await typeInto(page.getByLabel(settings.apiKey), 'a-key');
    await button(settings.providerMore).click();
    await page.getByLabel(settings.providerName).fill('深度求索 工作');
    await page.getByLabel(settings.baseUrl).fill('http://127.0.0.1:9/v1');
    await button(settings.connectProvider).click();
    await button(settings.changeProvider).click();
    await page.getByLabel(settings.baseUrl).fill(fake.baseUrl);
    await button(settings.saveProvider).click();
    const ready = page.getByRole('dialog');
    await ready.getByLabel(settings.modelToUse, { exact: true }).selectOption('grand');
    // The person has a default by now; this is for one chat.
    const asDefault = ready.getByRole('checkbox', { name: settings.useByDefault });
    expect(await asDefault.isChecked()).toBe(false);
    await ready.getByRole('button', { name: settings.modelsOf }).click();
    await ready.getByRole('switch', { name: 'tiny-mini' }).click();
    await button(settings.backToChat).click();
    await picker().getByText('grand').waitFor();
    await picker().click();
    await page.getByRole('group', { name: '深度求索 工作' }).waitFor();
    expect(await page.getByRole('option', { name: /tiny-mini/ }).count()).toBe(1);
  });

  it('is a favourite when it is starred, in every picker, and can be filtered', async () => {
    const list = page.getByRole('listbox', { name: composer.model });
    await page.getByRole('combobox', { name: composer.filterModels }).fill('grand');
    const favourite = page.getByRole('button', { name: `${composer.favourite}: grand` });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await favourite.and(page.locator('[aria-pressed="true"]')).waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await picker().click();
    const starred = list.getByRole('group', { name: composer.favourites }).getByRole('option');
    await starred.first().waitFor();
    expect(await barriers(page)).toEqual([]);
    await expect
      .poll(
        async () => (await app.api<{ favouriteModels?: string[] }>('/settings')).favouriteModels,
      )
      .toHaveLength(1);
    await page.keyboard.press('Escape');

    const [topic] = await app.topics();
    await page.goto(`${app.url}/t/${topic?.id}`);
    await answers(page).last().getByRole('button', { name: message.regenerateWith }).click();
    await starred.first().waitFor();
    await page.getByRole('combobox', { name: composer.filterModels }).fill('grand');
    await expect.poll(() => page.getByRole('option', { name: /tiny/ }).count()).toBe(0);
    fake.respond({ chunks: textChunks(['Grandly.']) });
    await page.getByRole('option', { name: /grand/ }).first().click();
    await answers(page).last().getByText('Grandly.').waitFor();
    await answers(page).last().getByRole('button', { name: message.regenerateWith }).click();
    await page.getByRole('link', { name: composer.addModel }).click();
    await page.getByRole('searchbox', { name: settings.searchVendors }).waitFor();
  });

  it('of the last chat is that of the next one, where no default is set', async () => {
    const { defaultModel, ...others } = await app.api<{ defaultModel?: string }>('/settings');
    await app.api('/settings', { method: 'PUT', body: others });
    const [, second] = (await app.api<{ models: { id: string }[] }>('/models')).models;
    expect(defaultModel).toBe(second?.id);
    await page.goto(app.url);
    await picker().getByText('tiny-mini').waitFor();
    fake.respond({ chunks: textChunks(['Again.']) });
    await page.getByRole('textbox', { name: composer.label }).fill('And now?');
    await button(composer.send).click();
    await ended(page, 0);
    expect((await app.conversation(await topicOf(page))).topic.model).toBe(defaultModel);
    // The menu for another answer marks what wrote this one.
    await page.getByTestId('regenerate-with').click();
    const marked = page.getByRole('option', { selected: true });
    expect(await marked.allTextContents()).toEqual([expect.stringContaining('tiny-mini')]);
    await page.keyboard.press('Escape');
  });

  it('says of a rejected key what is wrong, in the dialog and later in the list', async () => {
    const strict = createServer((_, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"Incorrect API key","code":"invalid_api_key"}}');
    }).listen(0, '127.0.0.1');
    await once(strict, 'listening');
    const { port } = strict.address() as AddressInfo;
    await page.goto(`${app.url}/settings/models?add`);
    await button(settings.providerKindOther).click();
    await page.getByLabel(settings.baseUrl).fill(`http://127.0.0.1:${port}/v1`);
    await page.getByLabel(settings.apiKey).fill('wrong');
    await page.getByLabel(settings.providerName).fill('Strict');
    await button(settings.connectProvider).click();
    const fails = settings.providerFails.replace('{name}', 'Strict');
    await page.getByRole('dialog', { name: fails }).getByRole('alert').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: en.common.close }).first().click();
    const row = page.getByRole('listitem').filter({ hasText: 'Strict' });
    await row.getByTestId('provider-fails').getByText(settings.keyRejected).waitFor();
    await page.reload();
    await row.getByTestId('provider-silent').waitFor();
    await row.getByTestId('test-provider').click();
    await row.getByTestId('provider-fails').getByText(settings.keyRejected).waitFor();
    await row.getByRole('alert').waitFor();
    strict.close();
  });

  it('stumble: asks a vendor without models nothing when the providers are opened', async () => {
    let requests = 0;
    const vendor = createServer((_, response) => {
      requests += 1;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"object":"list","data":[]}');
    }).listen(0, '127.0.0.1');
    await once(vendor, 'listening');
    const { port } = vendor.address() as AddressInfo;
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    const body = { name: 'Bare', kind: 'openai-compatible', baseUrl, apiKey: 'key' };
    await app.api('/providers', { method: 'POST', body });
    // The list of its models, which the page needs, is read once.
    await app.api('/models');
    expect(requests).toBe(1);
    await page.goto(`${app.url}/settings/models`);
    const row = page.getByRole('listitem').filter({ hasText: 'Bare' });
    await row.getByTestId('provider-silent').getByText(settings.noModels).waitFor();
    await page.locator('[data-testid="discover"]:enabled').waitFor();
    expect(requests).toBe(1);
    await row.getByTestId('test-provider').click();
    await expect.poll(() => requests).toBeGreaterThan(1);
    vendor.close();
  });
});
