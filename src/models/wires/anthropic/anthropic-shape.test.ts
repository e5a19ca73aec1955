import { expect, it } from 'vitest';
import { everything } from '../../../../test/fixtures/model-chunks.ts';
import { bodyOf, request, user } from '../../../../test/fixtures/model-conversations.ts';
import { anthropicMessages } from './anthropic-messages.ts';

const target = { model: 'm', baseUrl: 'http://x', capabilities: everything };

it('a request to Anthropic says how a program wants the answer to look', () => {
  const schema = { type: 'object' };
  const shape = {
    format: { type: 'json' as const, schema },
    toolChoice: { name: 'weather' },
    parallelCalls: false,
    stop: ['x'],
  };
  expect(bodyOf(anthropicMessages, { ...request([user('Hi')]), shape }, target)).toMatchObject({
    output_config: { format: { type: 'json_schema', schema } },
    tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
    stop_sequences: ['x'],
  });
});
