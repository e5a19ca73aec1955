import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium } from '../../test/chromium.ts';
import type { Run } from './frame.ts';
import { pageFolder } from './pages.ts';

/** One fresh page of a contestant: its main thread's time for an answer of so many bytes. */
const [name = '', bytes = '0', updates = '0'] = process.argv.slice(2);
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
  console.log(JSON.stringify(await measure(page)));
} finally {
  await browser.close();
  server.close();
}

async function measure(page: Page): Promise<Record<string, number>> {
  const session = await page.context().newCDPSession(page);
  // Processor time of the main thread: what else the machine does is not counted.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? NaN;
  };
  const before = await read();
  const run = await page.evaluate(
    ([size, count]) =>
      (globalThis as unknown as { play(size: number, count: number): Promise<Run> }).play(
        size,
        count,
      ),
    [Number(bytes), Number(updates)] as const,
  );
  const after = await read();
  if (run.shown < Number(bytes) / 2) throw new Error(`${name} showed only ${run.shown} letters.`);
  return { task: (after - before) * 1000, longest: run.longest };
}
