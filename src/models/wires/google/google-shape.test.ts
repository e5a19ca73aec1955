import { expect, it } from 'vitest';
import type { ModelRequest } from '#shared/vocabulary/model.ts';
import { everything } from '../../../../test/fixtures/model-chunks.ts';
import { bodyOf, request, user } from '../../../../test/fixtures/model-conversations.ts';
import { googleGenerate } from './google-generate.ts';

const target = { model: 'm', baseUrl: 'http://x', capabilities: everything };
const bodyFor = (over: Partial<ModelRequest>) =>
  bodyOf(googleGenerate, { ...request([user('Hi')]), ...over }, target);

it('a request to Google says how a program wants the answer to look', () => {
  const schema = { type: 'object' };
  const format = { type: 'json' as const, schema };
  expect(bodyFor({ tools: [], shape: { format, stop: ['x'] } })).toMatchObject({
    generationConfig: {
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
      stopSequences: ['x'],
    },
  });
  expect(bodyFor({ shape: { toolChoice: 'required' } })).toMatchObject({
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
  });
});
