import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Assistant } from '#shared/vocabulary/message.ts';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { barriers } from './barriers.ts';
import { newChat } from './composing.ts';
import { opener } from './opener.ts';
import { ask, ended, send, shownMessages, topicOf } from './page.ts';
import { named, t } from './texts.ts';

describe.skipIf(!hasChromium())('the composer', () => {
  const visit = opener();
  let app: App;
  let browser: Browser;
  let page: Page;
  let troubles: string[];

  beforeAll(async () => {
    ({ app, browser, page, troubles } = await visit.page({ pace: 2 }));
  });

  describe('the pickers', () => {
    beforeAll(() =>
      app.api('/providers', {
        method: 'POST',
        body: { name: 'openai', kind: 'openai', apiKey: 'none', models: ['gpt-5', 'gpt-4o'] },
      }),
    );

    it('finds a model by the keyboard alone, and sets how much it thinks', async () => {
      const settings = await app.api<object>('/settings');
      const body = { ...settings, reasoningEffort: 'low' };
      await app.api('/settings', { method: 'PUT', body });
      await newChat(page, app);
      expect(await page.getByTestId('effort').count()).toBe(0);
      await page.getByTestId('model-picker').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('combobox', named('composer.filterModels')).fill('gpt');
      const options = page.getByRole('dialog').getByRole('option');
      await expect.poll(() => options.count()).toBe(2);
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('combobox', named('composer.filterModels')).fill('gpt-5');
      await expect.poll(() => options.count()).toBe(1);
      await page.keyboard.press('Enter');
      await page.getByTestId('model-picker').getByText('gpt-5').waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByTestId('effort').selectOption('high');
      await page.getByTestId('effort').selectOption({ label: t('composer.effortAuto') });
      await page.getByTestId('model-picker').click();
      await page.getByRole('option', { name: t('common.scripted') }).click();
      await ask(page, 'What is 1+1?');
      const { topic } = await app.conversation(await topicOf(page));
      expect(topic.parameters).toEqual({ reasoningEffort: 'auto' });
    });

    it('switches one server off, shows the tools of another, and keeps it for the topic', async () => {
      await newChat(page, app);
      await page.getByTestId('server-picker').click();
      const time = page.getByTestId('server-mark').filter({ hasText: 'time' });
      await page.getByRole('searchbox', named('composer.filterServers')).fill('tim');
      await time.getByRole('button', named('composer.toolsOf', { name: 'time' })).click();
      await time.getByText('Current time').waitFor();
      expect(await barriers(page)).toEqual([]);
      await time.getByRole('checkbox').uncheck();
      await page.getByText(t('composer.serversChooseHint')).waitFor();
      await page.keyboard.press('Escape');
      await ask(page, 'What is 1+1?');
      const { topic } = await app.conversation(await topicOf(page));
      const servers = await app.servers();
      const off = servers.find(({ name }) => name === 'time')?.id ?? '';
      expect(topic.mcp).toMatchObject({ enabled: true, mode: 'manual' });
      expect(topic.mcp?.selectedServers.length).toBeGreaterThan(3);
      expect(topic.mcp?.selectedServers).not.toContain(off);
    });

    it('a picker that ticks all servers: uses one alone, or none, with one press', async () => {
      const { id } = await app.api<{ id: string }>('/servers', {
        method: 'POST',
        body: {
          name: 'my own',
          type: 'streamableHttp',
          baseUrl: 'http://127.0.0.1:9/mcp',
          disabled: true,
        },
      });
      await newChat(page, app);
      await page.getByTestId('server-picker').click();
      const marks = page.getByTestId('server-mark');
      await expect.poll(() => marks.first().textContent()).toContain('my own');
      const ticked = () => marks.getByRole('checkbox', { checked: true }).count();
      expect(await ticked()).toBeGreaterThan(5);
      // What is switched off cannot be used alone.
      expect(await marks.first().getByTestId('only-server').count()).toBe(0);
      await marks.filter({ hasText: 'calculator' }).getByTestId('only-server').click();
      await expect.poll(ticked).toBe(1);
      expect(await marks.filter({ hasText: 'calculator' }).getByRole('checkbox').isChecked()).toBe(
        true,
      );
      expect(await page.getByTestId('server-picker').textContent()).toContain('calculator');
      await page.getByTestId('no-servers').click();
      await expect.poll(ticked).toBe(0);
      expect(await barriers(page)).toEqual([]);
      await marks.filter({ hasText: 'time' }).getByRole('checkbox').check();
      await expect.poll(ticked).toBe(1);
      await page.keyboard.press('Escape');
      await app.api(`/servers/${id}`, { method: 'DELETE' });
    });

    it('a picker that ticks all servers: ticks what the chosen model may use, and no more', async () => {
      const demo = page.getByTestId('server-mark').filter({ hasText: 'demo' });
      const isTicked = async (model: string) => {
        await newChat(page, app);
        await page.getByTestId('model-picker').click();
        await page.getByRole('dialog').getByRole('option', { name: model }).click();
        await page.getByTestId('server-picker').click();
        return demo.getByRole('checkbox').isChecked();
      };
      expect(await isTicked('gpt-4o')).toBe(false);
      await page.getByRole('radio', { name: t('composer.serversChoose') }).check();
      expect(await demo.getByRole('checkbox').isChecked()).toBe(false);
      await demo.getByRole('checkbox').check();
      await page.keyboard.press('Escape');
      expect(await isTicked(t('common.scripted'))).toBe(true);
      await page.keyboard.press('Escape');
    });

    it('makes an assistant with a prompt and parameters and uses it', async () => {
      await newChat(page, app);
      await page.getByTestId('assistant-picker').click();
      await page.getByRole('button', named('composer.newAssistant')).click();
      const form = page.getByRole('dialog', named('composer.newAssistant'));
      await form.getByRole('textbox', named('composer.name')).fill('Terse');
      await form.getByRole('textbox', named('composer.prompt')).fill('Be short.');
      await form.getByRole('button', named('composer.parameters')).click();
      await form.getByLabel(t('composer.maxTokens'), { exact: true }).fill('500');
      await form.getByRole('button', named('common.save')).click();
      await page.getByTestId('assistant-picker').getByText('Terse').waitFor();
      await ask(page, 'What is 1+1?');
      const { topic } = await app.conversation(await topicOf(page));
      const { assistants } = await app.api<{ assistants: Assistant[] }>('/assistants');
      const made = assistants.find(({ name }) => name === 'Terse');
      expect(made).toMatchObject({ id: topic.assistantId, parameters: { maxOutputTokens: 500 } });
      await newChat(page, app);
      await page.getByTestId('assistant-picker').click();
      await page.getByRole('combobox', named('composer.filterAssistants')).fill('assist');
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
      await queued.getByRole('button', named('composer.editQueued')).click();
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
      await page.getByRole('button', named('common.retry')).waitFor();
      await page.unroute('**/messages');
      await page.reload();
      await page.getByRole('button', named('common.retry')).click();
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
      await page.reload();
      await page.locator('[data-testid="composer"]:focus').waitFor();
      await page.keyboard.type(' more');
      expect(await page.getByTestId('composer').inputValue()).toBe('half a thought more');
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

    it('a frame around the chat: takes what is typed anywhere outside of a field', async () => {
      await newChat(page, app);
      await ask(page, 'What is 1+1?');
      const box = page.getByTestId('composer');
      const pane = page.getByTestId('scroller');
      // Nothing that can be pressed or marked is there.
      const click = () => pane.click({ position: { x: 4, y: 4 } });
      const outline = () => pane.evaluate((it) => getComputedStyle(it).outlineStyle);
      await click();
      await page.keyboard.press('ArrowDown');
      expect(await outline()).toBe('none');
      await page.keyboard.type('héllo 你');
      await expect.poll(() => box.inputValue()).toBe('héllo 你');
      expect(await box.evaluate((it) => it === document.activeElement)).toBe(true);
      await box.fill('');
      // What has a meaning of its own keeps it: shortcuts, keys that scroll, menus.
      await click();
      for (const key of ['Control+b', 'Control+b', 'PageUp', 'Space', 'F8'])
        await page.keyboard.press(key);
      expect(await box.inputValue()).toBe('');
      await page.getByTestId('user-menu').click();
      await page.getByRole('menuitem').first().waitFor();
      await page.keyboard.type('se');
      expect(await box.inputValue()).toBe('');
      await page.keyboard.press('Escape');
    });

    it('understands its own commands', async () => {
      await newChat(page, app);
      await send(page, '/model');
      await page.getByRole('dialog', named('composer.model')).waitFor();
      await page.keyboard.press('Escape');
      await send(page, '/help');
      await page.getByRole('dialog', named('shortcuts.title')).waitFor();
      await page.keyboard.press('Escape');
      await ask(page, 'What is 1+1?');
      await page.getByTestId('composer').pressSequentially('/cle');
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.pathname === '/');
      expect(await page.getByTestId('composer').inputValue()).toBe('');
    });
  });

  it('made the browser complain about nothing', () => {
    expect(troubles).toEqual([]);
  });
});
