import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { hasChromium } from '../chromium.ts';
import type { FakeResponse } from '../fakes/fake-openai.ts';
import { freePort } from '../fixtures/free-port.ts';
import { opener } from './opener.ts';
import { answers, ended, send } from './page.ts';
import type { ToldApp } from './told-model.ts';

const hostile = join(import.meta.dirname, '../fakes/hostile-server.ts');
const scripted = (scenario: object) => ({
  type: 'stdio',
  command: process.execPath,
  args: [hostile, JSON.stringify(scenario)],
});
const reply = (status: number, error: object, headers?: Record<string, string>): FakeResponse => ({
  status,
  raw: JSON.stringify({ error }),
  headers: { 'content-type': 'application/json', ...headers },
});

/** Four English words in a row are a sentence that nobody translated. */
const english = /(?:\b[A-Za-z][a-z’']+[ ,]+){3}[a-z]+\b/;

/** The text a reader meets, without code and what others said themselves. */
async function proseOf(part: Locator): Promise<string> {
  await part.waitFor();
  return part.evaluate((element) => {
    const copy = element.cloneNode(true) as Element;
    for (const quoted of copy.querySelectorAll('blockquote, code, pre')) quoted.remove();
    return copy.textContent ?? '';
  });
}

describe.skipIf(!hasChromium())('the page in Chinese', { timeout: 90_000 }, () => {
  const visit = opener();
  let told: ToldApp;
  let page: Page;
  let web: Server;

  beforeAll(async () => {
    web = createServer((request, response) => {
      if (request.url === '/locked') response.writeHead(401).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"not": ');
    }).listen(0, '127.0.0.1');
    await once(web, 'listening');
    const opened = await visit.told();
    told = opened.told;
    ({ page } = await told.app.signIn(opened.browser, { locale: 'zh-CN' }));
  });
  afterAll(() => web?.close());

  const address = (path: string) =>
    `http://127.0.0.1:${(web.address() as AddressInfo).port}${path}`;
  const add = async (name: string, config: object) => {
    const { app } = told;
    const body = { name, ...config };
    const { id, launchHash, state } = await app.api<ServerView>('/servers', {
      method: 'POST',
      body,
    });
    if (state === 'draft')
      await app.api(`/servers/${id}/approve`, { method: 'POST', body: { launchHash } });
    await app.api(`/servers/${id}/connect`, { method: 'POST', body: {} }).catch(() => undefined);
  };
  it.each([
    ['a wrong key', reply(401, { message: 'Incorrect API key provided to this service.' })],
    ['no credit', reply(429, { code: 'insufficient_quota', message: 'You used up what you had.' })],
    ['too many requests', reply(429, { message: 'Slow down.' }, { 'retry-after': '7' })],
    ['a long conversation', reply(400, { code: 'context_length_exceeded', message: 'Too long.' })],
    ['a failing vendor', reply(500, { message: 'It is not our day today.' })],
    ['a cut connection', { drop: true }],
    ['an answer that is none', { raw: '<html><body>Hello</body></html>' }],
  ] satisfies [string, FakeResponse][])(
    'says what is wrong with a model: %s',
    async (_, answer) => {
      told.fake.respond(answer);
      await page.goto(told.app.url);
      await send(page, '你好');
      await ended(page, 0);
      const alert = answers(page).last().getByRole('alert');
      expect(await proseOf(alert)).not.toMatch(english);
      expect(await proseOf(alert)).toMatch(/[\u4e00-\u9fff]{4}/);
    },
  );

  it('says what is wrong with a provider that is tried', async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}/v1`;
    const body = { name: 'away', kind: 'openai-compatible', baseUrl };
    await told.app.api('/providers', { method: 'POST', body });
    await page.goto(`${told.app.url}/settings/models`);
    const row = page.getByRole('listitem').filter({ hasText: 'away' });
    await row.getByTestId('test-provider').click();
    expect(await proseOf(row.getByRole('alert'))).not.toMatch(english);
  });

  it('says why a call was refused', async () => {
    const policy = await told.app.api<{ version: string }>('/policy');
    const rules = [{ action: 'deny', toolName: 'write_file' }];
    await told.app.api('/policy', { method: 'PUT', body: { ...policy, rules } });
    const topic = { model: 'demo/scripted' };
    const { id } = await told.app.api<{ id: string }>('/topics', { method: 'POST', body: topic });
    await page.goto(`${told.app.url}/t/${id}`);
    await send(page, '/call write_file {"path":"a.txt","content":"x"}\n/call add {"a":"x"}');
    await ended(page, 0);
    const tools = answers(page).last().locator('[data-type="tool"]');
    for (const tool of await tools.all()) {
      await tool.getByRole('button').first().click();
      expect(await proseOf(tool.getByRole('alert'))).not.toMatch(english);
    }
  });

  it('names the tools of a timeline', async () => {
    const body = { model: 'demo/scripted' };
    const { id } = await told.app.api<{ id: string }>('/topics', { method: 'POST', body });
    await page.goto(`${told.app.url}/t/${id}`);
    await send(page, '/call list_directory {"path":"."}');
    await ended(page, 0);
    await page.getByTestId('usage').click();
    await page.getByTestId('show-timeline').click();
    await page.getByTestId('timeline-row').filter({ hasText: '列出文件夹' }).waitFor();
  });

  const card = (name: string) => page.getByTestId('server').filter({ hasText: name });

  it.each([
    ['missing command', async () => ({ type: 'stdio', command: 'no-such-command' })],
    ['closed port', async () => ({ baseUrl: `http://127.0.0.1:${await freePort()}/mcp` })],
    ['locked', () => ({ baseUrl: address('/locked') })],
    ['unreadable', () => ({ baseUrl: address('/unreadable') })],
    ['crashing', () => scripted({ exitAtStart: 3, stderr: 'boom' })],
    ['refusing', () => scripted({ refuseInitialize: true })],
  ])('says why a server does not work, and what to do: %s', async (name, config) => {
    await add(name, await config());
    await page.goto(`${told.app.url}/servers`);
    const reason = await proseOf(card(name).getByTestId('reason'));
    expect(reason).not.toMatch(english);
    expect(reason).toMatch(/[\u4e00-\u9fff]{4}/);
    await card(name).getByRole('button').first().click();
    await card(name).getByTestId('tab-why').click();
    expect(await proseOf(card(name).getByTestId('diagnosis'))).not.toMatch(english);
  });

  it('says why models are not offered a tool', async () => {
    const schemas = { find: { type: 'object', properties: { 'a b': { type: 'string' } } } };
    await add('odd', scripted({ tools: ['find', 'monstrous'], schemas }));
    await page.goto(`${told.app.url}/servers`);
    await card('odd').getByRole('button').first().click();
    const notes = card('odd').getByTestId('left-out');
    await expect.poll(() => notes.count()).toBe(2);
    for (const note of await notes.all()) expect(await proseOf(note)).not.toMatch(english);
  });
});
