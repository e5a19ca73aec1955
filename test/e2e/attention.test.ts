import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { ask, send, topicOf } from './page.ts';
import { t } from './texts.ts';

/** What the pages of these tests are given before their own scripts. */
declare const testing: {
  shown: { title: string; body: string; click: () => void }[];
  hide: (hidden: boolean) => void;
  moveClock: (ms: number) => void;
};

const write = '/call write_file {"path":"a.txt","content":"hi"}';

describe.skipIf(!hasChromium())('what waits or ended', () => {
  const visit = opener();
  let app: App;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    ({ app, browser } = await visit.app());
  });
  beforeEach(async () => {
    ({ context, page } = await app.signIn(browser, { blank: true }));
    await context.addInitScript(prepare, 'granted');
    await page.goto(app.url);
    await page.getByTestId('composer').waitFor();
  });
  afterEach(() => context.close());
  /** The browser has not asked yet; this is what the person will say. */
  const willSay = async (answer: NotificationPermission) => {
    await context.addInitScript(prepare, answer);
    await page.evaluate(() => sessionStorage.setItem('permission', 'default'));
    await page.reload();
    await page.getByTestId('composer').waitFor();
  };

  const newTopic = async () =>
    (await app.api<{ id: string }>('/topics', { method: 'POST', body: {} })).id;
  const say = (topicId: string, text: string) =>
    app.api(`/topics/${topicId}/messages`, { method: 'POST', body: { text } });
  const waitingCall = async (topicId: string): Promise<ToolBlock> => {
    const find = async () =>
      (await app.conversation(topicId)).messages
        .flatMap(({ blocks }) => blocks)
        .find((block): block is ToolBlock => block.type === 'tool' && block.state === 'proposed');
    await expect.poll(find, { timeout: 10_000 }).toHaveProperty('argsHash');
    const call = await find();
    if (!call) throw new Error('No call waits.');
    return call;
  };
  const decide = async (topicId: string) => {
    const { toolCallId, argsHash } = await waitingCall(topicId);
    await app.api(`/tool-calls/${toolCallId}/decision`, {
      method: 'POST',
      body: { decision: 'deny', argsHash, scope: 'once' },
    });
  };
  const newTab = async (path: string) => {
    const tab = await context.newPage();
    await tab.goto(app.url + path);
    await tab.getByTestId('topic-row').first().waitFor();
    return tab;
  };
  const turnOn = (tab: Page) =>
    tab.evaluate(() => {
      const kept = JSON.parse(localStorage.getItem('cerise.preferences') ?? '{}') as object;
      const value = JSON.stringify({ ...kept, notifications: 'on' });
      localStorage.setItem('cerise.preferences', value);
      dispatchEvent(new StorageEvent('storage', { key: 'cerise.preferences' }));
    });

  it('is in the title and the icon of every tab, until it is decided and seen', async () => {
    const topicId = await newTopic();
    await app.api(`/topics/${topicId}`, { method: 'PATCH', body: { title: 'Cherry pie' } });
    await page.goto(`${app.url}/t/${topicId}`);
    await expect.poll(() => page.title()).toBe('Cherry pie · Cerise');
    expect(await markOf(page)).toBe('none');
    const other = await newTab('/settings/about');
    await hide(page);
    await say(topicId, write);
    await waitingCall(topicId);
    await expect.poll(() => page.title()).toBe('(1) Cherry pie · Cerise');
    await expect.poll(() => other.title()).toBe(`(1) ${t('sidebar.settings')} · Cerise`);
    expect(await markOf(page)).toBe('waiting');
    expect(await page.locator('link[rel="icon"]').getAttribute('href')).toMatch(/^data:image\/svg/);
    // It is still so after a reload.
    await other.reload();
    await expect.poll(() => other.title()).toBe(`(1) ${t('sidebar.settings')} · Cerise`);
    await hide(other);
    await decide(topicId);
    await expect.poll(() => page.title()).toBe('✓ Cherry pie · Cerise');
    await expect.poll(() => markOf(page)).toBe('finished');
    // The tab that shows the chat tells that it ended; the others list it.
    await expect.poll(() => other.title()).toBe(`${t('sidebar.settings')} · Cerise`);
    const row = other.locator(`[data-testid="topic-row"][data-id="${topicId}"]`);
    await row.getByTestId('topic-mark').waitFor();
    await show(page);
    await expect.poll(() => page.title()).toBe('Cherry pie · Cerise');
    expect(await markOf(page)).toBe('none');
    await row.getByTestId('topic-mark').waitFor({ state: 'detached' });
  });

  it('of a chat that no tab shows is told by the others until the person comes back', async () => {
    const topicId = await newTopic();
    await say(topicId, write);
    await waitingCall(topicId);
    await expect.poll(() => page.title()).toBe('(1) Cerise');
    await hide(page);
    await decide(topicId);
    await expect.poll(() => page.title()).toBe('✓ Cerise');
    await show(page);
    await expect.poll(() => page.title()).toBe('Cerise');
    await page.locator(`[data-id="${topicId}"]`).getByTestId('topic-mark').waitFor();
    // The end outlives a reload, and a look at the chat ends it.
    await page.reload();
    await page.locator(`[data-id="${topicId}"]`).getByTestId('topic-mark').waitFor();
    await page.goto(`${app.url}/t/${topicId}`);
    await page
      .locator(`[data-id="${topicId}"]`)
      .getByTestId('topic-mark')
      .waitFor({ state: 'detached' });
  });

  it('leaves nothing in the tab of whoever signs out', async () => {
    const topicId = await newTopic();
    await say(topicId, write);
    await waitingCall(topicId);
    await expect.poll(() => page.title()).toBe('(1) Cerise');
    await context.request.post(`${app.url}/api/sign-out`);
    await page.getByTestId('sign-in').waitFor();
    await expect.poll(() => page.title()).toBe('Cerise');
    expect(await markOf(page)).toBe('none');
    await decide(topicId);
  });

  it('brings exactly one notification, in the tab of its chat, and a click leads there', async () => {
    const [topicId, elsewhere] = [await newTopic(), await newTopic()];
    await app.api(`/topics/${topicId}`, { method: 'PATCH', body: { title: 'Pie\u202E\n(9) x' } });
    await page.goto(`${app.url}/t/${topicId}`);
    await page.getByTestId('topic-row').first().waitFor();
    const other = await newTab(`/t/${elsewhere}`);
    await turnOn(page);
    await turnOn(other);
    await Promise.all([hide(page), hide(other)]);
    await say(topicId, write);
    await expect.poll(() => shown(page)).toHaveLength(1);
    const [approval] = await shown(page);
    expect(approval?.title).toBe(t('notifications.approval'));
    expect(approval?.body).toBe(
      [
        t('notifications.wantsToRun', { tool: 'write_file', server: 'filesystem' }),
        t('notifications.inChat', { title: 'Pie (9) x' }),
      ].join('\n'),
    );
    // The reader goes on elsewhere; the answer ends long after it began.
    await page.goto(app.url);
    await page.getByTestId('topic-row').first().waitFor();
    await hide(page);
    await Promise.all([page, other].map((tab) => tab.evaluate(() => testing.moveClock(60_000))));
    await decide(topicId);
    const all = async () => [...(await shown(page)), ...(await shown(other))];
    await expect.poll(all).toHaveLength(1);
    const [answer] = await all();
    expect(answer).toEqual({
      title: t('notifications.finished'),
      body: t('notifications.inChat', { title: 'Pie (9) x' }),
    });
    const teller = (await shown(page)).length > 0 ? page : other;
    await teller.evaluate(() => testing.shown[0]?.click());
    expect(await topicOf(teller)).toBe(topicId);
    expect(await all()).toHaveLength(1);
  });

  it('brings none for what is in sight, muted, quick or repeated', async () => {
    const [seen, muted, quick] = [await newTopic(), await newTopic(), await newTopic()];
    await page.goto(`${app.url}/t/${seen}`);
    await page.getByTestId('topic-row').first().waitFor();
    await turnOn(page);
    await page.locator(`[data-id="${muted}"]`).hover();
    await page.locator(`[data-id="${muted}"]`).getByTestId('topic-menu').click();
    await page.getByTestId('mute-topic').click();
    await say(seen, write);
    await say(muted, write);
    await say(quick, 'What is 1+1?');
    const calls = [await waitingCall(seen), await waitingCall(muted)];
    // Both were dealt with, in silence.
    for (const { toolCallId } of calls)
      await expect
        .poll(() => page.evaluate(() => localStorage.getItem('cerise.told')))
        .toContain(toolCallId);
    await page.locator(`[data-id="${quick}"]`).getByTestId('topic-mark').waitFor();
    await hide(page);
    await page.reload();
    await page.getByTestId('approve').waitFor();
    await hide(page);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    expect(await shown(page)).toEqual([]);
    for (const id of [seen, muted]) await decide(id);
  });

  it('asks for permission only after a press, and says what to do where it is refused', async () => {
    await willSay('denied');
    const permission = () => page.evaluate(() => Notification.permission);
    const topicId = await newTopic();
    await say(topicId, write);
    await waitingCall(topicId);
    await page.getByTestId('inbox-bell').click();
    await page.getByTestId('notify-me').waitFor();
    expect(await permission()).toBe('default');
    await page.getByTestId('notify-me').click();
    await page.getByText(t('notifications.denied')).waitFor();
    await page.getByTestId('no-notifications').click();
    await page.getByTestId('notify-offer').waitFor({ state: 'detached' });
    await page.goto(`${app.url}/settings/notifications`);
    await page.getByTestId('blocked').getByText(t('notifications.denied')).waitFor();
    await decide(topicId);
  });

  it('is offered while an answer takes long, and switched off in the settings', async () => {
    await willSay('granted');
    await ask(page, 'What is 1+1?');
    await page.evaluate(() => testing.moveClock(60_000));
    await send(page, '/write 20000');
    await page.getByTestId('notify-me').click();
    await page.getByTestId('notify-offer').waitFor({ state: 'detached' });
    await page.getByTestId('stop').click();
    await page.goto(`${app.url}/settings/notifications`);
    const box = page.getByTestId('show-notifications');
    expect(await box.isChecked()).toBe(true);
    await box.uncheck();
    await page.reload();
    expect(await box.isChecked()).toBe(false);
  });
});

/**
 * Notes notifications, and lets a test hide the page and move its clock. A headless Chromium denies them whatever
 * it was told, so the permission is ours: `answer` once it was asked for.
 */
function prepare(said: string): void {
  const answer = said as NotificationPermission;
  const shown: (typeof testing)['shown'] = [];
  class Noted extends Notification {
    static override get permission(): NotificationPermission {
      return (sessionStorage.getItem('permission') as NotificationPermission | null) ?? answer;
    }
    static override requestPermission(): Promise<NotificationPermission> {
      sessionStorage.setItem('permission', answer);
      return Promise.resolve(answer);
    }
    constructor(title: string, options?: NotificationOptions) {
      super(title, options);
      const click = () => this.dispatchEvent(new Event('click'));
      shown.push({ title, body: options?.body ?? '', click });
    }
  }
  let hidden = false;
  let ahead = 0;
  const { now } = Date;
  Date.now = () => now() + ahead;
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  Object.assign(globalThis, {
    Notification: Noted,
    testing: {
      shown,
      hide: (next: boolean) => {
        hidden = next;
        document.dispatchEvent(new Event('visibilitychange'));
      },
      moveClock: (ms: number) => (ahead += ms),
    },
  });
}

function hide(page: Page): Promise<void> {
  return page.evaluate(() => testing.hide(true));
}

function show(page: Page): Promise<void> {
  return page.evaluate(() => testing.hide(false));
}

function shown(page: Page): Promise<{ title: string; body: string }[]> {
  return page.evaluate(() => testing.shown.map(({ title, body }) => ({ title, body })));
}

function markOf(page: Page): Promise<string | null> {
  return page.locator('link[rel="icon"]').getAttribute('data-mark');
}
