import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MediaBlock } from '#shared/block.ts';
import type { Assistant } from '#shared/message.ts';
import { hasChromium, launchChromium } from '../chromium.ts';
import { realServer } from '../real-servers.ts';
import { App } from './app.ts';
import { ask, ended, send, shownMessages, topicOf, watchTroubles } from './page.ts';

const everything = await realServer('@modelcontextprotocol/server-everything', '2026.8.31');
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

describe.skipIf(!hasChromium())('the composer', () => {
  let app: App;
  let browser: Browser;
  let page: Page;
  let troubles: string[];

  beforeAll(async () => {
    [app, browser] = await Promise.all([App.start({ pace: 2 }), launchChromium()]);
    ({ page } = await app.signIn(browser));
    troubles = watchTroubles(page);
  });
  afterAll(async () => {
    expect(troubles).toEqual([]);
    await browser?.close();
    await app?.close();
  });

  describe('attachments', () => {
    it('uploads several files, keeps them through a reload and sends them with the words', async () => {
      await newChat(page, app);
      await page.getByTestId('attach-input').setInputFiles([
        { name: 'notes.ts', mimeType: 'video/mp2t', buffer: Buffer.from('export const a = 1;') },
        { name: 'dot.png', mimeType: 'image/png', buffer: pixel },
      ]);
      await attachments(page, 'ready').nth(1).waitFor();
      await page.getByTestId('composer').fill('What is in these?');
      await page.reload();
      await attachments(page, 'ready').nth(1).waitFor();
      expect(await page.getByTestId('composer').inputValue()).toBe('What is in these?');
      await page.getByTestId('send').click();
      await ended(page, 0);
      const files = await filesOf(app, await topicOf(page));
      expect(files.map(({ name, mimeType }) => [name, mimeType])).toEqual([
        ['notes.ts', 'text/plain'],
        ['dot.png', 'image/png'],
      ]);
      expect(await page.getByTestId('attachment').count()).toBe(0);
      await page.reload();
      await ended(page, 0);
      expect(await page.getByTestId('composer').inputValue()).toBe('');
    });

    it('says before sending what the model will not see', async () => {
      await newChat(page, app);
      await attach(page, 'dot.png', 'image/png', pixel);
      await page.getByText(/cannot read dot\.png/).waitFor();
      await page.getByRole('button', { name: 'Remove dot.png' }).click();
      await page.getByText(/cannot read/).waitFor({ state: 'detached' });
      await attach(page, 'plain.txt', 'text/plain', Buffer.from('text'));
      expect(await page.getByText(/cannot read/).count()).toBe(0);
      await page.getByRole('button', { name: 'Remove plain.txt' }).click();
    });

    it('explains what is empty or too many, and tries a broken upload again', async () => {
      await newChat(page, app);
      await page
        .getByTestId('attach-input')
        .setInputFiles([{ name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) }]);
      await page.getByText('The file is empty').waitFor();
      expect(await page.getByTestId('send').isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Remove empty.txt' }).click();

      await page.route('**/api/files?*', (route) => route.abort());
      await attach(page, 'late.txt', 'text/plain', Buffer.from('late'), 'failed');
      await page.unroute('**/api/files?*');
      await page.getByRole('button', { name: 'Upload late.txt again' }).click();
      await attachments(page, 'ready').waitFor();

      const many = Array.from({ length: 21 }, (_, index) => ({
        name: `${index}.txt`,
        mimeType: 'text/plain',
        buffer: Buffer.from(String(index)),
      }));
      await page.getByTestId('attach-input').setInputFiles(many);
      await page.getByText(/20 files at most; 2 were left out/).waitFor();
      await attachments(page, 'ready').nth(19).waitFor();
      await send(page, 'All of them');
      await ended(page, 0);
      expect(await filesOf(app, await topicOf(page))).toHaveLength(20);
      troubles.splice(0);
    });

    it('takes what is dropped anywhere and pictures that are pasted', async () => {
      await newChat(page, app);
      await page.evaluate(() => {
        const data = new DataTransfer();
        data.items.add(new File(['dropped'], 'dropped.md'));
        for (const type of ['dragenter', 'dragover'])
          document.body.dispatchEvent(
            new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }),
          );
        Object.assign(globalThis, { dragged: data });
      });
      await page.getByTestId('drop-zone').waitFor();
      await page.evaluate(
        (bytes) => {
          const { dragged } = globalThis as unknown as { dragged: DataTransfer };
          document.body.dispatchEvent(
            new DragEvent('drop', { dataTransfer: dragged, bubbles: true, cancelable: true }),
          );
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(bytes)], 'image.png', { type: 'image/png' }));
          document
            .querySelector('[data-testid="composer"]')
            ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
        },
        [...pixel],
      );
      await page.getByTestId('drop-zone').waitFor({ state: 'detached' });
      await attachments(page, 'ready').nth(1).waitFor();
      await page.getByTestId('send').click();
      await ended(page, 0);
      const names = (await filesOf(app, await topicOf(page))).map(({ name }) => name);
      expect(names[0]).toBe('dropped.md');
      expect(names[1]).toMatch(/^pasted-.*\.png$/);
    });
  });

  describe.skipIf(!everything)('prompts and resources', () => {
    const silent: string[] = [];
    beforeAll(async () => {
      for (const name of ['dead-1', 'dead-2', 'dead-3', 'dead-4'])
        silent.push(await addServer(app, name, '-e', 'setInterval(() => {}, 1000)'));
      await addServer(app, 'everything', everything ?? '');
    });
    afterAll(() =>
      Promise.all(silent.map((id) => app.api(`/servers/${id}`, { method: 'DELETE' }))),
    );

    it('lists commands and prompts as servers answer, and four that are dead hold nothing up', async () => {
      await newChat(page, app);
      await page.getByTestId('composer').pressSequentially('/');
      await option(page, '/model').waitFor();
      await option(page, '/simple-prompt').waitFor();
      await page.keyboard.type('simple');
      await page.keyboard.press('Enter');
      await expect
        .poll(() => page.getByTestId('composer').inputValue())
        .toBe('This is a simple prompt without arguments.');
      expect(await page.getByTestId('suggestions').count()).toBe(0);
    });

    it('asks for arguments with the proposals of the server', async () => {
      await newChat(page, app);
      await page.getByTestId('composer').pressSequentially('/completable');
      await option(page, '/completable-prompt').waitFor();
      await page.keyboard.press('Enter');
      await page.getByTestId('argument-form').waitFor();
      await page.keyboard.type('En');
      await option(page, 'Engineering').waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await option(page, 'Alice').click();
      await page.keyboard.press('Enter');
      await expect.poll(() => page.getByTestId('composer').inputValue()).toContain('Alice');
      expect(await page.getByTestId('composer').inputValue()).toContain('Engineering');
    });

    it('attaches a resource that is read when the message goes', async () => {
      await newChat(page, app);
      await page.getByTestId('composer').pressSequentially('Sum up @architecture');
      await option(page, 'architecture.md').waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await attachments(page, 'chosen').waitFor();
      expect(await page.getByTestId('composer').inputValue()).toBe('Sum up ');
      await page.reload();
      await attachments(page, 'chosen').waitFor();
      await page.getByTestId('composer').press('Enter');
      await ended(page, 0);
      const [file] = await filesOf(app, await topicOf(page));
      expect(file?.name).toBe('architecture.md');
      const text = await page.evaluate(
        async (id) => (await fetch(`/api/blobs/${id}`)).text(),
        file?.stored?.id ?? '',
      );
      expect(text).toContain('Architecture');
    });

    it('fills in a template, and a resource that fails says so and keeps everything', async () => {
      await newChat(page, app);
      await page.getByTestId('composer').pressSequentially('Look at @text/{');
      await page.getByTestId('option').first().waitFor();
      await page.keyboard.press('Enter');
      await page.getByTestId('argument-form').getByRole('combobox').fill('nonsense');
      await page.getByTestId('use-arguments').click();
      await attachments(page, 'chosen').waitFor();
      await page.getByTestId('composer').press('Enter');
      await attachments(page, 'failed').waitFor();
      expect(await page.getByTestId('composer').inputValue()).toBe('Look at ');
      expect(page.url()).not.toContain('/t/');
      await page.getByRole('button', { name: /^Remove/ }).click();
      // The browser says itself that a request failed.
      expect(troubles.splice(0)).toEqual([expect.stringContaining('Failed to load resource')]);
    });
  });

  describe('the pickers', () => {
    beforeAll(() =>
      app.api('/providers', {
        method: 'POST',
        body: { name: 'openai', kind: 'openai', apiKey: 'none', models: ['gpt-5', 'gpt-4o'] },
      }),
    );

    it('finds a model by the keyboard alone, and sets how much it thinks', async () => {
      await newChat(page, app);
      expect(await page.getByTestId('effort').count()).toBe(0);
      await page.getByTestId('model-picker').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('combobox', { name: 'Filter models' }).fill('gpt');
      await expect.poll(() => page.getByRole('option').count()).toBe(2);
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('combobox', { name: 'Filter models' }).fill('gpt-5');
      await expect.poll(() => page.getByRole('option').count()).toBe(1);
      await page.keyboard.press('Enter');
      await page.getByTestId('model-picker').getByText('gpt-5').waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByTestId('effort').selectOption('high');
      await page.getByTestId('model-picker').click();
      await page.getByRole('option', { name: /Demo/ }).click();
      await ask(page, 'What is 1+1?');
      const { topic } = await app.conversation(await topicOf(page));
      expect(topic.parameters).toEqual({ reasoningEffort: 'high' });
    });

    it('switches one server off, shows the tools of another, and keeps it for the topic', async () => {
      await newChat(page, app);
      await page.getByTestId('server-picker').click();
      const time = page.getByTestId('server-mark').filter({ hasText: 'time' });
      await page.getByRole('searchbox', { name: 'Search servers' }).fill('tim');
      await time.getByRole('button', { name: 'Tools of time' }).click();
      await time.getByText('Current time').waitFor();
      expect(await barriers(page)).toEqual([]);
      await time.getByRole('checkbox').uncheck();
      await page.getByText('Only the servers marked here').waitFor();
      await page.keyboard.press('Escape');
      await ask(page, 'What is 1+1?');
      const { topic } = await app.conversation(await topicOf(page));
      const servers = await app.servers();
      const off = servers.find(({ name }) => name === 'time')?.id ?? '';
      expect(topic.mcp).toMatchObject({ enabled: true, mode: 'manual' });
      expect(topic.mcp?.selectedServers.length).toBeGreaterThan(3);
      expect(topic.mcp?.selectedServers).not.toContain(off);
    });

    it('makes an assistant with a prompt and parameters and uses it', async () => {
      await newChat(page, app);
      await page.getByTestId('assistant-picker').click();
      await page.getByRole('button', { name: 'New assistant' }).click();
      const form = page.getByRole('dialog', { name: 'New assistant' });
      await form.getByLabel('Name').fill('Terse');
      await form.getByLabel('System prompt').fill('Be short.');
      await form.getByRole('button', { name: 'Parameters' }).click();
      await form.getByLabel('Most tokens').fill('500');
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByTestId('assistant-picker').getByText('Terse').waitFor();
      await ask(page, 'What is 1+1?');
      const { topic } = await app.conversation(await topicOf(page));
      const { assistants } = await app.api<{ assistants: Assistant[] }>('/assistants');
      const made = assistants.find(({ name }) => name === 'Terse');
      expect(made).toMatchObject({ id: topic.assistantId, parameters: { maxOutputTokens: 500 } });
      await newChat(page, app);
      await page.getByTestId('assistant-picker').click();
      await page.getByRole('combobox', { name: 'Search assistants' }).fill('assist');
      await page.keyboard.press('Enter');
    });
  });

  describe('the box', () => {
    it('walks back through own messages, and never sends half a word', async () => {
      await newChat(page, app);
      await ask(page, 'What is 1+1?');
      await ask(page, 'What is 2+2?');
      const box = page.getByTestId('composer');
      await box.press('ArrowUp');
      expect(await box.inputValue()).toBe('What is 2+2?');
      await box.press('ArrowUp');
      expect(await box.inputValue()).toBe('What is 1+1?');
      await box.press('ArrowUp');
      expect(await box.inputValue()).toBe('What is 1+1?');
      await box.press('ArrowDown');
      expect(await box.inputValue()).toBe('What is 2+2?');
      await box.press('Escape');
      expect(await box.inputValue()).toBe('');
      await box.fill('ni hao');
      await box.evaluate((area) => {
        const key = { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true };
        area.dispatchEvent(new KeyboardEvent('keydown', { ...key, isComposing: true }));
      });
      expect(await box.inputValue()).toBe('ni hao');
      expect(await shownMessages(page)).toHaveLength(4);
      await box.fill('');
    });

    it('takes a queued message back to edit it, and the running answer goes on', async () => {
      await newChat(page, app);
      await send(page, '/write 20000');
      await page.getByTestId('stop').waitFor();
      await send(page, 'And then?');
      const queued = page.getByTestId('queued');
      await queued.getByText('And then?').waitFor();
      await queued.getByRole('button', { name: 'Take it back and edit' }).click();
      await queued.waitFor({ state: 'detached' });
      await expect.poll(() => page.getByTestId('composer').inputValue()).toBe('And then?');
      await expect.poll(async () => (await shownMessages(page)).length).toBe(2);
      await page.getByTestId('stop').click();
      await ended(page, 0);
      const after = await ask(page, 'What is 3+3?');
      expect(after.blocks.at(-1)?.text).toContain('6');
      expect(await shownMessages(page)).toHaveLength(4);
    });

    it('keeps what could not be sent, also through a reload', async () => {
      await newChat(page, app);
      await ask(page, 'What is 1+1?');
      await page.route('**/messages', (route) => route.fulfill({ status: 500, body: '{}' }));
      await send(page, 'What is 5+5?');
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      await page.unroute('**/messages');
      await page.reload();
      await page.getByRole('button', { name: 'Try again' }).click();
      const answer = await ended(page, 1);
      expect(answer.blocks.at(-1)?.text).toContain('10');
      troubles.splice(0);
    });

    it('keeps a draft for each topic and follows the other tab', async () => {
      await newChat(page, app);
      await ask(page, 'What is 1+1?');
      const topicId = await topicOf(page);
      await page.getByTestId('composer').fill('half a thought');
      const tab = await page.context().newPage();
      await tab.goto(`${app.url}/t/${topicId}`);
      await expect.poll(() => tab.getByTestId('composer').inputValue()).toBe('half a thought');
      await tab.goto(app.url);
      await tab.getByTestId('suggestion').first().waitFor();
      expect(await tab.getByTestId('composer').inputValue()).toBe('');
      await tab.close();
      await page.getByTestId('composer').fill('');
    });

    it('makes a new line with Enter on a phone, where the button sends', async () => {
      const phone = await app.signIn(browser, {
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
      });
      const box = phone.page.getByTestId('composer');
      await box.fill('one');
      await box.press('Enter');
      await box.pressSequentially('two');
      expect(await box.inputValue()).toBe('one\ntwo');
      await phone.page.getByTestId('send').tap();
      const answer = await ended(phone.page, 0);
      expect(answer.status).toBe('success');
      await phone.context.close();
    });

    it('understands its own commands', async () => {
      await newChat(page, app);
      await send(page, '/model');
      await page.getByRole('dialog', { name: 'Model' }).waitFor();
      await page.keyboard.press('Escape');
      await send(page, '/help');
      await page.getByRole('dialog', { name: 'Keys and commands' }).waitFor();
      await page.keyboard.press('Escape');
      await ask(page, 'What is 1+1?');
      await page.getByTestId('composer').pressSequentially('/cle');
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.pathname === '/');
      expect(await page.getByTestId('composer').inputValue()).toBe('');
    });
  });
});

/** What axe finds that would keep someone out; not while something still fades in. */
async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(() =>
    Promise.allSettled(document.getAnimations().map((one) => one.finished)),
  );
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

async function addServer(app: App, name: string, ...args: string[]): Promise<string> {
  const body = { type: 'stdio', name, command: process.execPath, args };
  const made = await app.api<{ id: string; launchHash: string }>('/servers', {
    method: 'POST',
    body,
  });
  const { launchHash } = made;
  await app.api(`/servers/${made.id}/approve`, { method: 'POST', body: { launchHash } });
  return made.id;
}

async function newChat(page: Page, app: App): Promise<void> {
  await page.goto(app.url);
  await page.getByTestId('suggestion').first().waitFor();
  await page.getByTestId('model-picker').waitFor();
  await page.getByTestId('composer').fill('');
}

async function attach(
  page: Page,
  name: string,
  mimeType: string,
  buffer: Buffer,
  state = 'ready',
): Promise<void> {
  await page.getByTestId('attach-input').setInputFiles([{ name, mimeType, buffer }]);
  await attachments(page, state).waitFor();
}

function attachments(page: Page, state: string) {
  return page.locator(`[data-testid="attachment"][data-state="${state}"]`);
}

function option(page: Page, text: string) {
  return page.getByTestId('option').filter({ hasText: text }).first();
}

async function filesOf(app: App, topicId: string): Promise<MediaBlock[]> {
  const { messages } = await app.conversation(topicId);
  return messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ blocks }) => blocks)
    .filter((block): block is MediaBlock => 'stored' in block);
}
