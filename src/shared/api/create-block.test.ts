import { expect, it } from 'vitest';
import { BlockStatuses, BlockTypes } from '../vocabulary/block.ts';
import { blockSchema } from '../vocabulary/block-schema.ts';
import {
  createCitationBlock,
  createErrorBlock,
  createImageBlock,
  createMainTextBlock,
  createThinkingBlock,
  createToolBlock,
  getMainText,
  getUserMessage,
} from './create-block.ts';

it('makes blocks of every kind that the schema takes', () => {
  const blocks = [
    createMainTextBlock('m', 'Hello'),
    createThinkingBlock('m', 'Hm', { ordinal: 1, status: BlockStatuses.success }),
    createToolBlock('m', 'call-1', { ordinal: 2, toolName: 'add', arguments: { a: 1 } }),
    createCitationBlock('m', [{ number: 1, url: 'https://a.example' }], { ordinal: 3 }),
    createImageBlock('m', { ordinal: 4, mimeType: 'image/png', data: 'AQID' }),
    createErrorBlock('m', { code: 'internal', message: 'No.' }, { ordinal: 5 }),
  ];
  for (const block of blocks) expect(blockSchema.parse(block)).toEqual(block);
  expect(blocks.map(({ id }) => id)).toEqual(['m.0', 'm.1', 'm.2', 'm.3', 'm.4', 'm.5']);
  expect(blocks[2]).toMatchObject({
    type: BlockTypes.tool,
    modelToolName: 'add',
    status: 'pending',
  });
});

it('finds the question of an answer and the text of a message', () => {
  const common = { topicId: 't', status: 'success', createdAt: 0 } as const;
  const question = {
    ...common,
    id: 'q',
    parentId: null,
    role: 'user' as const,
    blocks: [createMainTextBlock('q', 'Why?'), createThinkingBlock('q', 'Hm')],
  };
  const answer = { ...common, id: 'a', parentId: 'q', role: 'assistant' as const, blocks: [] };
  expect(getUserMessage({ messages: [question, answer] }, 'a')).toBe(question);
  expect(getUserMessage({ messages: [question, answer] }, 'q')).toBeUndefined();
  expect(getMainText(question)).toBe('Why?');
});
