import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SseParser } from '#shared/text/sse-parser.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { fromWire } from '../from-wire.ts';
import { readEvents } from '../wire-http.ts';
import type { Wire } from '../wire.ts';
import { startFakeOpenAi, type FakeOpenAi } from '../../../../test/fakes/fake-openai.ts';
import { chatStreams, responsesStreams } from '../../../../test/fakes/openai-streams.ts';
import { recordedStreams, toSse } from '../../../../test/fakes/wire-oracle.ts';
import {
  askModel,
  everything,
  expectLegal,
  textOf,
  withPlainIds,
} from '../../../../test/fixtures/model-chunks.ts';
import { openAiChat } from './openai-chat.ts';
import { openAiResponses } from './openai-responses.ts';

let fake: FakeOpenAi;
beforeAll(async () => {
  fake = await startFakeOpenAi();
});
afterAll(() => fake.close());

const adapterOf = (wire: Wire) =>
  fromWire(
    wire,
    { model: 'm', baseUrl: fake.baseUrl, capabilities: everything },
    { wait: async () => {} },
  );

const kinds = ['text-delta', 'thinking-delta', 'tool-input-delta'] as const;

function expectBeginning(cut: Chunk[], whole: Chunk[]): void {
  for (const kind of kinds) expect(textOf(whole, kind).startsWith(textOf(cut, kind))).toBe(true);
}

/**
 * Over HTTP one byte in eight is the last, beginning with this one; `all` takes every byte. Without a network
 * test/model-streams/cut-streams.test.ts does that each time.
 */
const apart = 8;
const wanted = process.env['CERISE_CUTS'] ?? String(Math.trunc(Date.now() / 1000) % apart);

function cutsOf({ length }: Buffer): number[] {
  const all = Array.from({ length }, (_, at) => at);
  if (wanted === 'all') return all;
  return all.filter((at) => at % apart === Number(wanted) || at === length - 1);
}

describe('a stream that is cut at any byte', () => {
  beforeAll(() => void process.stderr.write(`Streams are cut at bytes: CERISE_CUTS=${wanted}\n`));

  const whole = (streams: Record<string, unknown[]>, ...names: string[]) =>
    Buffer.from(toSse(names.flatMap((name) => streams[name] ?? [])));
  const chat = chatStreams['two calls in turns, text before'] ?? [];
  const thinking = chatStreams['thinking and text in turns'] ?? [];
  const examples: [string, Wire, Buffer, string][] = [
    [
      'chat completions',
      openAiChat,
      Buffer.from(`${toSse([...thinking.slice(0, -1), ...chat])}data: [DONE]\n\n`),
      '"finish_reason":"tool_calls"',
    ],
    [
      'responses',
      openAiResponses,
      whole(responsesStreams, 'thinking in two parts, then a call'),
      '"type":"response.completed"',
    ],
  ];

  it.each(
    examples.flatMap(
      (example) =>
        [
          [...example, 'reset'],
          [...example, 'end'],
        ] as const,
    ),
  )(
    'ends with an error and keeps what was said: %s',
    async (_name, wire, bytes, end, how) => {
      const adapter = adapterOf(wire);
      fake.respond({ raw: bytes });
      const all = await askModel(adapter);
      expect(all.at(-1)?.type).toBe('response-complete');
      const endAt = bytes.lastIndexOf(end);
      let said = '';
      for (const at of cutsOf(bytes)) {
        fake.respond({ raw: bytes, cut: { at, how } });
        const cut = await askModel(adapter);
        expectLegal(cut);
        expectBeginning(cut, all);
        const told = textOf(cut) + textOf(cut, 'thinking-delta');
        expect(told.length).toBeGreaterThanOrEqual(said.length);
        said = told;
        if (at < endAt) {
          expect(cut.at(-1)).toMatchObject({ type: 'error', error: { code: 'model_failed' } });
        } else if (cut.at(-1)?.type === 'response-complete') {
          expect(cut.filter(({ type }) => type === 'tool-pending')).toEqual(
            all.filter(({ type }) => type === 'tool-pending'),
          );
        }
      }
      expect(said).toBe(textOf(all) + textOf(all, 'thinking-delta'));
    },
    120_000,
  );

  const streams: [string, Wire, unknown[]][] = [
    ...[...Object.entries(chatStreams), ...recordedStreams('openai-chat')].map(
      ([name, events]) => [name, openAiChat, events] as [string, Wire, unknown[]],
    ),
    ...[...Object.entries(responsesStreams), ...recordedStreams('openai-responses')].map(
      ([name, events]) => [name, openAiResponses, events] as [string, Wire, unknown[]],
    ),
  ];

  it.each(streams)('is a beginning of the whole, in any framing: %s', (name, wire, events) => {
    const bytes = Buffer.from(toSse(events));
    const all = readBytes(wire, [bytes]);
    const cuts = fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 8 });
    fc.assert(
      fc.property(cuts, (places) => {
        const sorted = [0, ...places.toSorted((a, b) => a - b)];
        const pieces = sorted.map((from, index) => bytes.subarray(from, sorted[index + 1]));
        expect(readBytes(wire, pieces)).toEqual(all);
        const cut = readBytes(wire, pieces.slice(0, -1));
        expectBeginning(cut, all);
        if (cut.length > 0 && name !== 'error.jsonl') expect(cut[0]?.type).toBe('response-created');
      }),
      { numRuns: 20 },
    );
  });
});

/** What comes of bytes; an error inside them is the end. */
function readBytes(wire: Wire, pieces: Buffer[]): Chunk[] {
  const chunks: Chunk[] = [];
  const reader = wire.createReader((chunk) => chunks.push(chunk));
  const parser = new SseParser(32 * 1024 * 1024);
  try {
    for (const piece of pieces) readEvents(reader, parser.push(piece));
    readEvents(reader, parser.end());
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
  }
  reader.close();
  return withPlainIds(chunks);
}
