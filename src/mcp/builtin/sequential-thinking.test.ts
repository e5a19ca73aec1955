import { describe, expect, it } from 'vitest';
import { createSequentialThinkingServer } from './sequential-thinking.ts';
import { callTool, connectClient } from '../../../test/fakes/builtin-client.ts';

describe('sequentialthinking', () => {
  it('notes a thought, raises the total when needed and names the branch', async () => {
    const client = await connectClient(createSequentialThinkingServer());
    const { structured } = await callTool(client, 'sequentialthinking', {
      thought: 'Perhaps the other way round.',
      nextThoughtNeeded: true,
      thoughtNumber: 5,
      totalThoughts: 3,
      branchFromThought: 2,
      branchId: 'other',
    });
    expect(structured).toEqual({
      thoughtNumber: 5,
      totalThoughts: 5,
      nextThoughtNeeded: true,
      branches: ['other'],
    });
    const wrong = await callTool(client, 'sequentialthinking', { thought: 'x', thoughtNumber: 0 });
    expect(wrong.isError).toBe(true);
    await client.close();
  });
});
