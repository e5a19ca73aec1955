import { once } from 'node:events';
import { get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { createAdaptorServer } from '@hono/node-server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Viewer } from '#chat/topic/viewers.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import { eventStream, writeStraightTo } from './event-stream.ts';

const frame = (n: number): string => `data: ${n}\n\n`;

/** Serves streams of events on a port. */
async function serve(attach: (viewer: Viewer) => Promise<() => void>): Promise<number> {
  const server = createAdaptorServer({
    fetch: async (_request, { outgoing }) => {
      const response = await eventStream(usualLimits, attach);
      writeStraightTo(outgoing, response);
      return response;
    },
  }) as Server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** A stream of events over a socket, and how its one reader is reached. `first` is sent while it attaches. */
async function open(first: string): Promise<{
  viewer: Viewer;
  response: IncomingMessage;
  detached: () => boolean;
}> {
  const attached = Promise.withResolvers<Viewer>();
  let detached = false;
  const attach = async (viewer: Viewer) => {
    viewer.send(first, true);
    attached.resolve(viewer);
    return () => void (detached = true);
  };
  const port = await serve(attach);
  const [response] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [
    IncomingMessage,
  ];
  return { viewer: await attached.promise, response, detached: () => detached };
}

describe('a stream of events over a socket', () => {
  it('ends when its reader is gone before it could begin', async () => {
    const detached = Promise.withResolvers<void>();
    const server = createAdaptorServer({
      fetch: async (_request, { incoming, outgoing }) => {
        const response = await eventStream(usualLimits, async () => () => detached.resolve());
        request.destroy();
        await once(incoming.socket, 'close');
        writeStraightTo(outgoing, response);
        return response;
      },
    }) as Server;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const request = get({ port, host: '127.0.0.1' }).on('error', () => undefined);
    await detached.promise;
  });

  it('shows its first frame without waiting for a timer', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => timers.mockRestore());
    const { viewer, response } = await open(frame(0));
    expect(timers.mock.calls.filter(([, ms]) => ms === undefined)).toEqual([]);
    viewer.end();
    expect(await text(response)).toBe(frame(0));
  });

  it('is plain bytes up to the end for a client of HTTP 1.0', async () => {
    const port = await serve(async (viewer) => {
      viewer.send(frame(0), true);
      void setImmediate().then(() => viewer.end());
      return () => undefined;
    });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.0\r\nHost: cerise.test\r\n\r\n');
    const said = await text(socket);
    expect(said.toLowerCase()).not.toContain('transfer-encoding');
    expect(said.slice(said.indexOf('\r\n\r\n') + 4)).toBe(frame(0));
  });

  it('brings every frame once and in order, whether it went through the body or straight', async () => {
    const { viewer, response } = await open(frame(0));
    const read = text(response);
    for (let n = 1; n <= 500; n += 1) {
      viewer.send(frame(n), n % 3 === 0);
      if (n % 5 === 0) await Promise.resolve();
      if (n % 7 === 0) await setImmediate();
    }
    viewer.end();
    expect(await read).toBe(Array.from({ length: 501 }, (_, n) => frame(n)).join(''));
  });

  it('counts the bytes of what it writes, not the characters, in short and in long frames', async () => {
    const { viewer, response } = await open('');
    const read = text(response);
    const said = ['é', '中文', '🍒'.repeat(3000), 'x'.repeat(5000)].map(
      (word) => `data: ${word}\n\n`,
    );
    for (const frames of said) {
      viewer.send(frames, true);
      await setImmediate();
      await setImmediate();
    }
    viewer.end();
    expect(await read).toBe(said.join(''));
  });

  it('does not lead frames through the body for ever, which would keep something of each', async () => {
    const enqueue = vi.spyOn(ReadableStreamDefaultController.prototype, 'enqueue');
    onTestFinished(() => enqueue.mockRestore());
    const { viewer, response } = await open(frame(0));
    response.resume();
    for (let n = 1; n <= 300; n += 1) {
      viewer.send(frame(n), true);
      await setImmediate();
    }
    expect(enqueue.mock.calls.length).toBeLessThan(10);
    viewer.end();
    await once(response, 'end');
  });

  it('is cut where its reader stops to read, and not before much waits', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => printed.mockRestore());
    const { viewer, response, detached } = await open(frame(0));
    const cut = once(response, 'error');
    const piece = `data: ${'x'.repeat(64 * 1024)}\n\n`;
    let sent = 0;
    for (; sent < 1000 && !detached(); sent += 1) {
      viewer.send(piece, true);
      await setImmediate();
    }
    expect(detached()).toBe(true);
    expect(sent).toBeGreaterThan(4);
    response.resume();
    expect((await cut)[0]).toMatchObject({ code: 'ECONNRESET' });
  });

  it('hears that its reader has left', async () => {
    const { viewer, response, detached } = await open(frame(0));
    viewer.send(frame(1), true);
    await setImmediate();
    response.destroy();
    await vi.waitUntil(detached, { timeout: 20_000, interval: 5 });
    viewer.send(frame(2), true);
  });
});
