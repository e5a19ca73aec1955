import { createOpenAI } from '@ai-sdk/openai';
import { describe, expect, it } from 'vitest';
import type { ModelMessage, ModelRequest } from '#shared/vocabulary/model.ts';
import type { WireTarget } from '../wire.ts';
import { toCallOptions } from '../../sdk/call-options.ts';
import { everything } from '../../../../test/fixtures/model-chunks.ts';
import {
  answered,
  bodyOf,
  conversations,
  oracleBody,
  request,
  text,
  user,
} from '../../../../test/fixtures/model-conversations.ts';
import { openAiResponses } from './openai-responses.ts';

const target: WireTarget = {
  model: 'm',
  baseUrl: 'http://x.example/v1',
  apiKey: 'k',
  capabilities: everything,
};
const bodyFor = (sent: ModelRequest, to = target) => bodyOf(openAiResponses, sent, to);
const { signal } = new AbortController();

describe('a request of the responses API', () => {
  const sealed = (id: string, encrypted: string | null = null): string =>
    JSON.stringify({ openai: { itemId: id, reasoningEncryptedContent: encrypted } });
  const more: Record<string, ModelMessage[]> = {
    'thinking in two parts': [
      user('Hi'),
      {
        role: 'assistant',
        parts: [
          { type: 'thinking', text: 'One', signature: '{"openai":{"itemId":"rs_1"}}' },
          { type: 'thinking', text: 'Two', signature: sealed('rs_1', 'sealed') },
          { type: 'tool-call', callId: 'c', toolName: 'weather', arguments: {} },
        ],
      },
      answered('c', { content: [text('x')] }),
    ],
    'thinking without words': [
      user('Hi'),
      {
        role: 'assistant',
        parts: [
          { type: 'thinking', text: '', signature: sealed('rs_1', 'sealed') },
          { type: 'text', text: 'Yes' },
        ],
      },
      user('And?'),
    ],
    'thinking of another vendor': [
      user('Hi'),
      {
        role: 'assistant',
        parts: [
          { type: 'thinking', text: 'hm', signature: '{"anthropic":{"signature":"s"}}' },
          { type: 'text', text: 'Yes' },
        ],
      },
      user('And?'),
    ],
  };

  it.each(Object.entries({ ...conversations, ...more }))(
    'means what the AI SDK says: %s',
    async (_name, said) => {
      const sent = request(said);
      const oracle = await oracleBody(
        (fetch) => createOpenAI({ apiKey: 'k', fetch }).responses('gpt-5'),
        {
          ...toCallOptions(sent, signal),
          providerOptions: { openai: { store: false, reasoningSummary: 'auto' } },
        },
      );
      const body = bodyFor(sent, { ...target, model: 'gpt-5' });
      expect(body).toEqual(oracle);
    },
  );

  it('leaves out thinking that the vendor could not know', () => {
    const parts: ModelMessage = {
      role: 'assistant',
      parts: [
        { type: 'thinking', text: 'hm', signature: sealed('rs_1') },
        { type: 'text', text: 'Yes' },
      ],
    };
    const { input } = bodyFor(request([user('Hi'), parts]));
    expect(input).toMatchObject([{}, {}, { role: 'assistant', content: 'Yes' }]);
    expect(input).toHaveLength(3);
  });

  it('asks a model that does not reason for nothing about it', () => {
    const plain = { ...target, capabilities: { ...everything, reasoning: false } };
    const sent = request([user('Hi')], {
      parameters: { temperature: 0.3, reasoningEffort: 'low' },
    });
    const body = bodyFor(sent, plain);
    expect(body).toMatchObject({ temperature: 0.3, store: false, input: [{ role: 'system' }, {}] });
    expect(body).not.toHaveProperty('reasoning');
    expect(body).not.toHaveProperty('include');
  });

  it('says how a program wants the answer to look', () => {
    const format = { type: 'json' as const };
    const shape = { format, toolChoice: 'required' as const, parallelCalls: false };
    expect(bodyFor({ ...request([user('Hi')]), shape })).toMatchObject({
      text: { format: { type: 'json_object' } },
      tool_choice: 'required',
      parallel_tool_calls: false,
    });
  });

  it('describes media that the model cannot take', () => {
    const blind = { ...target, capabilities: { ...everything, imagesIn: false, filesIn: false } };
    const sent = request([
      ...(conversations['files'] ?? []),
      ...(conversations['a result with a picture'] ?? []),
    ]);
    const body = String(Buffer.concat(openAiResponses.toRequest(sent, blind).body));
    expect(body).not.toContain('AQID');
    expect(body).toContain('[Image: a.png, image/png]');
  });
});
