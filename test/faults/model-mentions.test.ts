import { describe, expect, it } from 'vitest';
import {
  askPouring,
  chatCall,
  chatDelta,
  type Event,
  flat,
  googlePart,
  item,
  languages,
  long,
  megabyte,
  repeated,
  sse,
  toolBlocks,
} from './pouring.ts';

const huge = 'y'.repeat(megabyte);
/** So many of them are more than memory may grow by. */
const many = (1.5 * flat) / megabyte;

/** Blocks that begin and never end. */
function* begun(content: (n: number) => Event): Generator<Buffer> {
  for (let index = 0; index < many; index += 1)
    yield Buffer.from(sse({ type: 'content_block_start', index, content_block: content(index) }));
}

/** A million of them. */
function* tiny(content_block: Event): Generator<Buffer> {
  for (let n = 0; n < 1_000_000; n += 1000)
    yield Buffer.from(
      Array.from({ length: 1000 }, (_, i) =>
        sse({ type: 'content_block_start', index: n + i, content_block }),
      ).join(''),
    );
}

/** Items that begin and never end. */
function* added(one: (n: number) => Event): Generator<Buffer> {
  for (let n = 0; n < many; n += 1)
    yield Buffer.from(sse(item(n, 'response.output_item.added', { item: one(n) })));
}

const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

describe('T85: what an answer only mentions, without measure', () => {
  it.each(['openai-chat', 'openai-responses', 'anthropic'])(
    'arguments 200,000 levels deep, of %s: the call fails, the turn goes on',
    async (wire) => {
      const { callStart, callEnd, ...says } = languages[wire]!;
      const events = [...callStart(0, 'add'), says.arguments(0, `{"a":${deep}}`), ...callEnd(0)];
      const poured = [Buffer.from(events.map(sse).join(''))];
      const { answer, executed, requests } = await askPouring(wire, () => poured);
      expect(answer.status).toBe('success');
      expect(executed).toBe(0);
      expect(requests).toHaveLength(2);
      expect(toolBlocks(answer)).toMatchObject([
        { state: 'failed', arguments: {}, error: { code: 'invalid_arguments' } },
      ]);
    },
  );

  it.each<[string, string, () => Iterable<Buffer>]>([
    [
      'inputs that calls begin with',
      'anthropic',
      () => begun((n) => ({ type: 'tool_use', id: `c${n}`, name: 'add', input: { a: huge } })),
    ],
    [
      'inputs that tools of the vendor begin with',
      'anthropic',
      () => begun((n) => ({ type: 'server_tool_use', id: `s${n}`, name: 's', input: { a: huge } })),
    ],
    [
      'blocks that nobody knows',
      'anthropic',
      () => begun((n) => ({ type: 'novelty', id: `n${n}`, words: `${huge} ${n}` })),
    ],
    ['a million blocks that nobody knows', 'anthropic', () => tiny({ type: 'novelty' })],
    [
      'names of what begins',
      'openai-responses',
      () => added((n) => ({ type: 'message', id: `${n}${huge}` })),
    ],
    [
      'names of servers that the vendor asks',
      'openai-responses',
      () => added((n) => ({ type: 'mcp_call', id: `m${n}`, name: 'a', server_label: huge })),
    ],
    [
      'a million messages that say nothing',
      'openai-responses',
      function* () {
        for (let n = 0; n < 1_000_000; n += 1000)
          yield Buffer.from(
            Array.from({ length: 1000 }, (__, i) =>
              sse(item(n + i, 'response.output_item.added', { item: { type: 'message' } })),
            ).join(''),
          );
      },
    ],
    [
      'thoughts in detail that are told in short',
      'openai-chat',
      () =>
        repeated(
          chatDelta({
            reasoning: '.',
            reasoning_details: [{ type: 'reasoning.text', index: 0, text: long }],
          }),
          many,
        ),
    ],
    [
      'new fields of one thought',
      'openai-chat',
      function* () {
        for (let n = 0; n < many; n += 1) {
          const detail = { type: 'reasoning.text', index: 0, [`field_${n}`]: huge };
          yield Buffer.from(sse(chatDelta({ reasoning_details: [detail] })));
        }
      },
    ],
    [
      'a million thoughts, each another',
      'openai-chat',
      function* () {
        for (let n = 0; n < 1_000_000; n += 1000) {
          const details = Array.from({ length: 1000 }, (__, i) => ({ index: n + i }));
          yield Buffer.from(sse(chatDelta({ reasoning_details: details })));
        }
      },
    ],
    [
      'arguments that have no place',
      'google',
      function* () {
        yield Buffer.from(sse(googlePart({ functionCall: { name: 'add', willContinue: true } })));
        for (let n = 0; n < 400_000; n += 500) {
          const partialArgs = Array.from({ length: 500 }, (__, i) => ({
            jsonPath: `$.n${n + i}.a.b.c.d.e.f[5]`,
            numberValue: 1,
          }));
          const functionCall = { willContinue: true, partialArgs };
          yield Buffer.from(sse(googlePart({ functionCall })));
        }
      },
    ],
    [
      'ids of calls without a name',
      'openai-chat',
      function* () {
        for (let n = 0; n < many; n += 1)
          yield Buffer.from(sse(chatCall(n, { id: `${n}${huge}` })));
      },
    ],
    [
      'names of calls',
      'openai-chat',
      function* () {
        for (let n = 0; n < many; n += 1)
          yield Buffer.from(sse(chatCall(n, { id: `${n}`, function: { name: `${n}${huge}` } })));
      },
    ],
    [
      'one call that is named again and again',
      'openai-chat',
      function* () {
        const open = `{"a":"${long.repeat(12)}`;
        yield Buffer.from(
          sse(chatCall(0, { id: 'c', function: { name: 'add', arguments: open } })),
        );
        for (let n = 0; n < 50_000; n += 1000)
          yield Buffer.from(
            Array.from({ length: 1000 }, (__, i) =>
              sse(chatCall(0, { id: `c${n + i}`, function: { name: 'add', arguments: '' } })),
            ).join(''),
          );
      },
    ],
    [
      'the types of files',
      'google',
      function* () {
        const inlineData = { mimeType: `image/${huge}`, data: 'AAAA' };
        for (let n = 0; n < many; n += 1) yield Buffer.from(sse(googlePart({ inlineData })));
      },
    ],
    [
      'deep arguments in one piece',
      'google',
      () => {
        const call = '{"functionCall":{"name":"add","args":{"a":DEEP}}}'.replace('DEEP', deep);
        return [Buffer.from(`data: {"candidates":[{"content":{"parts":[${call}]}}]}\n\n`)];
      },
    ],
    [
      'an error of many words',
      'google',
      function* () {
        yield Buffer.from(sse({ error: { code: 400, message: 'model '.repeat(1_000_000) } }));
      },
    ],
  ])('%s: the answer ends, with memory flat', async (_, wire, pour) => {
    const { answer, grown } = await askPouring(wire, pour);
    expect(grown).toBeLessThan(flat);
    expect(['success', 'error']).toContain(answer.status);
  });
});
