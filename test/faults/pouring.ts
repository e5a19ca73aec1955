import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { Playback } from '../fakes/vendor-replay.ts';
import { bytesOf, farewell } from '../model-streams/recorded.ts';
import { plainTool, useReplayHost } from '../model-streams/replay-host.ts';

/** Bytes. */
export const megabyte = 1024 * 1024;
/** How much memory may grow. */
export const flat = 100 * megabyte;
/** A piece of something endless. */
export const long = 'x'.repeat(64 * 1024);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes that are in use, besides those that nobody can reach any more. */
function held(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * How much the memory of this process grew at most while the work was done. The vendor is in this process too:
 * where it grew by more than it may, what counts is what is not garbage.
 */
async function growth(work: () => Promise<unknown>): Promise<number> {
  const heldBefore = held();
  const before = process.memoryUsage().rss;
  let most = 0;
  const look = () => {
    const grown = process.memoryUsage().rss - before;
    most = Math.max(most, grown < flat ? grown : held() - heldBefore);
  };
  const timer = setInterval(look, 10);
  await work();
  clearInterval(timer);
  look();
  return most;
}

/** One event of a stream. */
export type Event = Record<string, unknown>;

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

/** Parts of streams, by protocol. */
export const chatDelta = (delta: Event): Event => ({ choices: [{ index: 0, delta }] });
export const chatCall = (index: number, call: Event): Event =>
  chatDelta({ tool_calls: [{ index, ...call }] });
export const item = (output_index: number, type: string, more: Event): Event => ({
  type,
  output_index,
  ...more,
});
export const blockDelta = (index: number, delta: Event): Event => ({
  type: 'content_block_delta',
  index,
  delta,
});
export const googlePart = (part: Event): Event => ({
  candidates: [{ content: { parts: [part] } }],
});

/** By protocol. */
export const languages: Record<string, Language> = {
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

/** An event as it is sent. */
export const sse = (event: Event): string => `data: ${JSON.stringify(event)}\n\n`;

/** The same event again and again, at least that many megabytes of it, many to a write. */
export function* repeated(event: Event, megabytes: number): Generator<Buffer> {
  const one = sse(event);
  const piece = Buffer.from(one.repeat(Math.max(1, Math.ceil(megabyte / one.length))));
  for (let sent = 0; sent < megabytes * megabyte; sent += piece.length) yield piece;
}

/** The calls of an answer. */
export const toolBlocks = ({ blocks }: Message) =>
  blocks.filter((block): block is ToolBlock => block.type === 'tool');

/** Asks a vendor that pours; what else is to be played follows. */
export async function askPouring(
  wire: string,
  pour: Playback['pour'],
  more: Partial<Playback> = {},
) {
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
