import { describe, expect, it } from 'vitest';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { toTimeline } from './timeline.ts';

const common = { messageId: 'a', content: '', status: 'success' } as const;
const text = (ordinal: number, round: number, startedAt: number, endedAt?: number): Block => ({
  ...common,
  id: `a.${ordinal}`,
  type: 'main_text',
  ordinal,
  round,
  startedAt,
  ...(endedAt !== undefined && { endedAt }),
});
const tool = (ordinal: number, round: number, startedAt: number, endedAt: number): Block => ({
  ...common,
  id: `a.${ordinal}`,
  type: 'tool',
  ordinal,
  round,
  startedAt,
  endedAt,
  toolCallId: `call-${ordinal}`,
  callId: 'c',
  serverId: 's',
  serverName: 'shop',
  toolName: 'order',
  modelToolName: 'order',
  arguments: { secret: 'canary' },
  state: 'succeeded',
});

function answer(blocks: Block[], more: Partial<Message> = {}): Message {
  return {
    id: 'a',
    topicId: 't',
    parentId: null,
    role: 'assistant',
    status: 'success',
    createdAt: 1000,
    blocks,
    ...more,
  };
}

describe('the timeline of an answer', () => {
  it('derives the requests that an earlier version did not note, and calls that have no rows', () => {
    const blocks = [text(0, 0, 1200, 1500), tool(1, 0, 1600, 1900), text(2, 1, 2500, 3000)];
    const timeline = toTimeline(answer(blocks, { endedAt: 3000 }), []);
    expect(timeline.requests).toEqual([
      { round: 0, startedAt: 1000, firstAt: 1200, endedAt: 1600, derived: true },
      { round: 1, startedAt: 1900, firstAt: 2500, endedAt: 3000, derived: true },
    ]);
    expect(timeline.calls).toMatchObject([{ createdAt: 1600, endedAt: 1900, state: 'succeeded' }]);
    expect(JSON.stringify(timeline)).not.toContain('canary');
  });

  it('has the request that runs, which has no end, whether anything came of it yet or not', () => {
    const rounds = [{ round: 0, startedAt: 1100, firstAt: 1200, endedAt: 1500 }];
    const before = [text(0, 0, 1200, 1500), tool(1, 0, 1600, 1900)];
    const waiting = {
      status: 'processing',
      rounds,
      waiting: { for: 'model', since: 1900 },
    } as const;
    expect(toTimeline(answer(before, waiting), []).requests).toEqual([
      ...rounds,
      { round: 1, startedAt: 1900, derived: true },
    ]);
    const speaking = answer([...before, text(2, 1, 2500)], { status: 'processing', rounds });
    expect(toTimeline(speaking, []).requests).toEqual([
      ...rounds,
      { round: 1, startedAt: 1900, firstAt: 2500, derived: true },
    ]);
  });
});
