import { errorIn } from '../legal-conversation.ts';
import { describe, expect, it } from 'vitest';
import type { Playback } from '../fakes/vendor-replay.ts';
import {
  askPouring,
  blockDelta,
  chatCall,
  chatDelta,
  flat,
  googlePart,
  languages,
  long,
  megabyte,
  repeated,
  sse,
  toolBlocks,
} from './pouring.ts';

describe.each(Object.keys(languages))('T85: a stream of %s without measure', (wire) => {
  const { callStart, callEnd, text, thinking, ...says } = languages[wire]!;

  it.each([
    ['40 MB of arguments, four times', 4, 40],
    ['600 MB of arguments', 1, 600],
  ])('%s: the calls fail, the model is told, the turn goes on', async (_, calls, megabytes) => {
    const { answer, grown, requests, executed } = await askPouring(wire, function* () {
      for (let n = 0; n < calls; n += 1) {
        yield Buffer.from(callStart(n, 'add').map(sse).join(''));
        yield* repeated(says.arguments(n, long), megabytes);
        yield Buffer.from(callEnd(n).map(sse).join(''));
      }
    });
    expect(grown).toBeLessThan(flat);
    expect(answer.status).toBe('success');
    expect(executed).toBe(0);
    const [call] = toolBlocks(answer);
    expect(call).toMatchObject({
      state: 'failed',
      arguments: {},
      error: { code: 'arguments_too_large' },
    });
    expect(call?.error?.message).toMatch(/^The arguments are larger than [18] MiB\.$/);
    expect(requests).toHaveLength(2);
    expect(JSON.stringify(requests[1]?.body)).toContain('The arguments are larger than');
    expect(answer.blocks.at(-1)).toMatchObject({ type: 'main_text', content: 'Done.' });
  });

  it('a call of 2 MiB fails alone: the one beside it runs', async () => {
    const { answer, executed, requests } = await askPouring(wire, function* () {
      yield Buffer.from(callStart(0, 'add').map(sse).join(''));
      yield* repeated(says.arguments(0, long), 2);
      const events = [...callEnd(0), ...callStart(1, 'add'), ...callEnd(1)];
      yield Buffer.from(events.map(sse).join(''));
    });
    expect(executed).toBe(1);
    expect(requests).toHaveLength(2);
    expect(toolBlocks(answer)).toMatchObject([
      { error: { code: 'arguments_too_large', message: 'The arguments are larger than 1 MiB.' } },
      { state: 'succeeded' },
    ]);
  });

  it('a million calls: the first ones count, and nothing more is read', async () => {
    const { answer, grown } = await askPouring(wire, function* () {
      for (let n = 0; n < 1_000_000; n += 1000) {
        const calls = Array.from({ length: 1000 }, (_, i) => [
          ...callStart(n + i, 'add'),
          ...callEnd(n + i),
        ]);
        yield Buffer.from(calls.flat().map(sse).join(''));
      }
    });
    expect(grown).toBeLessThan(flat);
    expect(answer.status).toBe('success');
    expect(toolBlocks(answer)).toHaveLength(1024);
  });

  it('a name of 20 MB: it is cut', async () => {
    const name = 'n'.repeat(20 * megabyte);
    const events = [...callStart(0, name), says.arguments(0, '1'), ...callEnd(0)];
    const poured = [Buffer.from(events.map(sse).join(''))];
    const { answer, grown } = await askPouring(wire, () => poured);
    expect(grown).toBeLessThan(flat);
    expect(answer.status).toBe('success');
    expect(JSON.stringify(answer).length).toBeLessThan(10_000);
  });

  it.each([
    ['text', text(0, long)],
    ['thinking', thinking(0, long)],
  ])('endless %s ends the answer with an error', async (_, event) => {
    const { answer, grown } = await askPouring(wire, () => repeated(event, 100));
    expect(grown).toBeLessThan(flat);
    expect([answer.status, errorIn(answer)?.code]).toEqual(['error', 'model_length']);
  });

  it('endless small parts end the answer with an error', async () => {
    const { answer, grown } = await askPouring(wire, function* () {
      for (let n = 0; n < 1_000_000; n += 1000) {
        const parts = Array.from({ length: 1000 }, (_, i) => [
          text(n + i, 'a'),
          thinking(n + i, 'b'),
        ]);
        yield Buffer.from(parts.flat().map(sse).join(''));
      }
    });
    expect(grown).toBeLessThan(flat);
    expect([answer.status, errorIn(answer)?.code]).toEqual(['error', 'model_length']);
  });
});

describe('T85: an answer without measure', () => {
  it('a name that comes in pieces without end: it is cut', async () => {
    const piece = chatCall(0, { id: 'c0', function: { name: long } });
    const { answer, grown } = await askPouring('openai-chat', () => repeated(piece, 100));
    expect(grown).toBeLessThan(flat);
    expect(answer.status).toBe('success');
    expect(toolBlocks(answer)[0]?.modelToolName.length).toBeLessThanOrEqual(256);
  });

  it.each<[string, string, () => Iterable<Buffer>, Partial<Playback>]>([
    ['a line without end', 'openai-chat', () => lines('', 'x'.repeat(megabyte), 100), {}],
    ['lines of one event without end', 'anthropic', () => lines('', 'data: 1\n', 100), {}],
    ['an event of too many values', 'openai-chat', () => lines('data: [', '[],', 20, ']\n\n'), {}],
    [
      'an answer in one piece',
      'openai-responses',
      () => lines('{"object":"response","output":[{"type":"message","content":"', 'x', 100),
      { contentType: 'application/json' },
    ],
    ['the reason of a refusal', 'google', () => lines('', 'no ', 100), { status: 500 }],
    [
      'what a vendor signs',
      'anthropic',
      () => repeated(blockDelta(0, { type: 'signature_delta', signature: long }), 100),
      {},
    ],
    [
      'sealed thoughts',
      'openai-chat',
      () =>
        repeated(
          chatDelta({ reasoning_details: [{ type: 'reasoning.encrypted', index: 0, data: long }] }),
          100,
        ),
      {},
    ],
    [
      'pictures',
      'google',
      () => repeated(googlePart({ inlineData: { mimeType: 'image/png', data: long } }), 100),
      {},
    ],
    [
      'sound',
      'google',
      () => repeated(googlePart({ inlineData: { mimeType: 'audio/pcm', data: long } }), 100),
      {},
    ],
    ['sources', 'openai-chat', sources, {}],
    [
      'the input of a tool that the vendor runs',
      'anthropic',
      function* () {
        const content_block = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
        yield Buffer.from(sse({ type: 'content_block_start', index: 0, content_block }));
        yield* repeated(blockDelta(0, { type: 'input_json_delta', partial_json: long }), 100);
      },
      {},
    ],
  ])('%s: the answer ends, with memory flat', async (_, wire, pour, more) => {
    const { answer, grown } = await askPouring(wire, pour, more);
    expect(grown).toBeLessThan(flat);
    expect(['success', 'error']).toContain(answer.status);
  });
});

function* lines(head: string, fill: string, megabytes: number, end = ''): Generator<Buffer> {
  yield Buffer.from(head);
  const piece = Buffer.from(fill.repeat(Math.ceil(megabyte / fill.length)));
  for (let n = 0; n < megabytes; n += 1) yield piece;
  yield Buffer.from(end);
}

function* sources(): Generator<Buffer> {
  for (let n = 0; n < 1000; n += 1) {
    const annotations = Array.from({ length: 100 }, (_, i) => ({
      url_citation: { url: `https://a.example/${n}/${i}`, title: long.slice(0, 1000) },
    }));
    yield Buffer.from(sse(chatDelta({ annotations, content: 'a' })));
  }
}
