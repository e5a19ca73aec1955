import { beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { hasChromium } from '../chromium.ts';
import { textChunks } from '../fakes/fake-openai.ts';
import { barriers } from './barriers.ts';
import { opener } from './opener.ts';
import { answers, ask, ended, send } from './page.ts';
import type { ToldApp } from './told-model.ts';
import { named, t, textLike } from './texts.ts';

describe.skipIf(!hasChromium())('a model and its vendor', () => {
  const visit = opener();
  let told: ToldApp;
  let page: Page;

  beforeAll(async () => {
    const opened = await visit.told();
    told = opened.told;
    ({ page } = await told.app.signIn(opened.browser));
  });

  it('has a price that is set beside its switch, and gives the next answers an estimated cost', async () => {
    await told.say(page, 'Before.');
    expect(await answers(page).last().getByTestId('usage').textContent()).not.toContain('$');

    await page.goto(`${told.app.url}/settings/models`);
    await page.getByRole('button', named('settings.modelsOf')).click();
    await page.getByRole('button', priced(t('settings.priceSet'))).click();
    const form = page.getByTestId('price-form');
    await form.getByLabel(t('settings.priceInput'), { exact: true }).fill('2.5');
    await form.getByLabel(t('settings.priceOutput'), { exact: true }).fill('10');
    expect(await barriers(page)).toEqual([]);
    await form.getByRole('button', named('common.save')).click();
    await page.getByRole('button', priced('US$2.50 / US$10')).waitFor();

    await page.goto(told.app.url);
    await told.say(page, 'After.');
    // 7 tokens in and 5 out.
    const line = answers(page).last().getByTestId('usage');
    await line.getByText('≈US$0.0000675').waitFor();
    await line.click();
    await page.getByTestId('usage-figures').getByText(t('message.usageCostEstimated')).waitFor();

    await page.goto(`${told.app.url}/settings/usage`);
    await page.getByText('≈US$0.0000675').first().waitFor();
    await page.goto(`${told.app.url}/settings/models`);
    await page.getByRole('button', named('settings.modelsOf')).click();
    await page.getByRole('button', { name: t('settings.priceOf', { name: 'fake-model' }) }).click();
    await page.getByRole('button', named('settings.priceRemove')).click();
    await page.getByRole('button', priced(t('settings.priceSet'))).waitFor();
  });

  it('T95: shows what the vendor ran itself, with what it was given and what came of it', async () => {
    await openMaker();
    const item = { type: 'mcp_call', id: 'i', server_label: 'deepwiki', name: 'ask_question' };
    const given = { arguments: '{"repoName":"facebook/react"}', output: 'A fiber is work.' };
    told.fake.respond({
      chunks: [
        { type: 'response.output_item.added', output_index: 0, item },
        { type: 'response.output_item.done', output_index: 0, item: { ...item, ...given } },
        { type: 'response.output_text.delta', output_index: 1, item_id: 't', delta: 'Done.' },
        { type: 'response.completed', response: { id: 'r' } },
      ],
    });
    await ask(page, 'What is a fiber?');
    const call = answers(page).last().getByTestId('tool');
    for (const again of [false, true]) {
      if (again) await page.reload();
      await call.getByTestId('run-by-vendor').waitFor();
      expect(await call.getByTestId('run-by-vendor').textContent()).toBe(
        t('tool.runBy', { vendor: 'OpenAI' }),
      );
      expect(await call.innerText()).toContain(t('tool.on', { server: 'deepwiki' }));
      await call.getByRole('button').first().click();
      await call.getByText('A fiber is work.').waitFor();
      expect(await call.innerText()).toContain('facebook/react');
      expect(await call.getByTestId('run-again').count()).toBe(0);
      expect(await barriers(page)).toEqual([]);
    }
  });

  it('T95: counts down to the next try, in every tab, with a way out', async () => {
    await openMaker();
    const limited = { status: 429, raw: '{"error":{}}', headers: { 'retry-after': '50' } };
    told.fake.respond(limited);
    await send(page, 'Hello?');
    const row = answers(page).last().locator('[data-testid="waiting"][data-for="retry"]');
    const reason = t('waiting.retryReasons.rate_limited');
    const next = { reason, attempt: 2, of: 3 };
    const words = textLike('waiting.retryIn', { ...next, seconds: /\d\d/ });
    await row.getByText(words).waitFor();
    // Whoever has it read out hears of it once, and not every second.
    expect(await row.getByRole('status').textContent()).toBe(t('waiting.retryNow', next));
    // What moves for ever would never be looked at.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await barriers(page)).toEqual([]);
    const other = await page.context().newPage();
    await other.addInitScript(() => {
      const { now } = Date;
      Date.now = () => now() - 3_600_000;
    });
    await other.goto(page.url());
    await other.getByTestId('waiting').getByText(words).waitFor();
    told.fake.respond({ chunks: textChunks(['Here', ' I am.']) });
    await row.getByTestId('retry-other-model').click();
    await page.getByRole('group', { name: 'told' }).getByRole('option').click();
    await answers(page).last().getByText('Here I am.').waitFor();
    await answers(other).last().getByText('Here I am.').waitFor();
    await other.close();
    told.fake.respond(limited);
    await send(page, 'And now?');
    await row.getByTestId('retry-stop').click();
    expect((await ended(page, 1)).status).toBe('stopped');
    expect(await row.count()).toBe(0);
  });

  /** The button of a price, which is called by what it shows and by its model. */
  const priced = (shown: string) => ({
    name: `${shown} – ${t('settings.priceOf', { name: 'fake-model' })}`,
    exact: true,
  });

  /** A new conversation with a model of a vendor that runs tools itself. */
  async function openMaker(): Promise<void> {
    const body = { name: 'maker', kind: 'openai', baseUrl: told.fake.baseUrl, apiKey: 'x' };
    const { providers } = await told.app.api<{ providers: { name: string }[] }>('/providers');
    if (!providers.some(({ name }) => name === 'maker'))
      await told.app.api('/providers', { method: 'POST', body });
    const topic = { model: 'maker/fake-model' };
    const { id } = await told.app.api<{ id: string }>('/topics', { method: 'POST', body: topic });
    await page.goto(`${told.app.url}/t/${id}`);
  }
});
