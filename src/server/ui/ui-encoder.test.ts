import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import { describe, expect, it } from 'vitest';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { withWaiting } from '#shared/vocabulary/reduce.ts';
import { UiEncoder } from './ui-encoder.ts';

const base = { messageId: 'a', status: 'success', content: '', round: 0, startedAt: 1 } as const;
const call = {
  ...base,
  type: 'tool',
  id: 'a.1',
  ordinal: 1,
  toolCallId: 'c',
  callId: 'c',
  serverId: 's',
  serverName: 'S',
  toolName: 'search',
  modelToolName: 's_search',
  arguments: { q: 'x' },
  argsHash: 'h',
  state: 'succeeded',
  result: { content: [{ type: 'text', text: 'found' }], structuredContent: { n: 1 } },
} as const satisfies Block;
const blocks: Block[] = [
  { ...base, type: 'thinking', id: 'a.0', ordinal: 0, content: 'Hm.' },
  call,
  {
    ...base,
    type: 'citation',
    id: 'a.2',
    ordinal: 2,
    toolBlockId: 'a.1',
    citations: [
      { number: 1, url: 'https://a.example', title: 'A' },
      { number: 2, title: 'B' },
    ],
  },
  { ...base, type: 'main_text', id: 'a.3', ordinal: 3, round: 1, content: 'See [1].' },
];
const answer: Message = {
  id: 'a',
  topicId: 't',
  parentId: 'q',
  role: 'assistant',
  status: 'success',
  model: 'own/m',
  usage: { inputTokens: 1 },
  createdAt: 1,
  blocks,
};

/** Everything that the answer was on its way to its end. */
const stages: Message[] = blocks
  .flatMap((block, place) => {
    const before = blocks.slice(0, place);
    const open: Block =
      block.type === 'tool'
        ? { ...call, status: 'processing', state: 'dispatching' }
        : { ...block, status: 'streaming', content: block.content.slice(0, 2) };
    return [
      [...before, open],
      [...before, block],
    ];
  })
  .map((shown): Message => ({ ...answer, status: 'processing', blocks: shown }));

/** What the AI SDK's transport and reader make of a stream, and every chunk of it. */
async function read(frames: string): Promise<{ message: UIMessage; chunks: UIMessageChunk[] }> {
  const transport = new DefaultChatTransport({ fetch: async () => new Response(frames) });
  const stream = await transport.reconnectToStream({ chatId: 'x' });
  if (!stream) throw new Error('there is no stream');
  const [one, other] = stream.tee();
  const [messages, chunks] = await Promise.all([
    Array.fromAsync(readUIMessageStream({ stream: one })),
    Array.fromAsync(other),
  ]);
  const message = messages.at(-1);
  if (!message) throw new Error('there is no message');
  return { message, chunks };
}

function framesOf(shown: readonly Message[]): string {
  const encoder = new UiEncoder();
  return shown.map((each) => encoder.write(each)).join('');
}

describe('an answer as a UI message stream', () => {
  it('is the same message, however much of it was there when it was first looked at', async () => {
    const { message } = await read(framesOf([answer]));
    expect(message).toMatchObject({
      id: 'a',
      metadata: { topicId: 't', userMessageId: 'q', model: 'own/m', usage: { inputTokens: 1 } },
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'Hm.' },
        {
          type: 'dynamic-tool',
          toolName: 'search',
          state: 'output-available',
          toolMetadata: { serverId: 's', serverName: 'S' },
          output: { content: [{ text: 'found' }], structuredContent: { n: 1 } },
        },
        { type: 'source-url', url: 'https://a.example', title: 'A' },
        { type: 'source-document', title: 'B' },
        { type: 'step-start' },
        { type: 'text', text: 'See [1].' },
      ],
    });
    const parts = (each: UIMessage) => JSON.stringify(sorted(each.parts));
    for (let from = 0; from < stages.length; from += 1) {
      const begun = await read(framesOf([...stages.slice(from), answer]));
      expect(parts(begun.message)).toBe(parts(message));
    }
  });

  it('has the sources that an answer begins with', async () => {
    const [, , sources, text] = blocks;
    const begins = [sources, text].flatMap((block) => block ?? []);
    const { message } = await read(framesOf([{ ...answer, blocks: begins }]));
    expect(message.parts.map(({ type }) => type)).toContain('source-url');
  });

  it('does not ask again about a call that was decided, whenever that is heard of', () => {
    const asked: Block = { ...call, status: 'pending', state: 'proposed', approval: { rule: 'r' } };
    const waiting: Message = { ...answer, status: 'waiting', blocks: [asked] };
    expect(new UiEncoder().isOver(waiting)).toBe(true);
    const decided = new UiEncoder([{ toolCallId: call.toolCallId, approve: true }]);
    expect(decided.isOver(waiting)).toBe(false);
    expect(decided.write(waiting)).not.toContain('tool-approval-request');
  });

  it('tells that a server waits for an input, as no part of the message', async () => {
    const parked: Block = { ...call, ordinal: 0, status: 'paused', state: 'parked' };
    const waiting = withWaiting({ ...answer, status: 'processing', blocks: [parked] });
    const ended: Message = { ...answer, blocks: [{ ...call, ordinal: 0 }] };
    const { message, chunks } = await read(framesOf([waiting, waiting, ended]));
    expect(chunks.filter(({ type }) => type === 'data-waiting')).toMatchObject([
      { data: { for: 'input' }, transient: true },
      { data: { for: null }, transient: true },
    ]);
    expect(message.parts.map(({ type }) => type)).toEqual(['step-start', 'dynamic-tool']);
  });

  it.each([
    { last: { ...answer, status: 'stopped' }, type: 'abort', finishReason: 'other' },
    {
      last: {
        ...answer,
        status: 'error',
        blocks: [
          {
            ...base,
            type: 'error',
            id: 'e',
            ordinal: 0,
            error: { code: 'internal', message: 'No' },
          },
        ],
      },
      type: 'error',
      finishReason: 'error',
    },
  ] satisfies { last: Message; type: string; finishReason: string }[])(
    'ends with $type and why it finished',
    async ({ last, type, finishReason }) => {
      const chunks = framesOf([last])
        .split('\n\n')
        .filter((line) => line !== '' && !line.includes('[DONE]'))
        .map((line) => JSON.parse(line.slice('data: '.length)) as UIMessageChunk);
      expect(chunks.map((chunk) => chunk.type)).toContain(type);
      expect(chunks.at(-1)).toMatchObject({ type: 'finish', finishReason });
    },
  );
});

/** Sources are told when they are there, which may be before the outcome that they came with. */
function sorted(parts: UIMessage['parts']): UIMessage['parts'] {
  return parts.toSorted((a, b) => a.type.localeCompare(b.type));
}
