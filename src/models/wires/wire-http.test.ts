import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { ModelTimes } from '#shared/vocabulary/model.ts';
import { retryDelay } from '../answers/retry.ts';
import { classifyModelError } from '../failures/model-errors.ts';
import { delta } from '../../../test/fakes/openai-streams.ts';
import { textOf } from '../../../test/fixtures/model-chunks.ts';
import { googleGenerate } from './google/google-generate.ts';
import { openAiChat } from './openai/openai-chat.ts';
import { exchange } from './wire-http.ts';
import type { Wire } from './wire.ts';

/** Sends a request to nobody and hands over what its answer is given to. */
function open(wire: Wire = openAiChat, times: ModelTimes = {}) {
  const chunks: Chunk[] = [];
  let handler: Dispatcher.DispatchHandler = {};
  const controller = { abort() {}, pause() {}, resume() {} } as never;
  let sent: Partial<Dispatcher.DispatchOptions> = {};
  const dispatch = (options: Dispatcher.DispatchOptions, given: Dispatcher.DispatchHandler) => {
    sent = options;
    handler = given;
    return true;
  };
  const done = exchange({
    request: { url: 'http://vendor.test/v1', headers: {}, body: [Buffer.from('{}')] },
    reader: wire.createReader((chunk) => chunks.push(chunk)),
    signal: new AbortController().signal,
    room: undefined,
    modelEvent: 32 * 1024 * 1024,
    times,
    dispatcher: { dispatch } as unknown as Dispatcher,
  });
  handler.onRequestStart?.(controller, {});
  return {
    chunks,
    sent,
    done,
    start: (headers = {}, status = 200) =>
      handler.onResponseStart?.(controller, status, headers, ''),
    send: (bytes: string | Buffer) => handler.onResponseData?.(controller, Buffer.from(bytes)),
    end: () => handler.onResponseEnd?.(controller, {}),
  };
}

async function answer(bytes: string | Buffer, headers = {}, wire: Wire = openAiChat, status = 200) {
  const vendor = open(wire);
  vendor.start(headers, status);
  for (const byte of Buffer.from(bytes)) vendor.send(Buffer.from([byte]));
  vendor.end();
  const error = await vendor.done.then(() => undefined, classifyModelError);
  return { text: textOf(vendor.chunks), error };
}

const events = [delta({ content: 'Hé ' }), delta({ content: '世界' }, 'stop')]
  .map((event) => `data: ${JSON.stringify(event)}\n\n`)
  .join('');
const google = (text: string) => ({
  candidates: [{ content: { parts: [{ text }] }, finishReason: 'STOP' }],
});

afterEach(() => void vi.useRealTimers());

describe('how long an answer is waited for', () => {
  it('is ten minutes of silence and no time in all, unless somebody says otherwise', () => {
    expect(open().sent).toMatchObject({ headersTimeout: 600_000, bodyTimeout: 600_000 });
    const times = { silenceSeconds: 90 };
    expect(open(openAiChat, times).sent).toMatchObject({
      headersTimeout: 90_000,
      bodyTimeout: 90_000,
    });
  });

  it('ends with the time in all, whatever still comes, and is not asked for again', async () => {
    vi.useFakeTimers();
    const vendor = open(openAiChat, { totalSeconds: 30 });
    const failed = vendor.done.then(() => undefined, classifyModelError);
    vendor.start();
    vendor.send(events.slice(0, 40));
    await vi.advanceTimersByTimeAsync(29_999);
    vendor.send('\n');
    await vi.advanceTimersByTimeAsync(1);
    const error = await failed;
    expect(error).toMatchObject({ code: 'model_failed' });
    expect(error?.message).toContain('total timeout of 30 s');
    expect(error && retryDelay(error, 1)).toBeUndefined();
  });

  it('leaves no timer behind an answer that came in time', async () => {
    vi.useFakeTimers();
    const vendor = open(openAiChat, { totalSeconds: 30 });
    vendor.start();
    vendor.send(events);
    vendor.end();
    await vendor.done;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('an answer over HTTP', () => {
  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('is unpacked although it was not to be packed: %s', async (encoding, pack) => {
    const headers = { 'content-encoding': encoding };
    expect(await answer(pack(events), headers)).toEqual({ text: 'Hé 世界', error: undefined });
    const cut = await answer(pack(events).subarray(0, -9), headers);
    expect(cut.error?.messageSaid).toEqual({ id: 'stream-cut' });
    const refused = pack('{"error":{"code":"context_length_exceeded"}}');
    expect((await answer(refused, headers, openAiChat, 400)).error).toMatchObject({
      code: 'model_context_too_long',
    });
  });

  it.each([
    ['events as JSON', 'application/json', events],
    ['JSON as events', 'text/event-stream', '{"choices":[{"message":{"content":"Hé 世界"}}]}'],
    ['JSON as text', 'text/plain', '\n {"choices":[{"message":{"content":"Hé 世界"}}]}'],
  ])('is what it is, not what it is called: %s', async (_name, type, bytes) => {
    const { text, error } = await answer(bytes, { 'content-type': type });
    expect([text, error]).toEqual(['Hé 世界', undefined]);
  });

  it('tells a failure that is called a stream, and a page that is called nothing', async () => {
    const failure = await answer('{"error":{"code":"insufficient_quota","message":"x"}}');
    expect(failure.error?.code).toBe('model_no_credit');
    const page = await answer('<!DOCTYPE html><html></html>');
    expect(page.error?.messageSaid).toEqual({ id: 'provider-unreadable' });
  });

  it('may be a list, as Google answers those who ask for no events', async () => {
    const list = JSON.stringify([google('a'), google('b')]);
    expect(await answer(list, {}, googleGenerate)).toEqual({ text: 'ab', error: undefined });
  });

  it('is read for as long as it comes, although each piece calls itself the last', async () => {
    vi.useFakeTimers();
    const vendor = open(googleGenerate);
    vendor.start();
    for (const text of 'abcd') {
      vendor.send(`data: ${JSON.stringify(google(text))}\n\n`);
      await vi.advanceTimersByTimeAsync(1500);
    }
    vendor.end();
    await vendor.done;
    expect(textOf(vendor.chunks)).toBe('abcd');
  });
});
