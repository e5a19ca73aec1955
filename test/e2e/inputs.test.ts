import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { barriers } from './barriers.ts';
import { opener } from './opener.ts';
import { blocks, ended, send } from './page.ts';
import { t } from './texts.ts';

const script = join(import.meta.dirname, '../fakes/asking-server.ts');

describe.skipIf(!hasChromium())('questions of servers in the page', () => {
  const visit = opener();
  let app: App;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    ({ app, browser, page } = await visit.page({ own: true }));
    for (const era of ['modern', 'legacy']) await addServer(app, era);
  });

  it('shows a form at its call, checks it, and survives a reload', async () => {
    await newChat(page, '/call mcp__modern__order {}');
    const form = page.getByTestId('input');
    await form.getByLabel('Your name').waitFor();
    await page.reload();
    await form.getByTestId('accept-input').click();
    await form.getByText(t('form.problems.required')).waitFor();
    expect(await form.getByLabel('Your name').evaluate((it) => it === document.activeElement)).toBe(
      true,
    );
    await form.getByLabel('Your name').fill('Ann');
    await form.getByLabel('count').fill('12');
    await form.getByTestId('accept-input').click();
    await form.getByText(t('form.problems.most', { n: 9 })).waitFor();
    await form.getByLabel('count').fill('3');
    await form.getByLabel('Extra').check();
    await page.reload();
    await form.getByLabel('Your name').waitFor();
    expect(await form.getByLabel('Your name').inputValue()).toBe('Ann');
    expect(await form.getByLabel('Extra').isChecked()).toBe(true);
    await form.getByTestId('accept-input').click();
    await form.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => Object.keys(sessionStorage).join())).not.toContain('form');
    await ended(page, 0);
    const said = await resultOf(app, page);
    expect(said).toContain('"name":"Ann"');
    expect(said).toContain('"size":"m"');
    expect(said).toContain('"count":3');
    expect(said).toContain('"extras":["x"]');
  });

  it('forms that open at their end: begins with its first field, in sight and ready to be filled in', async () => {
    const before = page.viewportSize();
    await page.setViewportSize({ width: 900, height: 420 });
    await newChat(page, '/call mcp__modern__order {}');
    const form = page.getByTestId('input');
    const name = form.locator('input, textarea, select').first();
    await name.waitFor();
    await expect.poll(() => name.evaluate((it) => it === document.activeElement)).toBe(true);
    const places = () =>
      form.evaluate((card) => {
        const view = card.closest('[data-testid="scroller"]')?.getBoundingClientRect();
        const { top, height } = card.getBoundingClientRect();
        return { top: Math.round(top - (view?.top ?? 0)), isTaller: height > (view?.height ?? 0) };
      });
    expect(await places()).toMatchObject({ isTaller: true });
    await expect.poll(async () => (await places()).top).toBeGreaterThanOrEqual(0);
    await form.getByTestId('decline-input').click();
    await form.waitFor({ state: 'detached' });
    await ended(page, 0);
    // Who is writing goes on writing.
    const { id } = await app.api<{ id: string }>('/topics', { method: 'POST', body: {} });
    await page.goto(`${app.url}/t/${id}`);
    await page.getByTestId('composer').pressSequentially('meanwhile');
    await app.api(`/topics/${id}/messages`, {
      method: 'POST',
      body: { text: '/call mcp__modern__order {}' },
    });
    await name.waitFor();
    expect(await focused(page)).toBe('composer');
    await form.getByTestId('decline-input').click();
    await form.waitFor({ state: 'detached' });
    await page.getByTestId('composer').fill('');
    if (before) await page.setViewportSize(before);
  });

  it('declines by the keyboard alone', async () => {
    await newChat(page, '/call mcp__modern__order {}');
    await page.getByTestId('input').waitFor();
    await page.keyboard.press('F8');
    expect(await focused(page)).toBe('input');
    await tabTo(page, 'decline-input');
    await page.keyboard.press('Enter');
    await page.getByTestId('input').waitFor({ state: 'detached' });
    await ended(page, 0);
    await expect.poll(() => focused(page)).toBe('composer');
    expect(await resultOf(app, page)).toContain('decline');
  });

  it('opens an address only by the click of the person, and warns of its name', async () => {
    await newChat(page, '/call mcp__modern__visit {}');
    const card = page.getByTestId('input');
    await card.getByTestId('warning-imitation').waitFor();
    expect(await card.getByTestId('input-address').textContent()).toBe(
      'https://xn--pypal-4ve.example/pay?a=1',
    );
    expect(await card.locator('strong').textContent()).toBe('xn--pypal-4ve.example');
    expect(page.context().pages()).toHaveLength(1);
    const opened = page.context().waitForEvent('page');
    await card.getByTestId('open-address').click();
    await (await opened).close();
    await ended(page, 0);
    expect(await resultOf(app, page)).toContain('accept');
  });

  it('shows what a model would be asked, and asks only after a yes', async () => {
    await newChat(page, '/call mcp__modern__think {}');
    const card = page.getByTestId('input');
    await card.getByText('What is 6*7?').waitFor();
    await card.getByText('Be brief.').waitFor();
    expect(await card.getByTestId('sampling-model').inputValue()).toContain('demo/');
    await card.getByTestId('deny-input').click();
    await ended(page, 0);
    await newChat(page, '/call mcp__modern__think {}');
    await card.getByTestId('approve-input').click();
    await ended(page, 0);
    expect(await resultOf(app, page)).toContain('"role":"assistant"');
  });

  it('shows both questions of one call, and what was answered elsewhere goes', async () => {
    const other = await app.signIn(browser, { blank: true });
    await newChat(page, '/call mcp__modern__both {}');
    await page.getByTestId('input').nth(1).waitFor();
    await other.page.goto(page.url());
    // Both were asked at once: which of them stands above is left open.
    const field = other.page.getByLabel('first');
    const card = other.page.getByTestId('input').filter({ has: field });
    await field.fill('1');
    await card.getByTestId('accept-input').click();
    await page.getByLabel('first').waitFor({ state: 'detached' });
    await page.getByLabel('second').fill('2');
    await page.getByTestId('accept-input').click();
    await ended(page, 0);
    await other.context.close();
  });

  it('keeps a question that belongs to no conversation under the bell', async () => {
    const { servers } = await app.api<{ servers: ServerView[] }>('/servers');
    const id = servers.find(({ name }) => name === 'legacy')?.id ?? '';
    const result = app.api<object>(`/servers/${id}/tools/order/call`, {
      method: 'POST',
      body: { arguments: {} },
    });
    await page.getByTestId('new-chat').click();
    await page.locator('[data-testid="inbox-bell"][data-count="1"]').waitFor();
    // Programs lead there by this address.
    await page.goto(`${app.url}/?inbox`);
    const form = page.getByTestId('inbox').getByTestId('input');
    await form.getByLabel('Your name').fill('Bo');
    expect(page.url()).toBe(`${app.url}/`);
    expect(await barriers(page, '[role="dialog"]')).toEqual([]);
    await form.getByTestId('accept-input').click();
    expect(JSON.stringify(await result)).toContain('Bo');
    await page.getByText(t('inputs.nothing')).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-testid="inbox-bell"][data-count="0"]').waitFor();
  });

  it('says under the bell what waits in another conversation, and leads there', async () => {
    await page.getByTestId('new-chat').click();
    await send(page, '/call write_file {"path":"elsewhere.txt","content":"x"}');
    await page.getByTestId('approve').waitFor();
    await page.getByTestId('new-chat').click();
    await page.locator('[data-testid="inbox-bell"][data-count="1"]').click();
    const waiting = page.getByTestId('inbox').getByRole('link');
    await waiting.getByText(t('tool.on', { server: 'filesystem' })).waitFor();
    await waiting.getByText('path: elsewhere.txt').waitFor();
    expect(await barriers(page, '[role="dialog"]')).toEqual([]);
    await waiting.click();
    await page.getByTestId('approve').click();
    await page.locator('[data-testid="inbox-bell"][data-count="0"]').waitFor();
  });

  it('asks under the bell about a call that belongs to no conversation', async () => {
    const call = await app.api<{ toolCallId: string }>(
      '/servers/filesystem/tools/write_file/call',
      {
        method: 'POST',
        body: { arguments: { path: 'bell.txt', content: 'x' } },
      },
    );
    await page.locator('[data-testid="inbox-bell"][data-count="1"]').click();
    await page.getByTestId('inbox').getByTestId('approve').click();
    await page.getByText(t('inputs.nothing')).waitFor();
    await expect
      .poll(() => app.api<{ state: string }>(`/tool-calls/${call.toolCallId}`))
      .toMatchObject({ state: 'succeeded' });
  });
});

/** A server of a person whose calls run without asking, so that only its questions ask. */
async function addServer(app: App, era: string): Promise<void> {
  const { id, launchHash } = await app.api<ServerView>('/servers', {
    method: 'POST',
    body: {
      name: era,
      type: 'stdio',
      command: process.execPath,
      args: [script, era],
      autoApprove: ['*'],
    },
  });
  await app.api(`/servers/${id}/approve`, { method: 'POST', body: { launchHash } });
}

async function newChat(page: Page, text: string): Promise<void> {
  await page.getByTestId('new-chat').click();
  await send(page, text);
}

async function resultOf(app: App, page: Page): Promise<string> {
  await blocks(page, 'tool').waitFor();
  const conversation = await app.conversation(new URL(page.url()).pathname.slice(3));
  const texts = conversation.messages.flatMap((message) =>
    message.blocks.flatMap((block) =>
      block.type === 'tool'
        ? (block.result?.content ?? []).map((part) => ('text' in part ? part.text : ''))
        : [],
    ),
  );
  return texts.join('\n');
}

function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.testid);
}

async function tabTo(page: Page, testId: string): Promise<void> {
  for (let step = 0; step < 25; step += 1) {
    if ((await focused(page)) === testId) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The keyboard does not come to ${testId}.`);
}
