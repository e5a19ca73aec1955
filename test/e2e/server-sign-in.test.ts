import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import { AuthorizationServer } from '../fakes/authorization-server.ts';
import { createProtectedServer, type ProtectedServer } from '../fakes/protected-server.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { blocks, ended, answers, send } from './page.ts';
import { hostSays, named, t } from './texts.ts';

const unsafe = ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '--flag'];

describe.skipIf(!hasChromium())('a protected server', () => {
  const visit = opener();
  let app: App;
  let page: Page;
  let issuer: AuthorizationServer;
  let server: ProtectedServer;
  let troubles: string[];

  beforeAll(async () => {
    issuer = await AuthorizationServer.start();
    // Another site than the page's, so that the session's cookie does not come back with the browser.
    const { port } = new URL(issuer.url);
    issuer.script.overrides = { authorization_endpoint: `http://localhost:${port}/authorize` };
    server = await createProtectedServer(issuer);
    ({ app, page, troubles } = await visit.page({ context: { blank: true } }));
  });
  afterAll(() => Promise.all([issuer?.close(), server?.close()]));

  it('is added, and says that and why it needs a sign-in', async () => {
    await page.goto(`${app.url}/servers`);
    await page.getByRole('button', named('servers.add')).click();
    await page.getByRole('combobox', named('servers.formType')).selectOption('streamableHttp');
    await page.getByRole('textbox', named('servers.formName')).fill('protected');
    await page.getByRole('textbox', named('servers.address')).fill(server.url);
    await page.getByRole('button', named('common.add')).click();
    const card = cardOf(page, 'needs-auth');
    await card.getByTestId('reason').getByText(hostSays('auth-sign-in')).waitFor();
    await card.getByTestId('reason').getByRole('button', named('servers.why')).click();
    const diagnosis = card.getByTestId('diagnosis');
    await diagnosis.getByText(hostSays('next-needs-auth')).waitFor();
    await diagnosis.getByText('streamableHttp', { exact: true }).waitFor();
    await diagnosis.getByText(`${t('diagnosis.auth-none')} · ${issuer.url}`).waitFor();
    await diagnosis.getByText(t('diagnosis.errors')).waitFor();
  });

  it('says where the browser is going, and takes a no for a no', async () => {
    await signIn('Deny');
    await page.getByText(hostSays('auth-declined', 'access_denied')).waitFor();
    await page.getByRole('link').click();
    await cardOf(page, 'needs-auth').waitFor();
  });

  it('is signed in to, and its tools work', async () => {
    // What says so goes on to the servers after a second: they come when it has been seen.
    const { promise: isSeen, resolve: goOn } = Promise.withResolvers<void>();
    await page.route(`${app.url}/servers`, async (route) => {
      await isSeen;
      await route.continue();
    });
    await signIn('Allow');
    await page.getByRole('heading', { name: 'protected' }).waitFor();
    goOn();
    await page.waitForURL(`${app.url}/servers`);
    await page.unrouteAll();
    const row = cardOf(page, 'connected').getByTestId('signed-in');
    await row.getByText(t('serverSignIn.signedInAt', { host: new URL(issuer.url).host })).waitFor();
    await row.getByText('basic').waitFor();
    expect(await callTool('whoami')).toMatchObject({
      status: 'success',
      text: expect.stringContaining('you'),
    });
  });

  it('is renewed by itself when its token ends, once', async () => {
    issuer.expireTokens();
    expect(await callTool('whoami')).toMatchObject({ status: 'success' });
    expect(issuer.count('refresh_token')).toBe(1);
  });

  it('is asked for more rights where a tool needs them, and then the tool works', async () => {
    expect(await callTool('admin_action')).toMatchObject({
      status: 'error',
      text: expect.stringMatching(hostSays('auth-sign-in-for')),
    });
    await page.goto(`${app.url}/servers`);
    await cardOf(page, 'needs-auth').getByTestId('reason').getByText('admin').waitFor();
    expect(await signIn('Allow')).toBe('basic admin');
    await page.waitForURL(`${app.url}/servers`);
    await cardOf(page, 'connected').waitFor();
    expect(await callTool('admin_action')).toMatchObject({
      status: 'success',
      text: expect.stringContaining('done'),
    });
    expect(await callTool('whoami')).toMatchObject({ status: 'success' });
  });

  it('is signed out of: the token is revoked, and a sign-in is needed again', async () => {
    const token =
      server.requests.findLast((each) => each['authorization'])?.['authorization'] ?? '';
    expect(issuer.inspect(token.split(' ')[1] ?? '')).toBeDefined();
    await page.goto(`${app.url}/servers`);
    await cardOf(page, 'connected').getByTestId('sign-out-of-server').click();
    await cardOf(page, 'needs-auth').waitFor();
    await page.getByTestId('signed-in').waitFor({ state: 'detached' });
    expect(issuer.inspect(token.split(' ')[1] ?? '')).toBeUndefined();
    expect(issuer.count('/revoke')).toBeGreaterThanOrEqual(2);
  });

  it.each(unsafe)(
    'cannot lead the browser to %s, even if the host let it (T09)',
    async (address) => {
      const json = { authorizationUrl: address, state: 'x', expiresAt: 0 };
      await page.route('**/sign-in', (route) =>
        route.request().method() === 'POST' ? route.fulfill({ json }) : route.fallback(),
      );
      await page.goto(`${app.url}/servers`);
      await cardOf(page, 'needs-auth').getByTestId('sign-in-to-server').click();
      await page.getByTestId('sign-in-error').getByText(hostSays('sign-in-unsafe')).waitFor();
      expect(await page.getByTestId('leave-to-sign-in').count()).toBe(0);
      expect(await unsafeLinks(page)).toEqual([]);
      await page.unroute('**/sign-in');
      expect(page.url()).toBe(`${app.url}/servers`);
    },
  );

  it.each(unsafe)(
    'is refused if its metadata name %s as the page to sign in (T09)',
    async (address) => {
      const overrides = { authorization_endpoint: address };
      const hostile = await AuthorizationServer.start({ overrides });
      const guarded = await createProtectedServer(hostile);
      const body = { type: 'streamableHttp', name: 'hostile', baseUrl: guarded.url };
      const { id } = await app.api<{ id: string }>('/servers', { method: 'POST', body });
      await page.goto(`${app.url}/servers`);
      const card = page.getByTestId('server').filter({ hasText: 'hostile' });
      await card.getByRole('button', named('servers.connect')).click();
      await card.getByTestId('reason').getByText(hostSays('auth-stops')).waitFor();
      await card.getByTestId('sign-in-to-server').click();
      await page.getByTestId('sign-in-error').getByText('sign_in_failed').waitFor();
      expect(await unsafeLinks(page)).toEqual([]);
      await app.api(`/servers/${id}`, { method: 'DELETE' });
      await Promise.all([hostile.close(), guarded.close()]);
    },
  );

  it('leaves no complaint of the browser behind', () => {
    // Refusals are answers too; the authorization server has no icon.
    expect(troubles.filter((text) => !/status of (400|404|409|502)/.test(text))).toEqual([]);
  });

  /** Goes through a sign-in up to the decision; resolves with the scopes that were shown. */
  async function signIn(decision: 'Allow' | 'Deny'): Promise<string> {
    await cardOf(page, 'needs-auth').getByTestId('sign-in-to-server').click();
    const { port } = new URL(issuer.url);
    await page.getByTestId('sign-in-host').getByText(`localhost:${port}`).waitFor();
    await page.getByTestId('leave-to-sign-in').click();
    await page.waitForURL(new RegExp(`^http://localhost:${port}/authorize`));
    const scope = await page.locator('#scope').textContent();
    await page.getByRole('button', { name: decision }).click();
    return scope ?? '';
  }

  /** Has the model call a tool in a new conversation, and approves it. */
  async function callTool(name: string): Promise<{ status: string; text: string }> {
    await page.goto(app.url);
    await page.getByTestId('composer').waitFor();
    await send(page, `/call ${name} {}`);
    await answers(page).last().getByTestId('approve').click();
    await ended(page, 0);
    const block = blocks(page, 'tool').last();
    await block.getByRole('button').first().click();
    // What a call is made of is loaded when the first one is opened.
    await block.getByTestId('run-again').waitFor();
    const status = (await block.getAttribute('data-status')) ?? '';
    return { status, text: (await block.textContent()) ?? '' };
  }
});

function cardOf(page: Page, state: string): Locator {
  return page.locator(`[data-testid="server"][data-state="${state}"]`, { hasText: 'protected' });
}

/** Links of the page that would run or open something else than a web page. */
function unsafeLinks(page: Page): Promise<string[]> {
  return page
    .locator('[href], [src], [action]')
    .evaluateAll((all) =>
      all
        .flatMap((element) => ['href', 'src', 'action'].map((name) => element.getAttribute(name)))
        .filter((value) => value !== null && /^\s*(javascript|data|file):/i.test(value)),
    ) as Promise<string[]>;
}
