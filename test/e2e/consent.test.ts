import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import { listen } from '../fakes/loopback.ts';
import { codeFields, newRequest, type Tokens } from '../fixtures/program.ts';
import type { App } from './app.ts';
import { barriers } from './barriers.ts';
import { opener } from './opener.ts';
import { named, t } from './texts.ts';

const password = 'correct horse battery';
const programName = 'Example <b>program</b>';

/** Needs a browser: only one decides whether our cookie comes along, and whether a page is shown in a frame. */
describe.skipIf(!hasChromium())('a program that is connected in the browser (T96)', () => {
  const visit = opener();
  let app: App;
  let page: Page;
  let troubles: string[];
  let site: Awaited<ReturnType<typeof listen>>;
  /** What the page of the other site shows. */
  let content = '';

  beforeAll(async () => {
    ({ app, page, troubles } = await visit.page({ context: { blank: true } }));
    site = await listen(
      () => new Response(content, { headers: { 'content-type': 'text/html; charset=utf-8' } }),
    );
  });
  afterAll(() => site?.close());

  const back = () => `${site.url}/callback`;
  const elsewhere = () => `http://localhost:${new URL(site.url).port}/`;
  const hostOf = (url: string) => new URL(url).host;

  async function begin() {
    const response = await fetch(`${app.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: programName,
        redirect_uris: [back()],
        token_endpoint_auth_method: 'none',
      }),
    });
    const { client_id: clientId } = (await response.json()) as { client_id: string };
    const resource = `${app.url}/mcp`;
    const { query, verifier } = newRequest(clientId, { redirect_uri: back(), resource });
    const url = `${app.url}/oauth/authorize?${new URLSearchParams(query)}`;
    content = `<title>Elsewhere</title><a href="${url.replaceAll('&', '&amp;')}">go</a>`;
    return { url, clientId, verifier };
  }

  it('is asked about although the browser comes from another site, and gets its tokens', async () => {
    const { clientId, verifier } = await begin();
    await page.goto(elsewhere());
    await page.getByRole('link').click();
    await page.getByRole('heading', { name: t('consent.title') }).waitFor();
    expect(await page.getByTestId('program-name').textContent()).toBe(programName);
    await page.getByText(t('consent.thisComputer', { place: hostOf(site.url) })).waitFor();
    await page.getByRole('combobox', named('people.keyServers')).selectOption('some');
    expect(await barriers(page)).toEqual([]);
    const allow = page.getByRole('button', named('consent.allow'));
    expect(await allow.isDisabled()).toBe(true);
    await page.getByTestId('key-server').getByRole('checkbox').first().check();
    await allow.click();
    await page.waitForURL(`${back()}?**`);
    const fields = codeFields(new URL(page.url()), clientId, verifier);
    const response = await fetch(`${app.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...fields, redirect_uri: back() }),
    });
    const { access_token: token } = (await response.json()) as Tokens;
    const status = async () => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return (await fetch(`${app.url}/mcp`, { method: 'POST', headers, body: '{}' })).status;
    };
    expect(await status()).toBe(400);
    await page.goto(`${app.url}/settings/account`);
    const row = page.getByTestId('program-row').filter({ hasText: programName });
    await row.getByText(t('people.limitedTo', { count: 1 }), { exact: false }).waitFor();
    await row.getByRole('button').click();
    await row.waitFor({ state: 'detached' });
    expect(await status()).toBe(401);
    expect(troubles).toEqual([]);
  });

  /** After a password, or where a sign-in on another site comes back to. */
  const ways: [string, (stranger: Page) => Promise<void>][] = [
    [
      'with a password',
      async (stranger) => {
        await stranger.goto(`${app.url}/?sign-in=failed`);
        await stranger.getByRole('textbox', named('signIn.name')).fill('Consenting');
        await stranger.getByLabel(t('signIn.password'), { exact: true }).fill(password);
        await stranger.keyboard.press('Enter');
      },
    ],
    [
      'on another site',
      async (stranger) => {
        const data = { name: 'Consenting', password };
        await stranger.request.post(`${app.url}/api/sign-in`, { data });
        await stranger.goto(app.url);
      },
    ],
  ];

  it.each(ways)('waits while the person signs in %s', async (_, signIn) => {
    const body = { name: 'Consenting', role: 'user', password };
    const { id } = await app.api<{ id: string }>('/users', { method: 'POST', body });
    const { url } = await begin();
    const context = await page.context().browser()?.newContext({ locale: 'en-GB' });
    const stranger = await context?.newPage();
    if (!stranger) throw new Error('there is no browser');
    await stranger.goto(elsewhere());
    await stranger.getByRole('link').click();
    await stranger.getByTestId('sign-in').waitFor();
    await signIn(stranger);
    await stranger.getByTestId('program-name').waitFor();
    expect(stranger.url()).toBe(url);
    await stranger.getByText('Consenting').waitFor();
    await stranger.getByRole('button', named('consent.deny')).click();
    await stranger.waitForURL(`${back()}?error=access_denied**`);
    await context?.close();
    await app.api(`/users/${id}`, { method: 'DELETE' });
  });

  it('is not asked about in a frame', async () => {
    const { url } = await begin();
    content = `<iframe src="${url.replaceAll('&', '&amp;')}"></iframe>`;
    await page.goto(elsewhere());
    const frame = page.frames().find((each) => each !== page.mainFrame());
    await expect.poll(() => frame?.url()).toContain('chrome-error');
    expect(await page.frameLocator('iframe').getByTestId('consent').count()).toBe(0);
  });
});
