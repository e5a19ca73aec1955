import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoProse } from '#models/demo/prose.ts';
import { activePath } from '#shared/vocabulary/message.ts';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { answers, ask, blocks, ended, send, shownMessages, shows, topicOf } from './page.ts';
import { named, t } from './texts.ts';

describe.skipIf(!hasChromium())('a running conversation', () => {
  const visit = opener();
  let app: App;
  let page: Page;

  beforeAll(async () => {
    ({ app, page } = await visit.page({ pace: 2 }));
  });

  it('stops at once, keeps what was written and says that it was stopped', async () => {
    await newChat(page);
    await send(page, '/write 100000');
    await expect.poll(() => shownLength(page)).toBeGreaterThan(500);
    await page.getByTestId('stop').click();
    const answer = await ended(page, 0);
    expect(answer.status).toBe('stopped');
    await answers(page).getByText(t('message.stopped')).waitFor();
    const { messages } = await app.conversation(await topicOf(page));
    const text = messages.at(-1)?.blocks[0]?.content ?? '';
    expect(text.length).toBe(answer.blocks[0]?.length);
    expect(demoProse(100_000).join('').startsWith(text)).toBe(true);
    await page.getByTestId('stop').waitFor({ state: 'detached' });
    const before = await shownMessages(page);
    await page.reload();
    await shows(page, before);
  });

  it('regenerates an answer as another version and switches between the two', async () => {
    await newChat(page);
    const first = await ask(page, 'What is 12*(3+4)?');
    await answers(page).getByRole('button', named('message.regenerate')).click();
    const version = answers(page).getByTestId('version');
    await version.getByText('2/2').waitFor();
    const second = await ended(page, 0);
    expect(second.id).not.toBe(first.id);
    expect(second.blocks.at(-1)?.text).toContain('84');
    await page.getByRole('button', named('message.previous')).click();
    await version.getByText('1/2').waitFor();
    expect(await ended(page, 0)).toEqual(first);
    await page.reload();
    await version.getByText('1/2').waitFor();
    expect((await shownMessages(page)).map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('sends an edited question as a branch beside the old one', async () => {
    await newChat(page);
    await ask(page, 'What is 2+2?');
    await ask(page, 'What is 3+3?');
    const old = await shownMessages(page);
    const question = page.locator('[data-testid="message"][data-role="user"]').first();
    await question.hover();
    await question.getByRole('button', named('message.edit')).click();
    await page.getByTestId('edit-message').fill('What is 5*5?');
    await page.getByTestId('resend').click();
    const version = question.getByTestId('version');
    await version.getByText('2/2').waitFor();
    const answer = await ended(page, 0);
    expect(answer.blocks.at(-1)?.text).toContain('25');
    expect(await shownMessages(page)).toHaveLength(2);
    await question.hover();
    await question.getByRole('button', named('message.previous')).click();
    await shows(page, old);
    const { messages, topic } = await app.conversation(await topicOf(page));
    expect(messages).toHaveLength(6);
    expect(activePath({ messages, topic }).map(({ id }) => id)).toEqual(old.map(({ id }) => id));
  });

  it('takes a message while an answer runs and turns to it at the next round', async () => {
    await newChat(page);
    await send(page, '/call slow_task {"seconds":5,"steps":3}\n\n/call show_image {}');
    await answers(page).getByRole('progressbar').waitFor();
    await send(page, 'What is 6*7?');
    await page
      .getByTestId('waiting')
      .filter({ hasText: t('message.queued') })
      .waitFor();
    const steered = await ended(page, 1);
    expect(steered.blocks.at(-1)?.text).toContain('42');
    const { messages } = await app.conversation(await topicOf(page));
    const [question, first, added, second] = messages;
    expect(
      first?.blocks.flatMap((block) => (block.type === 'tool' ? [block.toolName] : [])),
    ).toEqual(['slow_task']);
    expect(first?.parentId).toBe(question?.id);
    expect(added?.parentId).toBe(first?.id);
    expect(second?.parentId).toBe(added?.id);
    expect(messages).toHaveLength(4);
    const texts = (await shownMessages(page)).map((message) => message.blocks.at(-1)?.text);
    expect(texts[2]).toBe('What is 6*7?');
  });

  it('goes on while nobody watches', async () => {
    await newChat(page);
    await send(page, '/write 900');
    const topicId = await topicOf(page);
    await expect.poll(() => shownLength(page)).toBeGreaterThan(0);
    await page.goto('about:blank');
    await expect
      .poll(async () => (await app.conversation(topicId)).topic.isLoading, { timeout: 20_000 })
      .toBe(false);
    await page.goto(`${app.url}/t/${topicId}`);
    const answer = await ended(page, 0);
    expect(answer.blocks[0]?.length).toBe(demoProse(900).join('').length);
  });
});

async function newChat(page: Page): Promise<void> {
  await page.getByTestId('new-chat').click();
  await page.getByTestId('suggestion').first().waitFor();
}

async function shownLength(page: Page): Promise<number> {
  const text = blocks(page, 'main_text');
  if ((await text.count()) === 0) return 0;
  return Number(await text.last().getAttribute('data-length'));
}
