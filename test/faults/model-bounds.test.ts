import { describe, expect, it } from 'vitest';
import type { ToolBlock } from '#shared/block.ts';
import type { Message } from '#shared/message.ts';
import type { Playback } from '../fakes/vendor-replay.ts';
import { bytesOf, farewell } from '../model-streams/recorded.ts';
import { plainTool, useReplayHost } from '../model-streams/replay-host.ts';

const megabyte = 1024 * 1024;
const flat = 100 * megabyte;
const long = 'x'.repeat(64 * 1024);

/** How much the memory of this process grew at most while the work was done. */
async function growth(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 10);
  await work();
  clearInterval(timer);
  return Math.max(most, process.memoryUsage().rss) - before;
}

type Event = Record<string, unknown>;

/** How a protocol says the things that may be said without end. */
interface Language {
  kind: string;
  callStart: (n: number, name: string) => Event[];
  arguments: (n: number, text: string) => Event;
  callEnd: (n: number) => Event[];
  text: (n: number, text: string) => Event;
  thinking: (n: number, text: string) => Event;
  /** Ends an answer that calls tools. */
  end: Event[];
}

const chatDelta = (delta: Event): Event => ({ choices: [{ index: 0, delta }] });
const chatCall = (index: number, call: Event): Event =>
  chatDelta({ tool_calls: [{ index, ...call }] });
const item = (output_index: number, type: string, more: Event): Event => ({
  type,
  output_index,
  ...more,
});
const blockDelta = (index: number, delta: Event): Event => ({
  type: 'content_block_delta',
  index,
  delta,
});
const googlePart = (part: Event): Event => ({ candidates: [{ content: { parts: [part] } }] });

const languages: Record<string, Language> = {
  'openai-chat': {
    kind: 'openai-compatible',
    callStart: (n, name) => [chatCall(n, { id: `c${n}`, function: { name, arguments: '' } })],
    arguments: (n, text) => chatCall(n, { function: { arguments: text } }),
    callEnd: () => [],
    text: (_, content) => chatDelta({ content }),
    thinking: (_, reasoning_content) => chatDelta({ reasoning_content }),
    end: [{ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }],
  },
  'openai-responses': {
    kind: 'openai',
    callStart: (n, name) => [
      item(n, 'response.output_item.added', {
        item: { type: 'function_call', call_id: `c${n}`, name, arguments: '' },
      }),
    ],
    arguments: (n, delta) => item(n, 'response.function_call_arguments.delta', { delta }),
    callEnd: (n) => [
      item(n, 'response.output_item.done', { item: { type: 'function_call', call_id: `c${n}` } }),
    ],
    text: (n, delta) => item(n, 'response.output_text.delta', { delta }),
    thinking: (n, delta) => item(n, 'response.reasoning_summary_text.delta', { delta }),
    end: [{ type: 'response.completed', response: {} }],
  },
  anthropic: {
    kind: 'anthropic',
    callStart: (index, name) => [
      {
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id: `c${index}`, name, input: {} },
      },
    ],
    arguments: (n, partial_json) => blockDelta(n, { type: 'input_json_delta', partial_json }),
    callEnd: (index) => [{ type: 'content_block_stop', index }],
    text: (n, text) => blockDelta(n, { type: 'text_delta', text }),
    thinking: (n, thinking) => blockDelta(n, { type: 'thinking_delta', thinking }),
    end: [{ type: 'message_delta', delta: { stop_reason: 'tool_use' } }, { type: 'message_stop' }],
  },
  google: {
    kind: 'google',
    callStart: (_, name) => [
      googlePart({ functionCall: { name, willContinue: true, partialArgs: [] } }),
    ],
    arguments: (_, stringValue) =>
      googlePart({
        functionCall: {
          partialArgs: [{ jsonPath: '$.a', stringValue, willContinue: true }],
          willContinue: true,
        },
      }),
    callEnd: () => [googlePart({ functionCall: {} })],
    text: (_, text) => googlePart({ text }),
    thinking: (_, text) => googlePart({ text, thought: true }),
    end: [{ candidates: [{ finishReason: 'STOP' }] }],
  },
};

const sse = (event: Event): string => `data: ${JSON.stringify(event)}\n\n`;

/** The same event again and again, at least that many megabytes of it, many to a write. */
function* repeated(event: Event, megabytes: number): Generator<Buffer> {
  const one = sse(event);
  const piece = Buffer.from(one.repeat(Math.max(1, Math.ceil(megabyte / one.length))));
  for (let sent = 0; sent < megabytes * megabyte; sent += piece.length) yield piece;
}

const toolBlocks = ({ blocks }: Message) =>
  blocks.filter((block): block is ToolBlock => block.type === 'tool');

/** Asks a vendor that pours; what else is to be played follows. */
async function askPouring(wire: string, pour: Playback['pour'], more: Partial<Playback> = {}) {
  let executed = 0;
  const { provider } = await useReplayHost([plainTool('add', () => String((executed += 1)))]);
  const { kind = '', end = [] } = languages[wire] ?? {};
  const vendor = await provider(kind);
  vendor.play(
    { bytes: bytesOf(wire, end), ...(pour && { pour }), ...more },
    { bytes: farewell(wire) },
  );
  let answer: Message | undefined;
  const grown = await growth(async () => void (answer = await vendor.ask()));
  if (!answer) throw new Error('nothing was answered');
  return { answer, grown, requests: vendor.requests, executed };
}

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
    expect(answer).toMatchObject({ status: 'error', error: { code: 'model_length' } });
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
    expect(answer).toMatchObject({ status: 'error', error: { code: 'model_length' } });
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
    ['an event of too many values', 'openai-chat', () => lines('data: [', '[],', 30, ']\n\n'), {}],
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
