import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { hasChromium } from '../chromium.ts';
import { type App, moving } from './app.ts';
import { opener } from './opener.ts';
import {
  ask,
  ended,
  send,
  shownMessages,
  shows,
  topicOf,
  watchTroubles,
  watchBars,
} from './page.ts';

const question = 'What time is it in Tokyo, and what files are in the workspace?';

describe.skipIf(!hasChromium())('a first answer', () => {
  const visit = opener();
  let app: App;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    ({ app, browser, page } = await visit.page({
      own: true,
      pace: 2,
      context: { ...moving, idle: true },
    }));
  });

  it('shows thinking, two parallel tools and a text that uses both', async () => {
    const troubles = watchTroubles(page);
    const answer = await ask(page, question);
    expect(answer.status).toBe('success');
    expect(answer.blocks.map(({ type }) => type)).toEqual([
      'thinking',
      'tool',
      'tool',
      'main_text',
    ]);
    expect(answer.blocks.map(({ status }) => status)).toEqual(Array(4).fill('success'));

    const topicId = await topicOf(page);
    const [time, files] = await toolBlocks(app, topicId);
    expect([time.state, files.state]).toEqual(['succeeded', 'succeeded']);
    expect(time.startedAt).toBeLessThanOrEqual(files.endedAt ?? 0);
    expect(files.startedAt).toBeLessThanOrEqual(time.endedAt ?? 0);
    const text = answer.blocks[3]?.text ?? '';
    expect(text).toContain('Tokyo');
    for (const { name } of entriesIn(files)) expect(text).toContain(name);
    expect(text).toContain(clockIn(time));
    expect(troubles).toEqual([]);
  });

  it('answers the next questions from what was said before', async () => {
    const [, files] = await toolBlocks(app, await topicOf(page));
    const elsewhere = await ask(page, 'And in Paris?');
    expect(elsewhere.blocks.map(({ type }) => type)).toEqual(['thinking', 'tool', 'main_text']);
    expect(elsewhere.blocks.at(-1)?.text).toContain('Europe/Paris');
    const largest = await ask(page, 'Which of them is the largest?');
    expect(largest.status).toBe('success');
    expect(largest.blocks.at(-1)?.text).toContain(largestIn(files));
  });

  it('runs the calls of one round at the same time', async () => {
    const calls = [1, 1.001].map((seconds) => `/call slow_task {"seconds":${seconds},"steps":4}`);
    const bars = await watchBars(page);
    await send(page, calls.join('\n'));
    const answer = await ended(page, 3);
    expect((await bars()).most).toBe(2);
    expect(answer.blocks.map(({ type }) => type)).toEqual(['tool', 'tool', 'main_text']);
  });

  it('shows the same after a reload, in a second tab and in another browser', async () => {
    const before = await shownMessages(page);
    expect(before).toHaveLength(8);
    await page.reload();
    await shows(page, before);
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await shows(tab, before);
    await tab.close();
    const other = await app.signIn(browser, { blank: true });
    await other.page.goto(page.url());
    await shows(other.page, before);
    await other.context.close();
  });

  it.for(['SIGTERM', 'SIGKILL'] as const)(
    'shows the same after %s and a new start, without a new sign-in',
    async (signal) => {
      const before = await shownMessages(page);
      await app.restart(signal);
      const tab = await page.context().newPage();
      await tab.goto(page.url());
      await shows(tab, before);
      await tab.close();
      // The old page comes back to the new process by itself.
      const answer = await ask(page, 'What is 12*(3+4)?');
      expect(answer.blocks.at(-1)?.text).toContain('84');
      const after = await shownMessages(page);
      expect(after.slice(0, before.length)).toEqual(before);
      await page.reload();
      await shows(page, after);
    },
  );
});

async function toolBlocks(app: App, topicId: string): Promise<[ToolBlock, ToolBlock]> {
  const { messages } = await app.conversation(topicId);
  const tools = messages
    .flatMap((message) => message.blocks)
    .filter((block): block is ToolBlock => block.type === 'tool');
  const [first, second] = tools;
  if (!first || !second) throw new Error('There are no two tool blocks.');
  return [first, second];
}

interface Entry {
  name: string;
  type: string;
  size?: number;
}

function entriesIn({ result }: ToolBlock): Entry[] {
  const { entries = [] } = (result?.structuredContent ?? {}) as { entries?: Entry[] };
  expect(entries.length).toBeGreaterThan(2);
  return entries;
}

function largestIn(files: ToolBlock): string {
  const sorted = entriesIn(files).toSorted((a, b) => (b.size ?? 0) - (a.size ?? 0));
  return sorted[0]?.name ?? '';
}

/** Hours and minutes as the tool gave them. */
function clockIn({ result }: ToolBlock): string {
  return /T(\d\d:\d\d)/.exec(JSON.stringify(result))?.[1] ?? 'no time';
}
