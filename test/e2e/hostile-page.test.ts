import { resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWeb, type TestWeb } from '../fakes/test-web.ts';
import type { ServerView } from '#shared/api/api.ts';
import { hasChromium } from '../chromium.ts';
import { opener } from './opener.ts';
import { answers, ended, send, topicOf } from './page.ts';
import { payloadsFor } from './payloads.ts';
import type { ToldApp } from './told-model.ts';

const server = resolve(import.meta.dirname, '../fakes/payload-server.ts');

describe.skipIf(!hasChromium())('a page full of hostile text (T10)', { timeout: 120_000 }, () => {
  const visit = opener();
  let told: ToldApp;
  let browser: Browser;
  let canary: TestWeb;
  let payloads: string[];
  let page: Page;
  /** What any frame of the page reported: refused by the policy, or asked of the reader. */
  const reports: string[] = [];

  beforeAll(async () => {
    [{ told, browser }, canary] = await Promise.all([visit.told(), startWeb()]);
    payloads = payloadsFor(canary.url.slice(0, -1));
    ({ page } = await told.app.signIn(browser));
    page.on('dialog', (dialog) => {
      reports.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.exposeBinding('reportRefusal', ({ frame }, what: string) => {
      reports.push(`${frame.url()}: ${what}`);
    });
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) => {
        const { reportRefusal } = globalThis as unknown as {
          reportRefusal: (what: string) => void;
        };
        reportRefusal(`${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    await page.reload();
    await page.getByTestId('composer').waitFor();
  });
  afterAll(async () => {
    await canary?.[Symbol.asyncDispose]();
  });

  /** Nothing ran in any frame, nothing was asked of the canary, nothing had to be refused. */
  async function expectHarmless(): Promise<void> {
    for (const frame of page.frames())
      expect(await frame.evaluate('globalThis.harm')).toBeUndefined();
    expect(canary.connections()).toBe(0);
    expect(reports).toEqual([]);
    expect(new URL(page.url()).origin).toBe(told.app.url);
    const targets = await page
      .locator('a')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).protocol));
    expect(targets.filter((protocol) => !/^(?:https?|mailto):$/.test(protocol))).toEqual([]);
    const elements =
      'script:not([src^="/assets/"]), base, form[action], meta[http-equiv], object, embed';
    expect(await page.locator(`.prose :is(${elements}), body > :is(${elements})`).count()).toBe(0);
  }

  async function drawAll(): Promise<void> {
    const diagrams = answers(page).last().getByTestId('diagram');
    for (let at = 0; at < (await diagrams.count()); at += 1) {
      await diagrams.nth(at).scrollIntoViewIfNeeded();
      await diagrams
        .nth(at)
        .and(page.locator('[data-state="drawn"], [data-state="failed"]'))
        .waitFor();
    }
  }

  it('stays harmless when a model says it, also after a reload', async () => {
    const answer = await told.say(page, payloads.join('\n\n'));
    expect(answer.status).toBe('success');
    await drawAll();
    expect(await answers(page).last().locator('math').count()).toBeGreaterThan(0);
    await expectHarmless();
    await page.reload();
    await ended(page, 0);
    await drawAll();
    await expectHarmless();
  });

  it('stays harmless in names, descriptions, results and errors of a server', async () => {
    const { app } = told;
    const { id, launchHash } = await app.api<ServerView>('/servers', {
      method: 'POST',
      body: {
        name: 'payload',
        command: process.execPath,
        args: [server, JSON.stringify(payloads)],
      },
    });
    await app.api(`/servers/${id}/approve`, { method: 'POST', body: { launchHash } });
    await app.api(`/servers/${id}/connect`, { method: 'POST', body: {} });
    await page.goto(`${app.url}/servers`);
    await page.getByTestId('server').first().waitFor();
    const settings = await app.api<object>('/settings');
    const demo = { ...settings, defaultModel: 'demo/scripted' };
    await app.api('/settings', { method: 'PUT', body: demo });
    await page.goto(app.url);
    await send(page, '/call payload__show {}\n/call payload__fail {}\n/call payload__links {}');
    await page.getByTestId('approve').nth(2).waitFor();
    await expectHarmless();
    for (let left = 3; left > 0; left -= 1) {
      await page.getByTestId('approve').first().click();
      await expect.poll(() => page.getByTestId('approve').count()).toBe(left - 1);
    }
    await ended(page, 0);
    const tools = answers(page).last().locator('[data-type="tool"]');
    expect(await tools.count()).toBe(3);
    for (let at = 0; at < 3; at += 1) await tools.nth(at).getByRole('button').first().click();
    await page.getByText('globalThis.harm=1"').first().waitFor();
    await expectHarmless();
    const topic = await app.api<{ id: string }>(`/topics/${await topicOf(page)}`, {
      method: 'PATCH',
      body: { title: payloads[0]?.slice(0, 90) },
    });
    expect(topic).toBeDefined();
    await page.reload();
    await ended(page, 0);
    await expectHarmless();
  });

  it('gives the frame that draws diagrams no way out', async () => {
    await told.app.api('/settings', {
      method: 'PUT',
      body: { ...(await told.app.api<object>('/settings')), defaultModel: 'told/fake-model' },
    });
    await page.goto(told.app.url);
    await told.say(page, '```mermaid\nflowchart LR\n  A --> B\n```\n');
    await drawAll();
    const frame = page.frames().find((one) => one.url().endsWith('/diagram.html'));
    expect(frame).toBeDefined();
    const outcome = await frame?.evaluate(async (address) => {
      const attempt = async (what: () => unknown): Promise<string> => {
        try {
          return `done: ${String(await what())}`;
        } catch (error) {
          return (error as Error).name;
        }
      };
      return {
        origin: globalThis.origin,
        fetch: await attempt(() => fetch(address)),
        host: await attempt(() => fetch('/api/topics')),
        storage: await attempt(() => localStorage.length),
        parent: await attempt(() => parent.document.title),
        popup: await attempt(() => open(address)),
        worker: await attempt(() => new Worker(`data:text/javascript,fetch("${address}")`)),
        image: await attempt(
          () =>
            new Promise((_resolve, reject) => {
              const image = new Image();
              image.addEventListener('error', () => reject(new TypeError('refused')));
              image.src = address;
            }),
        ),
      };
    }, canary.url);
    expect(outcome).toMatchObject({
      origin: 'null',
      fetch: 'TypeError',
      host: 'TypeError',
      storage: 'SecurityError',
      parent: 'SecurityError',
      popup: 'done: null',
      image: 'TypeError',
    });
    expect(canary.connections()).toBe(0);
    await frame
      ?.evaluate((address) => void (location.href = address), canary.url)
      .catch(() => null);
    await expect.poll(() => reports.some((report) => report.includes(': frame-src '))).toBe(true);
    // Chromium opens a connection before it asks the policy; nothing is sent on it.
    expect(canary.requests).toEqual([]);
  });
});
