import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** What axe says of one rule that is broken. */
interface Violation {
  id: string;
  impact?: string | null;
  nodes: { html: string }[];
}

interface Axe {
  run(
    part: unknown,
    options: { resultTypes: string[]; iframes: boolean },
  ): Promise<{ violations: Violation[] }>;
}

/** The builder brings axe, but puts it anew into the page at every look, which takes longer than the look. */
const builder = createRequire(import.meta.resolve('@axe-core/playwright'));
const { source } = builder('axe-core') as { source: string };

/** What axe finds in the page, or in a part of it, that would keep someone out; not while something still fades in. */
export async function barriers(page: Page, part?: string): Promise<string[]> {
  await page.evaluate(async () => {
    // What a change of the page sets in motion begins with its next picture, and may set in motion more.
    for (let still = 0; still < 3; still += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const moving = document.getAnimations().filter(({ playState }) => playState !== 'finished');
      if (moving.length > 0) still = -1;
      await Promise.allSettled(moving.map((one) => one.finished));
    }
  });
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const violations = await page.evaluate(async (within) => {
    const { axe } = globalThis as unknown as { axe: Axe };
    // There is no frame of another origin to look into.
    const options = { resultTypes: ['violations'], iframes: false };
    const found = await axe.run(within === undefined ? document : { include: [[within]] }, options);
    return found.violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      nodes: nodes.map(({ html }) => ({ html })),
    }));
  }, part);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
