import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** A block as the page shows it. */
export interface ShownBlock {
  type: string;
  status: string;
  ordinal: number;
  length: number | null;
  text: string;
}

/** A message as the page shows it. */
export interface ShownMessage {
  id: string;
  role: string;
  status: string;
  blocks: ShownBlock[];
}

/** Writes a message and sends it with the button. */
export async function send(page: Page, text: string): Promise<void> {
  await page.getByTestId('composer').fill(text);
  await page.getByTestId('send').click();
}

/** Sends a message and resolves when its answer has ended. */
export async function ask(page: Page, text: string): Promise<ShownMessage> {
  const before = await answers(page).count();
  await send(page, text);
  return ended(page, before);
}

/** Every answer of the shown branch. */
export function answers(page: Page): Locator {
  return page.locator('[data-testid="message"][data-role="assistant"]');
}

/** Resolves with an answer, counted from 0, once it is there and has ended. */
export async function ended(page: Page, index: number): Promise<ShownMessage> {
  const answer = answers(page).nth(index);
  await answer.and(page.locator('[aria-busy="false"]')).waitFor({ timeout: 25_000 });
  const shown = (await shownMessages(page)).filter(({ role }) => role === 'assistant');
  const message = shown[index];
  if (!message) throw new Error(`There is no answer ${index}.`);
  return message;
}

/** Chooses an entry of a message's menu. */
export async function inMenu(message: Locator, entry: string): Promise<void> {
  await message.hover();
  await message.getByTestId('message-menu').click();
  await message.page().getByTestId(entry).click();
}

/** The blocks of a type in the last answer. */
export function blocks(page: Page, type: string): Locator {
  return answers(page).last().locator(`[data-testid="block"][data-type="${type}"]`);
}

/** Everything the page shows of the conversation. */
export function shownMessages(page: Page): Promise<ShownMessage[]> {
  return page.locator('[data-testid="message"]').evaluateAll((articles) =>
    articles.map((article) => ({
      id: article.getAttribute('data-id') ?? '',
      role: article.getAttribute('data-role') ?? '',
      status: article.getAttribute('data-status') ?? '',
      blocks: [...article.querySelectorAll('[data-testid="block"]')].map((block) => {
        const length = block.getAttribute('data-length');
        return {
          type: block.getAttribute('data-type') ?? '',
          status: block.getAttribute('data-status') ?? '',
          ordinal: Number(block.getAttribute('data-ordinal')),
          length: length === null ? null : Number(length),
          text: block.textContent ?? '',
        };
      }),
    })),
  );
}

/** Resolves when a page shows exactly these messages. */
export async function shows(page: Page, messages: ShownMessage[]): Promise<void> {
  await expect.poll(() => shownMessages(page)).toEqual(messages);
}

/** The id of the conversation a page is at; waits until it is at one. */
export async function topicOf(page: Page): Promise<string> {
  await page.waitForURL(/\/t\//);
  return new URL(page.url()).pathname.slice(3);
}

/** Notes what progress bars show from here on: how many at once at most, and each value. */
export async function watchBars(
  page: Page,
): Promise<() => Promise<{ most: number; values: number[] }>> {
  const seen = await page.evaluateHandle(() => {
    const seen = { most: 0, values: [] as number[] };
    const look = () => {
      const bars = [...document.querySelectorAll('[role="progressbar"]')];
      seen.most = Math.max(seen.most, bars.length);
      for (const bar of bars) seen.values.push(Number(bar.getAttribute('aria-valuenow') ?? 0));
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ['aria-valuenow'],
    });
    return seen;
  });
  return () => seen.jsonValue();
}

/** Collects what a page complains about: errors, refused loads, failed scripts. */
export function watchTroubles(page: Page): string[] {
  const troubles: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(String(error)));
  return troubles;
}

/** Whether something is seen whole without scrolling. */
export function isInSight(target: Locator): Promise<boolean> {
  return target.evaluate((it) => {
    const { left, right, top, bottom } = it.getBoundingClientRect();
    const at = [
      document.elementFromPoint(left + 4, top + 4),
      document.elementFromPoint(right - 4, bottom - 4),
    ];
    return at.every((found) => it.contains(found));
  });
}
