import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import { type App, openBrowser } from './app.ts';
import { opener } from './opener.ts';
import { answers, ask, topicOf, watchTroubles } from './page.ts';
import { named, t, textLike } from './texts.ts';

const password = 'correct horse battery';

describe.skipIf(!hasChromium())('several people', () => {
  const visit = opener();
  let app: App;
  let browser: Browser;

  beforeAll(async () => {
    ({ app, browser } = await visit.app({ own: true }));
  });

  const addPerson = (name: string, role = 'user') =>
    app.api<{ id: string }>('/users', { method: 'POST', body: { name, role, password } });

  /** A browser of its own at the sign-in page. */
  async function stranger(): Promise<Page> {
    const page = await (await openBrowser(browser)).newPage();
    await page.goto(app.url);
    await page.getByTestId('sign-in').waitFor();
    return page;
  }

  async function signIn(page: Page, name: string, given = password): Promise<void> {
    await page.getByRole('textbox', named('signIn.name')).fill(name);
    await page.getByLabel(t('signIn.password'), { exact: true }).fill(given);
    await page.keyboard.press('Enter');
  }

  it('sign in by name and password, and see what is theirs alone', async () => {
    await addPerson('Ana');
    await addPerson('Ben');
    const page = await stranger();
    const troubles = watchTroubles(page);
    await signIn(page, 'Ana', 'not the password');
    await page.getByRole('alert').getByText(t('signIn.wrong')).waitFor();
    await signIn(page, 'Ana');
    await page.getByTestId('composer').waitFor();
    await page.getByTestId('user-menu').getByText('Ana').waitFor();
    await ask(page, 'hello from Ana');
    await page.getByTestId('topic-row').waitFor();

    const other = await stranger();
    await signIn(other, 'Ben');
    await other.getByTestId('composer').waitFor();
    await other.getByText(t('sidebar.empty')).waitFor();
    await other.goto(page.url());
    await other.getByTestId('user-menu').getByText('Ben').waitFor();
    expect(await other.getByText('hello from Ana').count()).toBe(0);
    await other.goto(`${app.url}/settings/people`);
    await other.getByTestId('settings-account').waitFor();
    expect(await other.getByTestId('settings-people').count()).toBe(0);
    expect(await other.getByTestId('person').count()).toBe(0);

    await page.getByTestId('user-menu').click();
    await page.getByTestId('sign-out').click();
    await page.getByTestId('sign-in').waitFor();
    await signIn(page, 'Ben');
    await page.getByText(t('sidebar.empty')).waitFor();
    expect(troubles.filter((text) => !text.includes('401'))).toEqual([]);
    await Promise.all([page.context().close(), other.context().close()]);
  });

  it('are added, given a new password and disabled by an admin, and are out at once', async () => {
    const { page: admin, context } = await app.signIn(browser);
    await admin.goto(`${app.url}/settings/people`);
    await admin.getByRole('button', named('people.addPerson')).click();
    await admin.getByRole('textbox', named('people.name')).fill('Cleo');
    await admin.getByRole('button', named('common.add')).click();
    const first = await admin.getByTestId('secret').innerText();
    const cleo = await stranger();
    await signIn(cleo, 'Cleo', first);
    await cleo.getByTestId('composer').waitFor();

    const row = admin.locator('[data-testid="person"][data-name="Cleo"]');
    await row.getByTestId('person-menu').click();
    await admin.getByTestId('reset-password').click();
    await cleo.getByTestId('sign-in').waitFor();
    await expect.poll(() => admin.getByTestId('secret').innerText()).not.toBe(first);
    await signIn(cleo, 'Cleo', await admin.getByTestId('secret').innerText());
    await cleo.getByTestId('composer').waitFor();

    const made = await cleo.request.post(`${app.url}/api/keys`, { data: { name: 'of Cleo' } });
    expect(made.status()).toBe(201);
    await row.getByTestId('person-menu').click();
    await admin.getByTestId('disable-person').click();
    await row.getByText(t('people.disabled')).waitFor();
    await cleo.getByTestId('sign-in').waitFor();
    await admin.getByTestId('keys-left').getByText('of Cleo').waitFor();
    await admin.getByTestId('all-keys').getByText('of Cleo').waitFor();
    await admin.getByTestId('end-keys').click();
    await expect.poll(() => admin.getByTestId('key-row').count()).toBe(0);
    await Promise.all([context.close(), cleo.context().close()]);
  });

  it('are renamed by an admin, who renames themselves as well', async () => {
    await addPerson('Emil');
    const { page: admin, context } = await app.signIn(browser);
    await admin.goto(`${app.url}/settings/people`);
    const rename = async (id: string, name: string) => {
      await admin.locator(`[data-testid="person"]${id}`).getByTestId('person-menu').click();
      await admin.getByTestId('rename-person').click();
      await admin.getByTestId('person-name').fill(name);
      await admin.getByTestId('save-name').click();
      await admin.locator(`[data-testid="person"][data-name="${name}"]`).waitFor();
    };
    await rename('[data-name="Emil"]', 'Emilia');
    const emilia = await stranger();
    await signIn(emilia, 'Emilia');
    await emilia.getByTestId('user-menu').getByText('Emilia').waitFor();
    const me = admin.getByTestId('person').filter({ hasText: `(${t('people.you')})` });
    const before = (await me.getAttribute('data-name')) ?? '';
    await rename(`[data-name="${before}"]`, 'Boss');
    await admin.getByTestId('user-menu').getByText('Boss').waitFor();
    await Promise.all([context.close(), emilia.context().close()]);
  });

  it('keep what they wrote when their sign-in ends, and leave nothing to the next', async () => {
    const { id } = await addPerson('Fay');
    await addPerson('Gus');
    const page = await stranger();
    await signIn(page, 'Fay');
    await page.getByTestId('user-menu').getByText('Fay').waitFor();
    await ask(page, 'hello from Fay');
    const place = `/t/${await topicOf(page)}`;
    await page.getByTestId('composer').fill('half a thought');
    const worded = page.getByTestId('edit-message');
    await page.getByRole('button', named('message.edit')).click();
    await worded.fill('hello again');
    await app.api(`/users/${id}`, { method: 'PATCH', body: { password } });
    await page.getByTestId('sign-in').waitFor();
    expect(await page.getByText('half a thought').count()).toBe(0);
    // The sign-in asks who it is, and then the page, which learns it only when all else is there.
    let asked = 0;
    const drawn = Promise.withResolvers<void>();
    await page.route('**/api/me', async (route) => {
      asked += 1;
      if (asked > 1) await drawn.promise;
      await route.continue();
    });
    await signIn(page, 'Fay');
    await answers(page).waitFor();
    drawn.resolve();
    const composer = page.getByTestId('composer');
    await expect.poll(() => composer.inputValue(), { timeout: 20_000 }).toBe('half a thought');
    expect(new URL(page.url()).pathname).toBe(place);
    await expect.poll(() => worded.inputValue()).toBe('hello again');
    await app.api(`/users/${id}`, { method: 'PATCH', body: { password } });
    await page.getByTestId('sign-in').waitFor();
    await signIn(page, 'Gus');
    await page.getByTestId('user-menu').getByText('Gus').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    expect(await composer.inputValue()).toBe('');
    const kept = await page.evaluate(() => Object.values(localStorage).join('\n'));
    expect(kept).not.toContain('half a thought');
    await page.context().close();
  });

  it('are offered no commands to run unless they are admins', async () => {
    await addPerson('Hal');
    const page = await stranger();
    await signIn(page, 'Hal');
    await page.getByTestId('composer').waitFor();
    await page.goto(`${app.url}/servers`);
    await page.getByRole('button', named('servers.add')).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(t('servers.commandsForAdmins')).waitFor();
    expect(await dialog.locator('option[value="stdio"]').count()).toBe(0);
    expect(await dialog.getByTestId('shared').count()).toBe(0);
    await page.goto(`${app.url}/settings/models`);
    await page.getByRole('button', named('settings.addProvider')).waitFor();
    expect(await page.getByTestId('discover').count()).toBe(0);
    await page.context().close();
  });

  it('end a sign-in elsewhere, set a password and make a key in their account', async () => {
    await addPerson('Dora');
    const page = await stranger();
    await signIn(page, 'Dora');
    await page.getByTestId('composer').waitFor();
    const phone = await stranger();
    await signIn(phone, 'Dora');
    await phone.getByTestId('composer').waitFor();

    await page.goto(`${app.url}/settings/account`);
    const rows = page.getByTestId('sign-in-row');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole('button', { name: textLike('people.endNamed') }).click();
    await phone.getByTestId('sign-in').waitFor();
    await expect.poll(() => rows.count()).toBe(1);

    await page.getByRole('button', named('people.addKey')).click();
    await page.getByRole('dialog').getByRole('textbox', named('people.keyName')).fill('script');
    await page.getByTestId('key-servers').selectOption('some');
    await page.getByTestId('key-server').getByText('calculator', { exact: true }).click();
    await page
      .getByRole('textbox', named('people.keyTools', { name: 'calculator' }))
      .fill('calculate');
    await page.getByRole('button', named('people.makeKey')).click();
    const key = await page.getByTestId('secret').innerText();
    const headers = { authorization: `Bearer ${key}` };
    const asked = await fetch(`${app.url}/api/topics`, { headers });
    expect(asked.status).toBe(200);
    const seen = await fetch(`${app.url}/api/servers`, { headers });
    expect(((await seen.json()) as { servers: unknown[] }).servers).toHaveLength(1);
    await page
      .getByTestId('key-row')
      .getByText(t('people.limitedTo', { count: 1 }))
      .waitFor();
    await page.getByRole('button', named('people.haveIt')).click();
    expect(await page.getByText(key).count()).toBe(0);

    const form = page.getByTestId('password-form');
    await form.getByLabel(t('people.currentPassword'), { exact: true }).fill(password);
    await form.getByLabel(t('people.newPassword'), { exact: true }).fill('another long password');
    await form.getByRole('button').click();
    await form.getByText(t('people.passwordSaved')).waitFor();
    await page.getByTestId('keys-left').getByText('script').waitFor();
    await page.getByTestId('end-keys').click();
    await expect.poll(() => page.getByTestId('key-row').count()).toBe(0);
    expect((await fetch(`${app.url}/api/topics`, { headers })).status).toBe(401);
    await signIn(phone, 'Dora', 'another long password');
    await phone.getByTestId('composer').waitFor();
    await Promise.all([page.context().close(), phone.context().close()]);
  });
});
