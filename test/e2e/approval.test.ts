import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../chromium.ts';
import { App } from './app.ts';
import { ask, blocks, ended, send, shownMessages, topicOf } from './page.ts';

const serverScript = join(import.meta.dirname, '../fakes/hostile-server.ts');

describe.skipIf(!hasChromium())('approval in the page', () => {
  let app: App;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [app, browser] = await Promise.all([App.start(), launchChromium()]);
    ({ page } = await app.signIn(browser));
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  it('waits before a call that changes something, also over a reload and a restart', async () => {
    await send(page, '/call write_file {"path":"x.txt","content":"hi"}');
    await page.getByTestId('approve').waitFor();
    await page.locator('[data-testid="waiting"][data-for="approval"]').waitFor();
    const asked = await blocks(page, 'tool').textContent();
    expect(asked).toContain('x.txt');
    expect(asked).toContain('hi');
    await page.reload();
    await page.getByTestId('approve').waitFor();
    const topicId = await topicOf(page);
    await page
      .locator(`[data-testid="topic-row"][data-id="${topicId}"]`)
      .getByRole('img')
      .waitFor();
    await app.restart('SIGKILL');
    await page.reload();
    await page.getByTestId('approve').waitFor();
    expect(existsSync(join(app.home, 'workspace/x.txt'))).toBe(false);
  });

  it('runs the call once it is approved', async () => {
    await page.getByTestId('approve').click();
    const answer = await ended(page, 0);
    expect(answer.status).toBe('success');
    expect(readFileSync(join(app.home, 'workspace/x.txt'), 'utf8')).toBe('hi');
  });

  it('asks again for the next call, and a denied call does not run', async () => {
    await send(page, '/call write_file {"path":"y.txt","content":"no"}');
    await page.getByTestId('deny').click();
    const answer = await ended(page, 1);
    const tool = answer.blocks.find(({ type }) => type === 'tool');
    expect(tool?.status).toBe('error');
    expect(tool?.text).toContain('Denied');
    expect(existsSync(join(app.home, 'workspace/y.txt'))).toBe(false);
  });

  it('decides on several waiting calls at once', async () => {
    const write = (name: string) => `/call write_file {"path":"${name}","content":"both"}`;
    await send(page, `${write('a.txt')}\n${write('b.txt')}`);
    await page.getByRole('button', { name: 'Approve all once' }).click();
    const answer = await ended(page, 2);
    expect(answer.blocks.map(({ type }) => type)).toEqual(['tool', 'tool', 'main_text']);
    for (const name of ['a.txt', 'b.txt'])
      expect(readFileSync(join(app.home, 'workspace', name), 'utf8')).toBe('both');
  });

  it('does not ask again in a conversation that has allowed the tool', async () => {
    await send(page, '/call write_file {"path":"c.txt","content":"1"}');
    await page.getByTestId('approve-topic').click();
    await ended(page, 3);
    await ask(page, '/call write_file {"path":"d.txt","content":"2"}');
    expect(readFileSync(join(app.home, 'workspace/d.txt'), 'utf8')).toBe('2');
  });

  it('connects a command only after its exact words were approved', async () => {
    const journal = join(app.home, 'calls.jsonl');
    await addServer(page, 'workshop', [serverScript, JSON.stringify({ journal })]);
    const dialog = page.getByRole('dialog', { name: 'Approve this command?' });
    await dialog.waitFor();
    for (const word of [process.execPath, serverScript, journal])
      expect(await dialog.textContent()).toContain(word);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const card = page.getByTestId('server').filter({ hasText: 'workshop' });
    await card.and(page.locator('[data-state="draft"]')).waitFor();
    expect(existsSync(journal)).toBe(false);

    await card.getByTestId('review-server').click();
    await page.getByTestId('approve-server').click();
    await card.and(page.locator('[data-state="connected"]')).waitFor();
    await card.getByRole('button', { name: 'workshop' }).click();
    await card.getByText('Tool environment').waitFor();
    expect(existsSync(journal)).toBe(true);
  });

  it('runs a call of a foreign server exactly once, although two browsers approve it', async () => {
    const other = await app.signIn(browser);
    await page.getByTestId('new-chat').click();
    await send(page, '/call mcp__workshop__echo {"n":1}');
    const topicId = await topicOf(page);
    await other.page.goto(`${app.url}/t/${topicId}`);
    for (const one of [page, other.page]) await one.getByTestId('approve').waitFor();
    expect(callsIn(app)).toBe(0);
    await Promise.all(
      [page, other.page].map((one) =>
        one.getByTestId('approve').evaluate((button) => (button as HTMLElement).click()),
      ),
    );
    const answer = await ended(page, 0);
    expect(answer.blocks[0]?.status).toBe('success');
    expect(callsIn(app)).toBe(1);
    await ended(other.page, 0);
    expect(await shownMessages(other.page)).toEqual(await shownMessages(page));
    await other.context.close();
  });

  it('runs the call as a person changed it', async () => {
    await page.getByTestId('new-chat').click();
    await send(page, '/call write_file {"path":"z.txt","content":"model"}');
    await page.getByTestId('edit-arguments').click();
    const editor = page.getByTestId('arguments-editor');
    await editor.fill('{"path":');
    expect(await page.getByTestId('approve').isDisabled()).toBe(true);
    await editor.fill('{"path":"z.txt","content":"person"}');
    await page.getByTestId('approve').click();
    await ended(page, 0);
    expect(readFileSync(join(app.home, 'workspace/z.txt'), 'utf8')).toBe('person');
  });
});

async function addServer(page: Page, name: string, args: string[]): Promise<void> {
  await page.getByRole('link', { name: 'Servers' }).click();
  await page.getByTestId('add-server').click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Command', { exact: true }).fill(process.execPath);
  await page.getByLabel('Arguments').fill(args.join('\n'));
  await page.getByTestId('create-server').click();
}

function callsIn(app: App): number {
  const lines = readFileSync(join(app.home, 'calls.jsonl'), 'utf8').split('\n');
  return lines.filter((line) => line.includes('"tools/call"')).length;
}
