import { describe, expect, it } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { BlockManager } from '../topic/block-manager.ts';
import { MemoryBlocks } from '../topic/memory-blocks.ts';
import { createCallbacks } from './create-callbacks.ts';
import { createStreamProcessor, type StreamChunk } from './create-stream-processor.ts';
import type { StreamCallbacks } from './stream-callbacks.ts';

/** Every callback there is, written down as it comes. */
function recorder(): { calls: string[]; callbacks: StreamCallbacks } {
  const calls: string[] = [];
  const note = (text: string) => void calls.push(text);
  return {
    calls,
    callbacks: {
      onLLMResponseCreated: () => note('created'),
      onBlockCreated: (block) => note(`begin ${block.type}`),
      onToolArgumentStreaming: (delta, text) => note(`arguments ${delta}|${text}`),
      onTextStart: () => note('text-start'),
      onTextChunk: (delta, text) => note(`text ${delta}|${text}`),
      onTextComplete: (text) => note(`text-complete ${text}`),
      onThinkingStart: () => note('thinking-start'),
      onThinkingChunk: (delta) => note(`thinking ${delta}`),
      onThinkingComplete: (text, ms) => note(`thinking-complete ${text} ${ms >= 0}`),
      onToolCallPending: (block) => note(`pending ${JSON.stringify(block.arguments)}`),
      onToolCallInProgress: (block) => note(`in-progress ${block.status}`),
      onToolCallComplete: (block) => note(`tool-complete ${block.status}`),
      onExternalToolInProgress: (block) => note(`external ${block.toolName}`),
      onExternalToolComplete: (block) => note(`external-complete ${block.status}`),
      onCitation: (citations) => note(`citations ${citations.map(({ number }) => number).join()}`),
      onImageCreated: () => note('image'),
      onImageGenerated: (block) => note(`image-complete ${block.mimeType}`),
      onFileGenerated: (block) => note(`file ${block.name}`),
      onLLMResponseComplete: ({ finishReason }) => note(`response ${finishReason}`),
      onBlockComplete: (block) => note(`block ${block.type} ${block.status}`),
      onError: ({ code }) => note(`error ${code}`),
      onComplete: (status, blocks) => note(`complete ${status} ${blocks.length}`),
    },
  };
}

const call: Chunk[] = [
  { type: 'tool-created', callId: 'call_0', toolName: 'add' },
  { type: 'tool-input-delta', callId: 'call_0', text: '{"a":1}' },
  {
    type: 'tool-pending',
    callId: 'call_0',
    toolName: 'add',
    arguments: { a: 1 },
    rawArguments: '{"a":1}',
  },
];

describe('the callbacks of a stream', () => {
  it('get calls without a problem where the program named no tools, and with it where it did', () => {
    const problemsWith = (options: object) => {
      const processor = createStreamProcessor({}, options);
      processor.process(call);
      return processor.finish().calls.map(({ problem }) => problem?.code);
    };
    expect(problemsWith({})).toEqual([undefined]);
    expect(problemsWith({ tools: [] })).toEqual(['tool_not_found']);
  });

  it('hear of thinking, text and calls in the order in which they happen', () => {
    const { calls, callbacks } = recorder();
    const processor = createStreamProcessor(callbacks);
    processor.process([
      { type: 'thinking-delta', id: '1', text: 'hm' },
      { type: 'thinking-complete', id: '1' },
    ]);
    processor.process({ type: 'text-delta', id: '2', text: 'a' });
    processor.process({ type: 'text-delta', id: '2', text: 'b' });
    processor.process(call);
    processor.process({ type: 'tool-in-progress', callId: 'call_0' });
    processor.process({
      type: 'tool-complete',
      callId: 'call_0',
      result: {
        content: [{ type: 'resource_link', uri: 'https://b.example/', name: 'B' }],
      },
    });
    processor.process({ type: 'response-complete', finishReason: 'tool-calls' });
    const { calls: proposed, blocks } = processor.finish();
    expect(calls).toEqual([
      'created',
      'begin thinking',
      'thinking-start',
      'thinking hm',
      'thinking-complete hm true',
      'block thinking success',
      'begin main_text',
      'text-start',
      'text a|a',
      'text b|ab',
      'text-complete ab',
      'block main_text success',
      'begin tool',
      'arguments {"a":1}|{"a":1}',
      'pending {"a":1}',
      'in-progress processing',
      'tool-complete success',
      'block tool success',
      'begin citation',
      'citations 1',
      'block citation success',
      'response tool-calls',
      'complete success 4',
    ]);
    expect(proposed.map(({ arguments: args }) => args)).toEqual([{ a: 1 }]);
    expect(blocks.map(({ type, ordinal }) => [type, ordinal])).toEqual([
      ['thinking', 0],
      ['main_text', 1],
      ['tool', 2],
      ['citation', 3],
    ]);
  });

  it('hear of searches of the vendor, their sources, images and files', () => {
    const { calls, callbacks } = recorder();
    const processor = createStreamProcessor(callbacks);
    processor.process([
      { type: 'vendor-tool-start', id: 's', toolName: 'web_search' },
      { type: 'vendor-tool-complete', id: 's', citations: [{ url: 'https://a.example' }] },
      { type: 'image-created', id: 'i' },
      { type: 'image-complete', id: 'i', mimeType: 'image/png', data: 'AQID' },
      { type: 'file-complete', id: 'f', mimeType: 'text/csv', data: 'AQID', name: 'a.csv' },
    ]);
    expect(calls.filter((each) => !each.startsWith('begin '))).toEqual([
      'created',
      'external web_search',
      'external-complete success',
      'block tool success',
      'citations 1',
      'block citation success',
      'image',
      'image-complete image/png',
      'block image success',
      'file a.csv',
      'block file success',
    ]);
  });

  it('hear of a call whose arguments are no JSON, and of one after another with the same id', () => {
    const { calls, callbacks } = recorder();
    const processor = createStreamProcessor(callbacks);
    processor.process({
      type: 'tool-pending',
      callId: 'c',
      toolName: 'add',
      arguments: null,
      rawArguments: '{',
    });
    processor.process(call);
    processor.process(call);
    const pending = calls.filter((each) => each.startsWith('pending '));
    expect(pending).toEqual(['pending {}', 'pending {"a":1}', 'pending {"a":1}']);
  });

  it('harm nobody by what they throw or reject with, and can hear of it', async () => {
    const failures: string[] = [];
    const processor = createStreamProcessor({
      onTextStart: () => {
        throw new Error('start');
      },
      onTextChunk: async () => {
        throw new Error('chunk');
      },
      onCallbackError: (error, name) => {
        failures.push(`${name} ${(error as Error).message}`);
        throw new Error('again');
      },
    });
    processor.process({ type: 'text-delta', id: '1', text: 'all of it' });
    const { blocks } = processor.finish();
    await new Promise(setImmediate);
    expect(failures).toEqual(['onTextStart start', 'onTextChunk chunk']);
    expect(blocks[0]).toMatchObject({ content: 'all of it', status: 'success' });
  });

  it('end with an error where the stream throws, and text that was cut is no success', async () => {
    const { calls, callbacks } = recorder();
    async function* broken(): AsyncGenerator<StreamChunk[]> {
      yield [{ type: 'text-delta', id: '1', text: 'ha' }];
      throw new Error('gone');
    }
    const { error } = await createStreamProcessor(callbacks).read(broken());
    expect(error?.code).toBe('internal');
    expect(calls.slice(4)).toEqual(['block main_text error', 'error internal', 'complete error 1']);
  });

  it('end as cancelled where the stream was aborted', async () => {
    async function* aborted(): AsyncGenerator<StreamChunk[]> {
      yield [{ type: 'text-delta', id: '1', text: 'ha' }];
      AbortSignal.abort().throwIfAborted();
    }
    const { error } = await createStreamProcessor({}).read(aborted());
    expect(error?.code).toBe('cancelled');
  });

  it('write parallel calls in the order in which they began, whichever is written first', () => {
    const store = new MemoryBlocks('answer');
    const blockManager = new BlockManager(store, store.message);
    const processor = createStreamProcessor(createCallbacks({ blockManager }));
    const written = (callId: string) => ({
      type: 'tool-pending' as const,
      callId,
      toolName: callId,
      arguments: { of: callId },
      rawArguments: `{"of":"${callId}"}`,
    });
    processor.process([
      { type: 'tool-created', callId: 'a', toolName: 'a' },
      { type: 'tool-created', callId: 'b', toolName: 'b' },
      written('b'),
      written('a'),
    ]);
    const calls = (blocks: readonly object[]) =>
      blocks.map((block) => 'arguments' in block && block.arguments);
    expect(calls(store.blocks)).toEqual([{ of: 'a' }, { of: 'b' }]);
    expect(calls(processor.finish().blocks)).toEqual(calls(store.blocks));
  });

  it('write every block to a block manager by createCallbacks, and call the others too', () => {
    const store = new MemoryBlocks('answer');
    const blockManager = new BlockManager(store, store.message);
    const texts: string[] = [];
    const processor = createStreamProcessor(
      createCallbacks({ blockManager, onTextChunk: (delta) => texts.push(delta) }),
    );
    processor.process([{ type: 'text-delta', id: '1', text: 'One \ud83c' }]);
    processor.process([{ type: 'text-delta', id: '1', text: '\udf52' }, ...call]);
    processor.process([
      { type: 'tool-in-progress', callId: 'call_0' },
      { type: 'tool-complete', callId: 'call_0', result: { content: [], isError: true } },
      { type: 'vendor-tool-start', id: 's', toolName: 'web_search' },
      { type: 'vendor-tool-complete', id: 's', citations: [{ url: 'https://a.example' }] },
      { type: 'error', error: { code: 'model_failed', message: 'No.' } },
    ]);
    processor.finish();
    expect(texts).toEqual(['One ', '🍒']);
    expect(store.blocks.map(({ id, type, status }) => [id, type, status])).toEqual([
      ['answer.0', 'main_text', 'success'],
      ['answer.1', 'tool', 'error'],
      ['answer.2', 'tool', 'success'],
      ['answer.3', 'citation', 'success'],
      ['answer.4', 'error', 'error'],
    ]);
    expect(store.blocks[0]?.content).toBe('One 🍒');
    expect(store.blocks[1]).toMatchObject({ arguments: { a: 1 }, state: 'failed' });
  });
});
