import type { Locator, Page } from 'playwright-core';
import type { MediaBlock } from '#shared/vocabulary/block.ts';
import type { App } from './app.ts';

/** Adds a server that is a script of Node and approves it; gives its id. */
export async function addServer(app: App, name: string, ...args: string[]): Promise<string> {
  const body = { type: 'stdio', name, command: process.execPath, args };
  const made = await app.api<{ id: string; launchHash: string }>('/servers', {
    method: 'POST',
    body,
  });
  const { launchHash } = made;
  await app.api(`/servers/${made.id}/approve`, { method: 'POST', body: { launchHash } });
  return made.id;
}

/** Opens a new conversation with an empty box. */
export async function newChat(page: Page, app: App): Promise<void> {
  await page.goto(app.url);
  await page.getByTestId('suggestion').first().waitFor();
  await page.getByTestId('model-picker').waitFor();
  await page.getByTestId('composer').fill('');
}

/** Attaches one file and waits for the state it comes to. */
export async function attach(
  page: Page,
  name: string,
  mimeType: string,
  buffer: Buffer,
  state = 'ready',
): Promise<void> {
  await page.getByTestId('attach-input').setInputFiles([{ name, mimeType, buffer }]);
  await attachments(page, state).waitFor();
}

/** What is attached, in one state. */
export function attachments(page: Page, state: string): Locator {
  return page.locator(`[data-testid="attachment"][data-state="${state}"]`);
}

/** An entry of an open list. */
export function option(page: Page, text: string): Locator {
  return page.getByTestId('option').filter({ hasText: text }).first();
}

/** The files of the reader's messages. */
export async function filesOf(app: App, topicId: string): Promise<MediaBlock[]> {
  const { messages } = await app.conversation(topicId);
  return messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ blocks }) => blocks)
    .filter((block): block is MediaBlock => 'stored' in block);
}
