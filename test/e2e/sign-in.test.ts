import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { t } from './texts.ts';

describe.skipIf(!hasChromium())('signing in', () => {
  const visit = opener();
  let app: App;
  let browser: Browser;

  beforeAll(async () => {
    ({ app, browser } = await visit.app({ own: true }));
  });

  it('shows what to do to a browser that is not signed in, on every page', async () => {
    const page = await browser.newPage({ locale: 'en-GB' });
    for (const path of ['/', '/servers', '/settings', '/t/some-topic']) {
      await page.goto(app.url + path);
      await page.getByTestId('sign-in').waitFor();
      await page.getByText(t('signIn.text')).waitFor();
      expect(await page.getByTestId('topic-row').count()).toBe(0);
    }
    await page.close();
  });

  /** Notes what of the page is drawn from its next start on. */
  async function watchDrawing(page: Page): Promise<() => Promise<string[]>> {
    await page.addInitScript(() => {
      const seen = new Set<string>();
      Object.assign(globalThis, { seen });
      new MutationObserver(() => {
        for (const id of ['composer', 'sign-in'])
          if (document.querySelector(`[data-testid="${id}"]`)) seen.add(id);
      }).observe(document, { childList: true, subtree: true });
    });
    return () => page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen]);
  }

  it('draws nothing of the app before it knows who is there', async () => {
    const page = await browser.newPage({ locale: 'en-GB' });
    const drawn = await watchDrawing(page);
    await page.goto(app.url);
    await page.getByTestId('sign-in').waitFor();
    expect(await drawn()).toEqual(['sign-in']);
    await page.close();
  });

  it('stumble: shows the way in, and nothing else, where a sign-in has ended', async () => {
    const { page, context } = await app.signIn(browser);
    const drawn = await watchDrawing(page);
    const { signIns } = await app.api<{ signIns: { id: string }[] }>('/sign-ins');
    for (const { id } of signIns) await app.api(`/sign-ins/${id}`, { method: 'DELETE' });
    await page.goto(app.url);
    await page.getByTestId('sign-in').waitFor();
    expect(await drawn()).toEqual(['sign-in']);
    await context.close();
  });

  it('stumble: shows the way in before anything else has answered', async () => {
    const page = await browser.newPage({ locale: 'en-GB' });
    // Requests of a worker that tabs share would go past the route.
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
    await page.route('**/api/**', () => undefined);
    await page.goto(app.url);
    await page.getByTestId('sign-in').waitFor();
    await page.close();
  });

  it('finds whoever comes from another site signed in, whose first request has no cookie', async () => {
    const { page, context } = await app.signIn(browser);
    const elsewhere = `http://localhost:${new URL(app.url).port}`;
    await page.route(`${elsewhere}/**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${app.url}/servers">Cerise</a>` }),
    );
    await page.goto(elsewhere);
    await page.getByRole('link').click();
    await page.getByTestId('server').first().waitFor();
    await context.close();
  });

  it('signs in one browser by a link, and says to the next that it was used', async () => {
    const link = await app.nextLink();
    const first = await browser.newPage({ locale: 'en-GB' });
    await first.goto(link);
    await first.getByTestId('composer').waitFor();
    expect(first.url()).not.toContain('code=');

    const second = await browser.newPage({ locale: 'en-GB' });
    await second.goto(link);
    await second.getByTestId('sign-in').getByText(t('signIn.used')).waitFor();
    const refused = await second.request.get(`${app.url}/api/topics`);
    expect(refused.status()).toBe(401);

    await second.goto(await app.nextLink());
    await second.getByTestId('composer').waitFor();
    await first.reload();
    await first.getByTestId('composer').waitFor();
    await Promise.all([first.close(), second.close()]);
  });

  it('keeps a browser signed in over a restart, while old links are void', async () => {
    const { page, context } = await app.signIn(browser);
    const unused = await app.nextLink();
    await app.restart('SIGTERM');
    await page.reload();
    await page.getByTestId('composer').waitFor();
    const stranger = await browser.newPage({ locale: 'en-GB' });
    await stranger.goto(unused);
    await stranger.getByTestId('sign-in').waitFor();
    await Promise.all([context.close(), stranger.close()]);
  });
});
