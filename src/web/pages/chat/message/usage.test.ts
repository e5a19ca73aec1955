import { describe, expect, it } from 'vitest';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { usageOf } from './usage.ts';

const base = { topicId: 't', parentId: null, role: 'assistant', status: 'success' } as const;

function text(startedAt: number, endedAt?: number): Block {
  const place = { id: 'b', messageId: 'm', ordinal: 0, round: 0, content: '' };
  return { ...place, type: 'main_text', status: 'success', startedAt, endedAt };
}

function answer(more: Partial<Message>): Message {
  return { ...base, id: 'm', createdAt: 1000, endedAt: 9000, blocks: [], ...more };
}

describe('usageOf', () => {
  it('counts the speed from the time of writing alone', () => {
    const usage = { inputTokens: 10, outputTokens: 100, cachedInputTokens: 4, cost: 0.5 };
    const blocks = [text(1000, 2000), text(8000, 9000)];
    expect(usageOf(answer({ usage, blocks }))).toEqual({
      input: 10,
      output: 100,
      cached: 4,
      cost: 0.5,
      time: 8000,
      speed: 50,
    });
  });

  it('says that a cost is an estimate', () => {
    const usage = { cost: 0.5, costEstimated: true, cacheWriteTokens: 3 } as const;
    expect(usageOf(answer({ usage, endedAt: undefined }))).toEqual({
      cost: 0.5,
      isEstimated: true,
      cacheWrite: 3,
    });
  });

  it('says nothing of what it does not know', () => {
    expect(usageOf(answer({ endedAt: undefined }))).toEqual({});
    const usage = { outputTokens: 100, cachedInputTokens: 0, reasoningTokens: 0 };
    expect(usageOf(answer({ usage, blocks: [text(1000, 1010)] }))).toEqual({
      output: 100,
      time: 8000,
    });
  });
});
