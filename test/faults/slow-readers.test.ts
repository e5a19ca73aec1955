import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Conversation, isMessageRunning, type Topic } from '#shared/vocabulary/message.ts';
import { startFakeOpenAi, textChunks } from '../fakes/fake-openai.ts';
import { type RunningServer, startServer } from '../fixtures/cerise-process.ts';
import { emptyPlace } from '../fixtures/http.ts';
import { processToken } from '../fixtures/running-command.ts';
import { ClientState, FrameParser, readFrames } from '../fixtures/sse-reader.ts';

const megabyte = 1024 * 1024;
/** `CERISE_MANY_TURNS` set to anything is the full measure, as in test/many. */
const isFull = process.env['CERISE_MANY_TURNS'] !== undefined;
const counts = isFull ? { slow: 200, idle: 50 } : { slow: 24, idle: 6 };
const followedEach = isFull ? 50 : 12;
/** Ten megabytes, piece by piece. */
const pieces = Array.from({ length: 160 }, (_, n) => `${n} `.padEnd(megabyte / 16, 'x'));

const ended = (conversation: Conversation | undefined) =>
  conversation?.messages.at(-1)?.role === 'assistant' &&
  conversation.messages.every((message) => !isMessageRunning(message));

/** A stream of events that nobody reads yet. */
async function open(server: RunningServer, path: string): Promise<IncomingMessage> {
  const request = get(`${server.url}${path}`, {
    headers: { authorization: `Bearer ${processToken}` },
    agent: false,
  });
  onTestFinished(() => void request.destroy());
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response.on('error', () => undefined);
}

/** Takes a few kilobytes now and then. */
function readSlowly(response: IncomingMessage, take: (bytes: Buffer) => void): void {
  const timer = setInterval(() => {
    const bytes = (response.read(4096) ?? response.read()) as Buffer | null;
    if (bytes) take(bytes);
  }, 100);
  onTestFinished(() => clearInterval(timer));
  response.once('close', () => clearInterval(timer));
}

/** What is left of a stream that was cut; false if it came to a proper end. */
async function wasCut(response: IncomingMessage, take: (bytes: Buffer) => void): Promise<boolean> {
  const closed = response.closed
    ? undefined
    : new Promise((resolve) => void response.once('close', resolve));
  response.on('data', take).resume();
  await closed;
  return !response.complete;
}

/** The most memory a process had, in bytes, where the system tells. */
function memoryPeak({ child: { pid } }: RunningServer): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return 0;
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(file, 'utf8'))?.[1]) * 1024;
}

describe('readers that are slow, or never read, while ten megabytes stream (T67)', () => {
  it('are cut, cost a bounded amount of memory, hold nobody up, and can come back', async () => {
    const vendor = await startFakeOpenAi();
    onTestFinished(() => vendor.close());
    vendor.respond({ chunks: textChunks(pieces), write: 'each', delay: 20 });
    const server = await startServer({
      CERISE_HOME: (await emptyPlace()).home,
      // No model says as much at once; here it is to be much.
      CERISE_LIMIT_TEXT_PER_ROUND: String(16 * megabyte),
    });
    const provider = { name: 'vendor', baseUrl: vendor.baseUrl, models: ['fake-model'] };
    await server.json('POST', '/api/providers', provider);
    await server.json('PUT', '/api/settings', { defaultModel: 'vendor/fake-model' });
    const topic = await server.json<Topic>('POST', '/api/topics', { title: 'Topic' });
    const path = `/api/topics/${topic.id}/events`;
    const total = counts.slow + counts.idle;
    const readers = await Promise.all(
      Array.from({ length: total }, async (_, n) => {
        const client = new ClientState();
        const parser = new FrameParser();
        const reader = { response: await open(server, path), client, received: 0 };
        const take = (bytes: Buffer) => {
          reader.received += bytes.length;
          // Only some are followed closely: that costs this side far more than the host.
          if (n % followedEach === 0) for (const frame of parser.push(bytes)) client.take(frame);
        };
        if (n < counts.slow) readSlowly(reader.response, take);
        return { ...reader, take, size: () => reader.received };
      }),
    );
    const before = memoryPeak(server);
    const attentive = new ClientState();
    const watching = server.send('GET', path);
    await server.json('POST', `/api/topics/${topic.id}/messages`, { text: 'Write.' });
    await readFrames(await watching, (frame) => {
      attentive.take(frame);
      return ended(attentive.conversation);
    });
    const grown = memoryPeak(server) - before;
    const log = await server.json<Conversation>('GET', `/api/topics/${topic.id}`);
    expect(attentive.problems).toEqual([]);
    expect(attentive.conversation).toEqual(log);
    expect(log.messages.at(-1)?.blocks[0]?.content.length).toBe(10 * megabyte);
    expect(grown).toBeLessThan(400 * megabyte);

    const cut = await Promise.all(readers.map(({ response, take }) => wasCut(response, take)));
    expect(cut.filter((isCut) => !isCut)).toEqual([]);
    expect(Math.max(...readers.map(({ size }) => size()))).toBeLessThan(10 * megabyte);
    for (const { client } of readers.filter((_, n) => n % followedEach === 0)) {
      const after = client.lastId === undefined ? '' : `?after=${client.lastId}`;
      await readFrames(await server.send('GET', `${path}${after}`), (frame) => {
        client.take(frame);
        return ended(client.conversation);
      });
      expect(client.problems).toEqual([]);
      expect(client.conversation).toEqual(log);
    }
    if (isFull) process.stderr.write(`memory grew by ${Math.round(grown / megabyte)} MiB\n`);
  }, 180_000);
});
