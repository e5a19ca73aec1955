import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { LineReader } from '#mcp/channels/line-reader.ts';
import { readText } from '#server/api/guard.ts';
import { SseParser } from '#shared/text/sse-parser.ts';

const megabyte = 1024 * 1024;
const flat = 20 * megabyte;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** How much larger the heap is with what the work gave. */
async function kept(work: () => unknown): Promise<number> {
  collect();
  const before = process.memoryUsage();
  const result = await work();
  collect();
  const after = process.memoryUsage();
  expect(result).toBeDefined();
  const grown = (field: 'heapUsed' | 'arrayBuffers') => after[field] - before[field];
  return grown('heapUsed') + grown('arrayBuffers');
}

/** One byte, a buffer of its own, as each chunk of an HTTP body is. */
const byte = (): Buffer => Buffer.from('x');

describe('T85: bytes that come one by one', () => {
  it('of an event that does not end', async () => {
    const grown = await kept(() => {
      const reader = new SseParser(4 * megabyte);
      for (let n = 0; n < megabyte; n += 1) reader.push(byte());
      return reader;
    });
    expect(grown).toBeLessThan(flat);
  });

  it('of a line that does not end', async () => {
    const grown = await kept(() => {
      const reader = new LineReader(4 * megabyte);
      for (let n = 0; n < megabyte; n += 1) reader.push(byte());
      expect(reader.pendingBytes).toBe(megabyte);
      return reader;
    });
    expect(grown).toBeLessThan(flat);
  });

  it('of a request: it is read all the same', async () => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        for (let n = 0; n < 1024; n += 1) controller.enqueue(byte());
        sent += 1024;
        if (sent >= 256 * 1024) controller.close();
      },
    });
    const post: RequestInit & { duplex: string } = { method: 'POST', body, duplex: 'half' };
    expect(await readText(new Request('http://a.example', post), megabyte)).toBe(
      'x'.repeat(256 * 1024),
    );
  });
});
