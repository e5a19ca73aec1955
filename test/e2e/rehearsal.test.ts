import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { hasChromium } from '../chromium.ts';
import { tool } from '../fixtures/pliable.ts';
import { barriers } from './barriers.ts';
import { opener } from './opener.ts';

const pliable = join(import.meta.dirname, '../fakes/pliable-server.mjs');

describe.skipIf(!hasChromium())('a changed server', () => {
  const visit = opener();

  it('is rehearsed before it is approved: what runs, which calls, and what differs', async () => {
    const { app, page, troubles } = await visit.page({ context: { blank: true } });
    // No server sees the data folder.
    const folder = await mkdtemp(join(tmpdir(), 'cerise-tools-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'tools.json');
    const say = (answer: string, more: object[] = []) => {
      const tools = [tool('look', { annotations: { readOnlyHint: true } }), ...more];
      writeFileSync(file, JSON.stringify({ tools, answers: { look: answer } }));
    };
    say('before');
    const post = <T>(path: string, body: object, method = 'POST') =>
      app.api<T>(path, { method, body });
    const config = { name: 'shop', command: process.execPath, args: [pliable, file] };
    const { id, launchHash } = await post<ServerView>('/servers', {
      ...config,
      autoApprove: ['look'],
    });
    await post(`/servers/${id}/approve`, { launchHash });
    await post(`/servers/${id}/tools/look/call`, { arguments: { at: 'home' } });
    await post(`/servers/${id}`, { env: { VERSION: '2' } }, 'PATCH');
    say('after', [tool('fresh')]);

    await page.goto(`${app.url}/servers`);
    const shop = page.getByTestId('server').filter({ hasText: 'shop' });
    await shop.getByTestId('review-server').click();
    await page.getByRole('dialog').getByTestId('rehearse').click();
    const dialog = page.getByRole('dialog').last();
    await dialog.getByText('look {"at":"home"}').waitFor();
    expect(await dialog.getByTestId('launch-facts').innerText()).toContain('VERSION');
    await dialog.getByTestId('rehearse-start').click();
    const outcome = dialog.getByTestId('rehearsal');
    await outcome.locator('[data-outcome="different"]').waitFor();
    const text = await outcome.innerText();
    for (const words of ['fresh', 'content[0].text', '"before"', '"after"'])
      expect(text).toContain(words);
    expect(await barriers(page, '[role="dialog"]')).toEqual([]);
    const servers = await app.servers();
    expect(servers.find(({ name }) => name === 'shop')?.state).toBe('draft');
    expect(troubles).toEqual([]);
  });
});
