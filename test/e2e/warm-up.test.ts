import { describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import { opener } from './opener.ts';
import { ask, watchTroubles } from './page.ts';

describe.skipIf(!hasChromium())('a page that nobody uses', () => {
  const visit = opener();

  it('tries out how answers are drawn, and leaves no trace of that', async () => {
    const { app, page } = await visit.page({ context: { idle: true } });
    const troubles = watchTroubles(page);
    const asked: string[] = [];
    // The page that was there before may be about to ask for the same.
    await page.goto('about:blank');
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(app.url);
    await page.waitForFunction(() => performance.getEntriesByName('warmed-up').length > 0);
    expect(asked.filter((path) => path.includes('conversation-view'))).toEqual([
      expect.stringMatching(/\.js$/),
    ]);
    // Everything comes in few files, which is much quicker than a hundred.
    expect(asked.filter((path) => path.endsWith('.js')).length).toBeLessThanOrEqual(30);
    // No formula, diagram or highlighter was fetched, and no worker begun.
    expect(asked.filter((path) => /katex|math|mermaid|diagram|highlight/.test(path))).toEqual([]);
    expect(page.workers()).toEqual([]);
    expect(await page.locator('[data-testid="message"]').count()).toBe(0);

    const answer = await ask(page, '/write 20');
    expect(answer.status).toBe('success');
    expect(troubles).toEqual([]);
  });
});
