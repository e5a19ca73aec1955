import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isMessageRunning, type Topic } from '#shared/vocabulary/message.ts';
import { openApi, stored, type TestApi, token } from '../../test/fixtures/http.ts';
import { PacedModel } from '../../test/fixtures/paced-model.ts';
import { ClientState, FrameParser, readFrames } from '../../test/fixtures/sse-reader.ts';
import { finished, until } from '../../test/host.ts';
import { listen, serverFile } from './listen.ts';

const model = 'test/paced';
const bearer = { authorization: `Bearer ${token}` };

async function start() {
  const paced = new PacedModel();
  const api = await openApi({ models: { [model]: paced } });
  const server = await serve(api);
  const topic = await api.json<Topic>('POST', '/api/topics', { title: 'Topic', model });
  const say = async (text: string): Promise<string> =>
    (await api.json<{ answerId: string }>('POST', `/api/topics/${topic.id}/messages`, { text }))
      .answerId;
  return { api, paced, server, topic, say, url: new URL(server.url) };
}

async function serve(api: TestApi, port = 0) {
  const server = await listen(api.host, {
    home: api.place.home,
    hostname: '127.0.0.1',
    port,
    allowedHosts: ['behind.example'],
    localToken: 'local',
    webRoot: api.place.home,
  });
  onTestFinished(() => server.close());
  return server;
}

/** The status that a request with this Host header gets. */
async function statusFor(url: URL, host: string): Promise<string | undefined> {
  const socket = connect(Number(url.port), url.hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const [data] = (await once(socket, 'data')) as [Buffer];
  return data.toString().split(' ')[1];
}

/** A connection that has been used once and stays open, as a proxy keeps it. */
async function open(url: URL) {
  const socket = connect(Number(url.port), url.hostname);
  onTestFinished(() => void socket.destroy());
  const ask = async (): Promise<string | undefined> => {
    socket.write(`GET /healthz HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
    const [data] = (await once(socket, 'data')) as [Buffer];
    return data.toString().split(' ')[1];
  };
  await ask();
  return { socket, ask };
}

/** A response whose body is not read until somebody does. */
async function openUnread(url: URL): Promise<IncomingMessage> {
  const request = get(url, { headers: bearer });
  onTestFinished(() => void request.destroy());
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response.on('error', () => undefined);
}

describe('the server on its port', () => {
  it('leaves its address for the command line, readable by its owner alone, while it runs', async () => {
    const { api, server } = await start();
    const file = serverFile(api.place.home);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      url: server.url,
      pid: process.pid,
      token: 'local',
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await server.close();
    expect(existsSync(file)).toBe(false);
  });

  it('keeps idle connections for longer than proxies do, which then close theirs first', async () => {
    const { url } = await start();
    const { headers } = await openUnread(new URL('/healthz', url));
    expect(headers['keep-alive']).toBe('timeout=75');
  });

  it('answers what comes over open connections after it refuses new ones, then gives them up', async () => {
    const { server, url } = await start();
    const [used, idle] = [await open(url), await open(url)];
    const closed = once(idle.socket, 'close');
    server.drain();
    const stopped = server.stopListening(10_000);
    await expect.poll(() => statusFor(url, url.host).catch(() => 'refused')).toBe('refused');
    expect(await used.ask()).toBe('200');
    await stopped;
    await closed;
  });

  it('is reached by its own names only', async () => {
    const { url } = await start();
    const own = [`127.0.0.1:${url.port}`, `localhost:${url.port}`, `LOCALHOST:${url.port}`];
    for (const host of [...own, `[::1]:${url.port}`, 'behind.example'])
      expect(await statusFor(url, host), host).toBe('200');
    const foreign = ['evil.test', `localhost.evil:${url.port}`, '127.0.0.1', 'localhost:1'];
    for (const host of foreign) expect(await statusFor(url, host), host).toBe('403');
  });

  it('says that a port is in use', async () => {
    const { api, url } = await start();
    await expect(serve(api, Number(url.port))).rejects.toMatchObject({ code: 'port_in_use' });
  });

  it('cuts off a body without a length, and stays alive', async () => {
    const { url, api } = await start();
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(0x20));
        if (sent >= 10 * 1024 * 1024) controller.close();
      },
    });
    const headers = { ...bearer, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body, duplex: 'half' as const };
    const status = await fetch(new URL('/api/topics', url), init).then(
      (response) => response.status,
      () => 413,
    );
    expect(status).toBe(413);
    expect((await fetch(new URL('/healthz', url))).status).toBe(200);
    expect((await api.json<{ topics: Topic[] }>('GET', '/api/topics')).topics).toHaveLength(1);
  });

  it('opens every stream at once, before there is anything to say', async () => {
    const { url, topic } = await start();
    for (const path of ['/api/events', `/api/topics/${topic.id}/events?after=0`]) {
      const leave = new AbortController();
      const response = await fetch(new URL(path, url), { headers: bearer, signal: leave.signal });
      expect(response.headers.get('content-type')).toContain('text/event-stream');
      leave.abort();
    }
  });

  it('lets a reader go in the middle of an answer, which goes on', async () => {
    const { api, paced, topic, url, say } = await start();
    const left = Promise.withResolvers<void>();
    paced.scripts.set('hi', {
      deltas: ['one ', 'two ', 'three'],
      pause: async (index) => index > 0 && left.promise,
    });
    const leave = new AbortController();
    const response = await fetch(new URL(`/api/topics/${topic.id}/events`, url), {
      headers: bearer,
      signal: leave.signal,
    });
    const answerId = await say('hi');
    const ending = finished(api.host, topic.id, answerId);
    await until(api.host, topic.id, answerId, ({ blocks }) => blocks.length > 0);
    leave.abort();
    await expect(response.text()).rejects.toThrow('aborted');
    left.resolve();
    expect(await ending).toMatchObject({ status: 'success' });
  });

  it('cuts a reader that never reads while ten megabytes stream, and it can come back', async () => {
    const { api, paced, topic, url, say } = await start();
    const events = new URL(`/api/topics/${topic.id}/events`, url);
    const idle = await openUnread(events);
    const client = new ClientState();
    let next = Promise.withResolvers<void>();
    paced.scripts.set('hi', {
      deltas: Array.from({ length: 100 }, (_, n) => `${n} `.padEnd(100_000, 'x')),
      pause: async (index) => index > 0 && (next = Promise.withResolvers<void>()).promise,
    });
    const viewer = await fetch(events, { headers: bearer });
    const reading = readFrames(viewer, (frame) => {
      client.take(frame);
      if (frame.id !== undefined) next.resolve();
      return frame.event?.type === 'message-end';
    });
    const before = process.memoryUsage().rss;
    await say('hi');
    await reading;
    const log = await stored(api, topic.id);
    expect([client.problems, client.conversation]).toEqual([[], log]);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
    let received = 0;
    const late = new ClientState();
    const parser = new FrameParser();
    idle.on('data', (bytes: Buffer) => {
      received += bytes.length;
      for (const frame of parser.push(bytes)) late.take(frame);
    });
    await new Promise((resolve) => idle.once('close', resolve));
    expect(received).toBeLessThan(9_000_000);
    const query = late.lastId === undefined ? '' : `?after=${late.lastId}`;
    const again = await fetch(`${events.href}${query}`, { headers: bearer });
    await readFrames(again, (frame) => {
      late.take(frame);
      return late.conversation?.messages.every((message) => !isMessageRunning(message));
    });
    expect(late.problems).toEqual([]);
    expect(late.conversation).toEqual(log);
  });
});
