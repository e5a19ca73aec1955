import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { newServer } from './toolkit/new-server.ts';
import { readOnly, textResult } from './toolkit/tool-result.ts';

const step = z.int().min(1).max(1000);

/**
 * The server `sequential-thinking`. It keeps nothing: the thoughts are in the conversation, and one
 * server serves many conversations that must not see each other's.
 */
export function createSequentialThinkingServer(): McpServer {
  const server = newServer(
    'sequential-thinking',
    'Sequential thinking',
    'For problems that need several steps of thought, some of which may turn out wrong.',
  );
  server.registerTool(
    'sequentialthinking',
    {
      title: 'Sequential thinking',
      description:
        'Write down one step of thought at a time about a hard problem. Start with an estimate of ' +
        'the number of thoughts; raise or lower it as you go. A thought may revise an earlier one ' +
        '(isRevision, revisesThought) or branch off from it (branchFromThought, branchId). ' +
        'Continue until you have checked your answer, then set nextThoughtNeeded to false.',
      inputSchema: z.object({
        thought: z.string().min(1).max(100_000).describe('The current thought'),
        nextThoughtNeeded: z.boolean().describe('Whether another thought follows'),
        thoughtNumber: step.describe('Number of this thought, from 1'),
        totalThoughts: step.describe('How many thoughts you expect in total'),
        isRevision: z.boolean().optional().describe('Whether this revises an earlier thought'),
        revisesThought: step.optional().describe('The number of the thought that is revised'),
        branchFromThought: step.optional().describe('The number of the thought to branch from'),
        branchId: z.string().max(200).optional().describe('Name of the branch'),
        needsMoreThoughts: z
          .boolean()
          .optional()
          .describe('True if more thoughts turn out to be needed at the end'),
      }),
      outputSchema: z.object({
        thoughtNumber: z.number(),
        totalThoughts: z.number(),
        nextThoughtNeeded: z.boolean(),
        branches: z.array(z.string()),
      }),
      annotations: readOnly,
    },
    ({ thoughtNumber, totalThoughts, nextThoughtNeeded, branchFromThought, branchId }) => {
      const noted = {
        thoughtNumber,
        totalThoughts: Math.max(thoughtNumber, totalThoughts),
        nextThoughtNeeded,
        branches: branchFromThought && branchId ? [branchId] : [],
      };
      return textResult(JSON.stringify(noted), noted);
    },
  );
  return server;
}
