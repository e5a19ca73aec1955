import { expect, it } from 'vitest';
import type { Message } from '#shared/vocabulary/message.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import { buildHistory } from './history.ts';

it('T81: looks at each block of a round a few times, however many there are', () => {
  let looks = 0;
  const blocks = Array.from({ length: 2000 }, (_, ordinal) => {
    const call = {
      id: `a.${ordinal}`,
      messageId: 'a',
      ordinal,
      round: 0,
      status: 'success',
      state: 'succeeded',
      content: '',
      toolCallId: `t${ordinal}`,
      callId: `c${ordinal}`,
      modelToolName: 'read',
      arguments: {},
      result: { content: [{ type: 'text', text: 'x' }] },
    };
    const type = { get: () => ((looks += 1), 'tool') };
    return Object.defineProperty(call, 'type', type) as unknown as ToolBlock;
  });
  const answer = { id: 'a', role: 'assistant', status: 'success', model: 'm/1', blocks };
  const target = { model: 'm/1', limits: usualLimits };
  expect(buildHistory([answer as unknown as Message], target)).not.toEqual([]);
  expect(looks).toBeLessThan(20 * blocks.length);
});
