import { expect, it } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { BlockManager } from '../topic/block-manager.ts';
import { MemoryBlocks } from '../topic/memory-blocks.ts';
import { StreamProcessor } from './stream-processor.ts';

/** The blocks that come of chunks, in the order in which they began, without their identity and times. */
function blocksOf(...chunks: Chunk[]): object[] {
  const store = new MemoryBlocks();
  const processor = new StreamProcessor(
    new BlockManager(store, store.message),
    () => ({ tool: undefined, problem: { code: 'tool_not_found', message: 'none' } }),
    'Maker',
  );
  processor.process(chunks);
  processor.finish(false);
  return store.blocks.map(
    ({ id: _, messageId: __, ordinal: ___, round: _r, startedAt: _s, endedAt: _e, ...block }) =>
      block,
  );
}

const file = (mimeType: string, more: object = {}): Chunk => ({
  type: 'file-complete',
  id: 'f',
  mimeType,
  data: 'AQID',
  ...more,
});

it('shows files that a model made with their name and type, and videos as such', () => {
  expect(blocksOf(file('text/csv', { name: 'a.csv' }), file('video/mp4'))).toEqual([
    {
      type: 'file',
      status: 'success',
      name: 'a.csv',
      mimeType: 'text/csv',
      data: 'AQID',
      content: '',
    },
    {
      type: 'video',
      status: 'success',
      name: 'video.mp4',
      mimeType: 'video/mp4',
      data: 'AQID',
      content: '',
    },
  ]);
});

it.each([
  ['audio/wav', 'audio.wav'],
  ['audio/mpeg', 'audio.mp3'],
  ['application/pdf', 'file.pdf'],
  ['text/plain; charset=utf-8', 'file.txt'],
  ['application/octet-stream', 'file.bin'],
  ['application/x-../../etc', 'file'],
  ['constructor', 'file'],
  ['text/constructor', 'file'],
  ['', 'file'],
])('gives a file of type %j the name %s', (mimeType, name) => {
  expect(blocksOf(file(mimeType))).toMatchObject([{ name }]);
});

it('shows what is kept elsewhere without its data', () => {
  const stored = { id: 'b', size: 9 };
  const [block] = blocksOf(file('application/pdf', { data: '', stored }));
  expect(block).toMatchObject({ stored });
  expect(block).not.toHaveProperty('data');
});

it('T95: shows a tool that the vendor ran between the words before and after it', () => {
  const result = { content: [{ type: 'text' as const, text: '3\n' }] };
  const blocks = blocksOf(
    { type: 'text-delta', id: '0', text: 'Let me count.' },
    { type: 'vendor-tool-start', id: 'c0', toolName: 'code', arguments: { code: 'print(3)' } },
    { type: 'vendor-tool-complete', id: 'c0', result, citations: [] },
    { type: 'text-delta', id: '0', text: 'Three.' },
  );
  expect(blocks).toMatchObject([
    { type: 'main_text', content: 'Let me count.' },
    {
      type: 'tool',
      status: 'success',
      vendor: 'Maker',
      toolName: 'code',
      arguments: { code: 'print(3)' },
      result,
    },
    { type: 'main_text', content: 'Three.' },
  ]);
});

it('keeps what signed a text and an image with it', () => {
  const signature = '{"google":{"thoughtSignature":"s"}}';
  const blocks = blocksOf(
    { type: 'text-delta', id: '0', text: 'Here' },
    { type: 'text-complete', id: '0', signature },
    { type: 'image-created', id: 'i' },
    { type: 'image-complete', id: 'i', mimeType: 'image/png', data: 'AQID', signature },
    { type: 'text-complete', id: 'never begun', signature },
  );
  expect(blocks).toMatchObject([
    { type: 'main_text', content: 'Here', signature },
    { type: 'image', mimeType: 'image/png', data: 'AQID', signature },
  ]);
  expect(blocks).toHaveLength(2);
});
