import { expect, it } from 'vitest';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { buildHistory } from './history.ts';

const target = { model: 'm/1', limits: usualLimits };

it('looks at each message a few times, however long the conversation is', () => {
  let looks = 0;
  const path = Array.from({ length: 2000 }, (_, index) => watched(index, () => (looks += 1)));
  expect(buildHistory(path, target)).toHaveLength(path.length);
  expect(looks).toBeLessThan(20 * path.length);
});

it('T81: looks at each block of a round a few times, however many there are', () => {
  let looks = 0;
  const blocks = Array.from({ length: 2000 }, (_, ordinal) =>
    Object.defineProperty(callBlock(ordinal), 'type', {
      get: () => ((looks += 1), 'tool' as const),
    }),
  );
  const [question, answer] = [0, 1].map((index) => watched(index, () => undefined));
  if (!question || !answer) throw new Error('there are two');
  buildHistory([question, { ...answer, blocks }], target);
  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThan(20 * blocks.length);
});

function callBlock(ordinal: number): ToolBlock {
  return {
    id: `m1.${ordinal}`,
    messageId: 'm1',
    ordinal,
    round: 0,
    startedAt: 1,
    endedAt: 2,
    type: 'tool',
    status: 'success',
    content: '',
    state: 'succeeded',
    toolCallId: `t${ordinal}`,
    callId: `c${ordinal}`,
    serverId: 's',
    serverName: 's',
    toolName: 'read',
    modelToolName: 's__read',
    arguments: {},
    result: { content: [{ type: 'text', text: 'result' }] },
  };
}

/** A message that tells when its id or its blocks are asked for. */
function watched(index: number, onLook: () => void): Message {
  const messageId = `m${index}`;
  const block = { id: `${messageId}.0`, messageId, ordinal: 0, round: 0, startedAt: 1, endedAt: 2 };
  const blocks = [{ ...block, type: 'main_text', status: 'success', content: 'Yes.' }] as const;
  return {
    topicId: 't',
    parentId: null,
    role: index % 2 === 0 ? 'user' : 'assistant',
    status: 'success',
    createdAt: 0,
    endedAt: 0,
    get id() {
      onLook();
      return messageId;
    },
    get blocks() {
      onLook();
      return [...blocks];
    },
  };
}
