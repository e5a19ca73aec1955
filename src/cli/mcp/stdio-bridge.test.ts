import { PassThrough, Writable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { createConnection } from '#client/http/connection.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { StdioBridge } from './stdio-bridge.ts';

/** A program behind the bridge, and a host whose sessions and streams are ended by the test. */
function start() {
  const stdin = new PassThrough();
  const said: JsonObject[] = [];
  const stdout = new Writable({
    write(line: Buffer, _, done) {
      said.push(JSON.parse(line.toString()) as JsonObject);
      done();
    },
  });
  let session = 0;
  const asked: string[] = [];
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  const answer = async (_: string, { method = 'GET', headers, body }: RequestInit) => {
    const own = new Headers(headers).get('mcp-session-id');
    if (method === 'DELETE') return new Response(null, { status: 204 });
    const message = (method === 'POST' ? JSON.parse(body as string) : {}) as JsonObject;
    const what = method === 'GET' ? 'stream' : (message.method as string);
    asked.push(`${what} ${own ?? 'new'}`);
    if (what !== 'initialize' && own !== `s${session}`) return new Response('', { status: 404 });
    if (method === 'GET') {
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => void streams.push(controller),
      });
      return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
    }
    if (what !== 'initialize') return new Response(null, { status: 202 });
    session += 1;
    const result = { protocolVersion: '2025-11-25', capabilities: {} };
    return Response.json(
      { jsonrpc: '2.0', id: message.id, result },
      { headers: { 'mcp-session-id': `s${session}` } },
    );
  };
  const connection = createConnection({ fetch: answer });
  const stop = new AbortController();
  const running = new StdioBridge(connection, '/mcp', { stdin, stdout }).run(stop.signal);
  onTestFinished(async () => {
    stdin.end();
    await running;
  });
  const send = (message: JsonObject) =>
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({ id: 1, method: 'initialize', params: {} });
  send({ method: 'notifications/initialized' });
  const forget = () => void (session += 1);
  return { said, asked, streams, forget };
}

const changed = (said: JsonObject[]) => said.map(({ method }) => method).filter(Boolean);
const all = ['tools', 'prompts', 'resources'].map((list) => `notifications/${list}/list_changed`);

it('opens the stream of changes again after it broke, and says that all may have changed', async () => {
  const { said, streams } = start();
  await expect.poll(() => streams.length).toBe(1);
  expect(changed(said)).toEqual([]);
  streams[0]?.error(new Error('broken'));
  await expect.poll(() => streams.length, { timeout: 10_000 }).toBe(2);
  const news = { jsonrpc: '2.0', method: 'notifications/message', params: {} };
  streams[1]?.enqueue(Buffer.from(`data: ${JSON.stringify(news)}\n\n`));
  await expect.poll(() => changed(said)).toEqual([...all, 'notifications/message']);
  streams[1]?.close();
  await expect.poll(() => streams.length, { timeout: 10_000 }).toBe(3);
});

it('greets a host again that has forgotten the session', async () => {
  const { said, asked, streams, forget } = start();
  await expect.poll(() => streams.length).toBe(1);
  forget();
  streams[0]?.close();
  await expect.poll(() => streams.length, { timeout: 10_000 }).toBe(2);
  expect(asked.slice(-4)).toEqual([
    'stream s1',
    'initialize s1',
    'notifications/initialized s3',
    'stream s3',
  ]);
  await expect.poll(() => changed(said)).toEqual(all);
});
