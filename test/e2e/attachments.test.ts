import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import { realServer } from '../real-servers.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { barriers } from './barriers.ts';
import { addServer, attach, attachments, filesOf, newChat, option } from './composing.ts';
import { ended, send, topicOf } from './page.ts';
import { named, t, textLike } from './texts.ts';

const everything = await realServer('@modelcontextprotocol/server-everything', '2026.8.31');
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

describe.skipIf(!hasChromium())('what goes with a message', () => {
  const visit = opener();
  let app: App;
  let page: Page;
  let troubles: string[];

  beforeAll(async () => {
    ({ app, page, troubles } = await visit.page({ pace: 2 }));
  });

  describe('files', () => {
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
      await page
        .getByText(textLike('composer.cannotTake', { names: 'dot.png', count: 1 }))
        .waitFor();
      await page.getByRole('button', named('composer.remove', { name: 'dot.png' })).click();
      await page
        .getByText(textLike('composer.cannotTake', { count: 1 }))
        .waitFor({ state: 'detached' });
      await attach(page, 'plain.txt', 'text/plain', Buffer.from('text'));
      expect(await page.getByText(textLike('composer.cannotTake', { count: 1 })).count()).toBe(0);
      await page.getByRole('button', named('composer.remove', { name: 'plain.txt' })).click();
    });

    it('explains what is empty or too many, and tries a broken upload again', async () => {
      await newChat(page, app);
      await page
        .getByTestId('attach-input')
        .setInputFiles([{ name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) }]);
      await page.getByText(t('composer.fileEmpty')).waitFor();
      expect(await page.getByTestId('send').isDisabled()).toBe(true);
      await page.getByRole('button', named('composer.remove', { name: 'empty.txt' })).click();

      await page.route('**/api/files?*', (route) => route.abort());
      await attach(page, 'late.txt', 'text/plain', Buffer.from('late'), 'failed');
      await page.unroute('**/api/files?*');
      await page.getByRole('button', named('composer.retryUpload', { name: 'late.txt' })).click();
      await attachments(page, 'ready').waitFor();

      const many = Array.from({ length: 21 }, (_, index) => ({
        name: `${index}.txt`,
        mimeType: 'text/plain',
        buffer: Buffer.from(String(index)),
      }));
      await page.getByTestId('attach-input').setInputFiles(many);
      await page.getByText(t('composer.tooMany', { most: 20, left: 2 })).waitFor();
      await attachments(page, 'ready').nth(19).waitFor();
      await send(page, 'All of them');
      await ended(page, 0);
      expect(await filesOf(app, await topicOf(page))).toHaveLength(20);
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
    beforeAll(() => addServer(app, 'everything', everything ?? ''));

    it('lists commands and prompts as servers answer, and four that are dead hold nothing up', async () => {
      const silent: string[] = [];
      for (const name of ['dead-1', 'dead-2', 'dead-3', 'dead-4'])
        silent.push(await addServer(app, name, '-e', 'setInterval(() => {}, 1000)'));
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
      // An answer would wait until it is clear that they do not come up.
      await Promise.all(silent.map((id) => app.api(`/servers/${id}`, { method: 'DELETE' })));
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

    it('hands on an argument of several lines as it was written', async () => {
      await newChat(page, app);
      await page.getByTestId('composer').pressSequentially('/args');
      await option(page, '/args-prompt').waitFor();
      await page.keyboard.press('Enter');
      const city = page.getByTestId('argument-form').getByRole('textbox').first();
      await city.fill('Rome,\nnot the one');
      await city.press('Shift+Enter');
      await page.keyboard.type('in Georgia');
      await city.press('Enter');
      await expect
        .poll(() => page.getByTestId('composer').inputValue())
        .toContain('Rome,\nnot the one\nin Georgia');
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
      await page.getByTestId('argument-form').getByRole('textbox').fill('nonsense');
      await page.getByTestId('use-arguments').click();
      await attachments(page, 'chosen').waitFor();
      await page.getByTestId('composer').press('Enter');
      await attachments(page, 'failed').waitFor();
      expect(await page.getByTestId('composer').inputValue()).toBe('Look at ');
      expect(page.url()).not.toContain('/t/');
      await page.getByRole('button', { name: textLike('composer.remove') }).click();
    });
  });

  it('made the browser complain about nothing', () => {
    // The browser says itself which requests failed; some are meant to.
    const others = troubles.filter((text) => !text.startsWith('Failed to load resource'));
    expect(others).toEqual([]);
  });
});
