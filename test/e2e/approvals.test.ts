import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../src/web/messages/en/en.ts';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { ask, blocks, ended, send, shownMessages, topicOf } from './page.ts';
import { named, t, textLike } from './texts.ts';

const serverScript = join(import.meta.dirname, '../fakes/hostile-server.ts');

describe.skipIf(!hasChromium())('approval in the page', () => {
  const visit = opener();
  let app: App;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    ({ app, browser, page } = await visit.page({ own: true }));
  });

  it('waits before a call that changes something, also over a reload and a restart', async () => {
    await send(page, '/call write_file {"path":"x.txt","content":"hi"}');
    await page.getByTestId('approve').waitFor();
    await page.locator('[data-testid="waiting"][data-for="approval"]').waitFor();
    const asked = await blocks(page, 'tool').textContent();
    expect(asked).toContain('x.txt');
    expect(asked).toContain('hi');
    await page.reload();
    await page.getByTestId('approve').waitFor();
    const topicId = await topicOf(page);
    await page
      .locator(`[data-testid="topic-row"][data-id="${topicId}"]`)
      .getByRole('img')
      .waitFor();
    await app.restart('SIGKILL');
    await page.reload();
    await page.getByTestId('approve').waitFor();
    expect(existsSync(join(app.home, 'workspace/x.txt'))).toBe(false);
  });

  it('runs the call once it is approved', async () => {
    await page.getByTestId('approve').click();
    const answer = await ended(page, 0);
    expect(answer.status).toBe('success');
    expect(readFileSync(join(app.home, 'workspace/x.txt'), 'utf8')).toBe('hi');
  });

  it('asks again for the next call, and a denied call does not run', async () => {
    await send(page, '/call write_file {"path":"y.txt","content":"no"}');
    await page.getByTestId('deny').click();
    const answer = await ended(page, 1);
    const tool = answer.blocks.find(({ type }) => type === 'tool');
    expect(tool?.status).toBe('error');
    expect(tool?.text).toContain(t('tool.denied'));
    // To who denied it.
    expect(tool?.text).toContain(en.host['denied-by-person']);
    expect(existsSync(join(app.home, 'workspace/y.txt'))).toBe(false);
  });

  it('decides on several waiting calls at once', async () => {
    const write = (name: string) => `/call write_file {"path":"${name}","content":"both"}`;
    await send(page, `${write('a.txt')}\n${write('b.txt')}`);
    await page.getByTestId('approve-picked').click();
    const answer = await ended(page, 2);
    expect(answer.blocks.map(({ type }) => type)).toEqual(['tool', 'tool', 'main_text']);
    for (const name of ['a.txt', 'b.txt'])
      expect(readFileSync(join(app.home, 'workspace', name), 'utf8')).toBe('both');
  });

  it('does not ask again in a conversation that has allowed the tool', async () => {
    await send(page, '/call write_file {"path":"c.txt","content":"1"}');
    await page.getByTestId('approval-scope').selectOption('topic');
    await page.getByTestId('approve').click();
    await ended(page, 3);
    await ask(page, '/call write_file {"path":"d.txt","content":"2"}');
    expect(readFileSync(join(app.home, 'workspace/d.txt'), 'utf8')).toBe('2');
  });

  it('connects a command only after its exact words were approved', async () => {
    const journal = `${app.home}-calls.jsonl`;
    await addServer(page, 'workshop', [serverScript, JSON.stringify({ journal })]);
    const dialog = page.getByRole('dialog', named('servers.approveTitle'));
    await dialog.waitFor();
    for (const word of [process.execPath, serverScript, journal])
      expect(await dialog.textContent()).toContain(word);
    await dialog.getByRole('button', named('common.cancel')).click();
    const card = page.getByTestId('server').filter({ hasText: 'workshop' });
    await card.and(page.locator('[data-state="draft"]')).waitFor();
    expect(existsSync(journal)).toBe(false);

    await card.getByRole('button', named('servers.review')).click();
    await page.getByRole('button', named('servers.approve')).click();
    await page.getByTestId('approved-done').click();
    await card.and(page.locator('[data-state="connected"]')).waitFor();
    await card.getByRole('button', { name: 'workshop' }).click();
    await card.getByText('Tool environment').waitFor();
    expect(existsSync(journal)).toBe(true);
  });

  it('runs a call of a foreign server exactly once, although two browsers approve it', async () => {
    const other = await app.signIn(browser, { blank: true });
    await page.getByTestId('new-chat').click();
    await send(page, '/call mcp__workshop__echo {"n":1}');
    const topicId = await topicOf(page);
    await other.page.goto(`${app.url}/t/${topicId}`);
    for (const one of [page, other.page]) await one.getByTestId('approve').waitFor();
    expect(callsIn(app)).toBe(0);
    await Promise.all(
      [page, other.page].map((one) =>
        one.getByTestId('approve').evaluate((button) => (button as HTMLElement).click()),
      ),
    );
    const answer = await ended(page, 0);
    expect(answer.blocks[0]?.status).toBe('success');
    expect(callsIn(app)).toBe(1);
    await ended(other.page, 0);
    expect(await shownMessages(other.page)).toEqual(await shownMessages(page));
    await other.context.close();
  });

  it('runs the call as a person changed it', async () => {
    await page.getByTestId('new-chat').click();
    await send(page, '/call write_file {"path":"z.txt","content":"model"}');
    await page.getByTestId('edit-arguments').click();
    await page.getByTestId('edit-as-json').click();
    const editor = page.getByTestId('arguments-editor');
    await editor.fill('{"path":');
    expect(await page.getByTestId('approve').isDisabled()).toBe(true);
    await editor.fill('{"path":"z.txt","content":"person"}');
    await page.getByTestId('approve').click();
    await ended(page, 0);
    expect(readFileSync(join(app.home, 'workspace/z.txt'), 'utf8')).toBe('person');
  });

  it('keeps changed arguments over a reload, and out of what is decided for several', async () => {
    await page.getByTestId('new-chat').click();
    const write = (name: string) => `/call write_file {"path":"${name}","content":"model"}`;
    await send(page, ['r1.txt', 'r2.txt', 'r3.txt'].map(write).join('\n'));
    const batch = page.getByTestId('approval-batch');
    await batch.getByRole('checkbox').nth(2).waitFor();
    await page.getByTestId('edit-arguments').first().click();
    await page.getByTestId('approval').first().getByLabel('content').fill('person');
    await page.reload();
    const content = page.getByTestId('approval').first().getByLabel('content');
    await content.waitFor();
    expect(await content.inputValue()).toBe('person');
    await batch.getByRole('checkbox', { name: /r2\.txt/ }).waitFor();
    expect(await batch.getByRole('checkbox').count()).toBe(2);
    await page.getByTestId('approve-picked').click();
    await batch.waitFor({ state: 'detached' });
    // The batch is gone as soon as one of its two is decided; the other may still show its button.
    await page.getByRole('button', named('approval.approveEdited')).click();
    await ended(page, 0);
    const texts = ['r1.txt', 'r2.txt', 'r3.txt'].map((name) =>
      readFileSync(join(app.home, 'workspace', name), 'utf8'),
    );
    expect(texts).toEqual(['person', 'model', 'model']);
    const kept = () => page.evaluate(() => sessionStorage.getItem('cerise.arguments'));
    await expect.poll(kept).toBeNull();
  });

  it('checks the form of the arguments before it sends them', async () => {
    await page.getByTestId('new-chat').click();
    await send(page, '/call write_file {"path":"form.txt","content":"model"}');
    await page.getByTestId('edit-arguments').click();
    const card = page.getByTestId('approval');
    await card.getByLabel('path').fill('');
    await card.getByLabel('content').fill('from the form');
    await card.getByRole('button', named('approval.compare')).click();
    await card.locator('[data-testid="diff"] ins').first().waitFor();
    await card.getByLabel('path').fill('form.txt');
    await page.getByTestId('approve').click();
    await ended(page, 0);
    expect(readFileSync(join(app.home, 'workspace/form.txt'), 'utf8')).toBe('from the form');
  });

  it('decides only on the calls that are ticked', async () => {
    await page.getByTestId('new-chat').click();
    const write = (name: string) => `/call write_file {"path":"${name}","content":"one"}`;
    await send(page, `${write('in.txt')}\n${write('out.txt')}`);
    const batch = page.getByTestId('approval-batch');
    await batch.getByRole('checkbox', { name: /out\.txt/ }).uncheck();
    expect(await page.getByTestId('approve-picked').textContent()).toBe(
      t('approval.approveSome', { count: 1 }),
    );
    await page.getByTestId('approve-picked').click();
    await batch.waitFor({ state: 'detached' });
    await page.getByTestId('deny').click();
    await ended(page, 0);
    expect(existsSync(join(app.home, 'workspace/in.txt'))).toBe(true);
    expect(existsSync(join(app.home, 'workspace/out.txt'))).toBe(false);
  });

  it('never takes the focus from who types, and is reached and decided by the keyboard', async () => {
    await page.getByTestId('new-chat').click();
    const composer = page.getByTestId('composer');
    await composer.fill('/call write_file {"path":"keys.txt","content":"typed"}');
    await composer.press('Enter');
    await topicOf(page);
    await composer.pressSequentially('I go on ');
    await page.getByTestId('approve').waitFor();
    await composer.pressSequentially('writing');
    expect(await composer.inputValue()).toBe('I go on writing');
    expect(existsSync(join(app.home, 'workspace/keys.txt'))).toBe(false);
    await page.keyboard.press('F8');
    expect(await focusedTestId(page)).toBe('approval');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await expect.poll(() => page.getByTestId('approve').isEnabled()).toBe(true);
    for (let step = 0; (await focusedTestId(page)) !== 'approve' && step < 12; step += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await ended(page, 0);
    await expect.poll(() => focusedTestId(page)).toBe('composer');
    expect(readFileSync(join(app.home, 'workspace/keys.txt'), 'utf8')).toBe('typed');
    await composer.fill('');
  });

  it('explains when the arguments are not the ones that were shown (T33)', async () => {
    await page.getByTestId('new-chat').click();
    await send(page, '/call write_file {"path":"race.txt","content":"shown"}');
    await page.getByTestId('approve').waitFor();
    await page.route('**/decision', async (route) => {
      const body = route.request().postDataJSON() as object;
      await route.continue({ postData: JSON.stringify({ ...body, argsHash: 'of others' }) });
    });
    await page.getByTestId('approve').click();
    await page.getByText(t('approval.changed')).waitFor();
    await page.unroute('**/decision');
    expect(existsSync(join(app.home, 'workspace/race.txt'))).toBe(false);
    await page.getByTestId('deny').click();
    await ended(page, 0);
  });

  it('T84: approves nothing that was not shown, by no key and by no script', async () => {
    await page.getByTestId('new-chat').click();
    const lines = Array.from({ length: 240 }, (_, at) => `echo ${at}`);
    const content = `${lines.join('\n')}\nrm -rf /`;
    await send(page, `/call write_file ${JSON.stringify({ path: 'long.txt', content })}`);
    const card = page.getByTestId('approval');
    const approve = card.getByTestId('approve');
    await approve.waitFor();
    expect(await approve.isDisabled()).toBe(true);
    expect(await card.getByTestId('unseen').textContent()).toMatch(textLike('hidden.unseenLines'));
    expect(await card.textContent()).not.toContain('rm -rf /');
    await page.keyboard.press('F8');
    for (const key of ['Enter', 'Space']) await page.keyboard.press(key);
    await approve.evaluate((button) => (button as HTMLElement).click());
    await approve.dispatchEvent('click');
    expect(existsSync(join(app.home, 'workspace/long.txt'))).toBe(false);

    const rest = card.getByTestId('show-rest');
    expect(await rest.textContent()).toMatch(textLike('hidden.showLines', { lines: /2\d\d/ }));
    await rest.focus();
    await page.keyboard.press('Enter');
    await card.getByText('rm -rf /').waitFor();
    expect(await card.getByTestId('unseen').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('rm -rf /');
    // Nothing of it is in a box that scrolls: who comes to the button has passed all of it.
    const boxes = await card.evaluate((element) =>
      [...element.querySelectorAll('*')]
        .filter((each) => each.clientHeight > 20 && each.scrollHeight > each.clientHeight + 2)
        .map((each) => getComputedStyle(each).overflowY),
    );
    expect(boxes.filter((overflow) => overflow !== 'visible')).toEqual([]);
    await approve.click();
    await ended(page, 0);
    expect(readFileSync(join(app.home, 'workspace/long.txt'), 'utf8')).toBe(content);
  });

  it('T84: decides on several at once only when all of them were shown', async () => {
    await page.getByTestId('new-chat').click();
    const write = (name: string, content: string) =>
      `/call write_file ${JSON.stringify({ path: name, content })}`;
    const long = `${'x'.repeat(100_000)} rm -rf /`;
    await send(page, `${write('s1.txt', 'short')}\n${write('s2.txt', long)}`);
    const approve = page.getByTestId('approve-picked');
    await approve.waitFor();
    expect(await approve.isDisabled()).toBe(true);
    expect(await page.getByTestId('unseen-picked').textContent()).toContain(
      t('approval.unseenSome', { count: 1 }),
    );
    const started = Date.now();
    await page.getByTestId('show-picked').click();
    await page.getByTestId('approval').filter({ hasText: 'rm -rf /' }).waitFor();
    expect(Date.now() - started).toBeLessThan(5000);
    expect(await focusedTestId(page)).toBe('approval');
    await approve.click();
    await ended(page, 0);
    expect(readFileSync(join(app.home, 'workspace/s2.txt'), 'utf8')).toBe(long);
  });

  it('T84: shows what a person changed as it will be sent, also before the form is there', async () => {
    await page.getByTestId('new-chat').click();
    await send(page, '/call write_file {"path":"e.txt","content":"model"}');
    await page.getByTestId('edit-arguments').click();
    const card = page.getByTestId('approval');
    await card.getByLabel('content').fill('ls\u200B\u2800');
    const sent = card.getByTestId('approval-arguments');
    await sent.getByText('U+200B U+2800').waitFor();
    const gate = Promise.withResolvers<void>();
    await page.route('**/tools', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.reload();
    await card.getByTestId('approve').waitFor();
    await sent.getByText('U+200B U+2800').waitFor();
    expect(await sent.textContent()).not.toContain('model');
    gate.resolve();
    await page.unrouteAll({ behavior: 'wait' });
    await card.getByLabel('content').fill('person');
    await card.getByTestId('approve').click();
    await ended(page, 0);
    expect(readFileSync(join(app.home, 'workspace/e.txt'), 'utf8')).toBe('person');
  });

  it('shows at once what was decided elsewhere', async () => {
    const other = await app.signIn(browser);
    await page.getByTestId('new-chat').click();
    await send(page, '/call write_file {"path":"else.txt","content":"x"}');
    await other.page.goto(`${app.url}/t/${await topicOf(page)}`);
    await page.getByTestId('approve').waitFor();
    await other.page.getByTestId('deny').click();
    await page.getByTestId('approval').waitFor({ state: 'detached' });
    await ended(page, 0);
    await other.context.close();
  });

  it('names the place of a server without its secrets, and the characters that hide', async () => {
    const [secret, hidden] = ['canary-5e1f', 'a\u202Etxt.exe'];
    const { id } = await app.api<{ id: string }>('/servers', {
      method: 'POST',
      body: {
        name: 'far',
        type: 'stdio',
        command: process.execPath,
        args: [serverScript, '{}'],
        env: { FAR_TOKEN: secret },
      },
    });
    const server = (await app.servers()).find((each) => each.id === id);
    await app.api(`/servers/${id}/approve`, {
      method: 'POST',
      body: { launchHash: server?.launchHash },
    });
    await page.getByTestId('new-chat').click();
    await send(page, `/call mcp__far__echo ${JSON.stringify({ path: hidden })}`);
    const card = page.getByTestId('approval');
    await card.getByTestId('server-place').filter({ hasText: serverScript }).waitFor();
    await card.getByTestId('hidden-character').filter({ hasText: 'U+202E' }).first().waitFor();
    expect(await card.getByTestId('why-asked').textContent()).toContain(
      t('approval.reasons.untrusted_server'),
    );
    expect(await page.content()).not.toContain(secret);
    await page.getByTestId('deny').click();
    await ended(page, 0);
  });
});

function focusedTestId(page: Page): Promise<string | undefined> {
  return page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.testid);
}

async function addServer(page: Page, name: string, args: string[]): Promise<void> {
  await page.getByRole('link', named('sidebar.servers')).click();
  await page.getByRole('button', named('servers.add')).click();
  await page.getByRole('textbox', named('servers.formName')).fill(name);
  await page.getByRole('textbox', named('servers.command')).fill(process.execPath);
  await page.getByRole('textbox', named('servers.args')).fill(args.join('\n'));
  await page.getByRole('button', named('common.add')).click();
}

function callsIn(app: App): number {
  const lines = readFileSync(`${app.home}-calls.jsonl`, 'utf8').split('\n');
  return lines.filter((line) => line.includes('"tools/call"')).length;
}
