import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { demoProse } from '#models/demo/prose.ts';
import { hasChromium } from '../chromium.ts';
import { temporarySchema } from '../databases.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { ask, blocks, ended, send, shownMessages, shows, topicOf } from './page.ts';

const url = inject('postgresUrl');
const count = 200;

// A run without a PostgreSQL has said so in one line already, in test/global-setup.ts.
describe.skipIf(url === null || !hasChromium())('the page on PostgreSQL', () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  });
  const visit = opener();
  let app: App;
  let page: Page;

  beforeAll(async () => {
    const { databaseUrl = '' } = await temporarySchema(url ?? '', cleanups);
    const env = { CERISE_DATABASE_URL: databaseUrl };
    ({ app, page } = await visit.page({ env, pace: 25 }));
  });

  it('is not kept in a file of the host', async () => {
    expect(existsSync(join(app.home, 'cerise.db'))).toBe(false);
    const health = await fetch(`${app.url}/readyz`);
    expect(health.status).toBe(200);
  });

  it('asks, uses tools, and shows the same after a reload', async () => {
    const answer = await ask(
      page,
      'What time is it in Tokyo, and what files are in the workspace?',
    );
    expect(answer.status).toBe('success');
    expect(await blocks(page, 'tool').count()).toBe(2);
    const shown = await shownMessages(page);
    await page.reload();
    await shows(page, shown);
  });

  it('waits for an approval over a kill, and then runs the call', async () => {
    const file = join(app.home, 'workspace/kept.txt');
    await send(page, '/call write_file {"path":"kept.txt","content":"on PostgreSQL"}');
    await page.getByTestId('approve').waitFor();
    await app.restart('SIGKILL');
    await page.reload();
    await page.getByTestId('approve').waitFor();
    expect(existsSync(file)).toBe(false);
    await page.getByTestId('approve').click();
    await ended(page, 1);
    expect(readFileSync(file, 'utf8')).toBe('on PostgreSQL');
  });

  it('ends an answer that a kill has cut', async () => {
    await send(page, `/write ${count}`);
    await page.locator('[data-type="main_text"][data-status="streaming"]').waitFor();
    await app.restart('SIGKILL');
    const { status } = await ended(page, 2);
    expect(status).toBe('success');
    const { messages } = await app.conversation(await topicOf(page));
    expect(messages.at(-1)?.blocks.at(-1)?.content).toBe(demoProse(count).join(''));
    const shown = await shownMessages(page);
    await page.reload();
    await shows(page, shown);
  });
});
