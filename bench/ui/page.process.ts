import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium } from '../../test/chromium.ts';
import type { Run } from './frame.ts';
import { pageFolder } from './pages.ts';
import { traceFrames } from './trace-tasks.ts';

/** One fresh page of a contestant: its main thread's time for an answer of so many bytes. */
const [name = '', bytes = '0', updates = '0', kind = 'mixed'] = process.argv.slice(2);
const idleMs = 2000;
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

const server = createServer((request, response) => {
  const path = normalize(new URL(request.url ?? '/', 'http://x').pathname);
  const file = join(pageFolder(name), path === '/' ? 'index.html' : path);
  readFile(file).then(
    (body) => response.setHeader('content-type', types[extname(file)] ?? 'text/plain').end(body),
    () => response.writeHead(404).end(),
  );
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const browser = await launchChromium();
try {
  const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  // Nobody asks the moment a page opens: whatever it does when it is idle, it has the time for it.
  await page.waitForTimeout(idleMs);
  console.log(JSON.stringify(await measure(page)));
} finally {
  await browser.close();
  server.close();
}

type Play = (size: number, count: number, kind: string) => Promise<Run>;

async function measure(page: Page): Promise<Record<string, number>> {
  const session = await page.context().newCDPSession(page);
  // Processor time of the main thread: what else the machine does is not counted.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? NaN;
  };
  const before = await read();
  const devtools = await browser.newBrowserCDPSession();
  let run: Run = { longest: NaN, shown: 0 };
  const frames = await traceFrames(devtools, async () => {
    run = await play(page);
  });
  const after = await read();
  if (run.shown < Number(bytes) / 2) throw new Error(`${name} showed only ${run.shown} letters.`);
  const longestCpu = Math.max(...frames.map(({ cpu }) => cpu));
  return { task: (after - before) * 1000, longest: run.longest, longestCpu };
}

function play(page: Page): Promise<Run> {
  return page.evaluate(
    ([size, count, of]) => (globalThis as unknown as { play: Play }).play(size, count, of),
    [Number(bytes), Number(updates), kind] as const,
  );
}
