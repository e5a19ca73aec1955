import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildHistory } from '#chat/history/history.ts';
import { anthropicMessages } from '#models/wires/anthropic/anthropic-messages.ts';
import { googleGenerate } from '#models/wires/google/google-generate.ts';
import { openAiChat } from '#models/wires/openai/openai-chat.ts';
import { openAiResponses } from '#models/wires/openai/openai-responses.ts';
import type { Wire } from '#models/wires/wire.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import type { ModelCapabilities, ModelMessage, ModelPart } from '#shared/vocabulary/model.ts';
import {
  anthropicRequestProblems,
  chatRequestProblems,
  googleRequestProblems,
  type RequestCheck,
  responsesRequestProblems,
} from './fixtures/legal-requests.ts';
import { pathModels, randomPath } from './random-path.ts';

const seals: Record<string, (id: number) => object> = {
  anthropic: (id) => ({ anthropic: { signature: `s${id}` } }),
  responses: (id) => ({ openai: { itemId: `rs_${id}`, reasoningEncryptedContent: 'sealed' } }),
  google: (id) => ({ google: { thoughtSignature: `s${id}` } }),
  chat: (id) => ({ openrouter: { reasoning_details: [{ type: 'x', data: `s${id}` }] } }),
};
const wires: [keyof typeof seals, string, Wire, RequestCheck][] = [
  ['anthropic', 'claude-sonnet-4-5', anthropicMessages, anthropicRequestProblems],
  ['chat', 'mistral-medium', openAiChat, chatRequestProblems],
  ['responses', 'gpt-5', openAiResponses, responsesRequestProblems],
  ['google', 'gemini-3-pro', googleGenerate, googleRequestProblems],
];
const capabilities: fc.Arbitrary<ModelCapabilities> = fc.record({
  tools: fc.constant(true),
  imagesIn: fc.boolean(),
  audioIn: fc.boolean(),
  filesIn: fc.boolean(),
  imagesOut: fc.constant(false),
  reasoning: fc.constant(true),
});

/** What was signed, signed as this vendor does. */
function sealed(history: ModelMessage[], seal: (id: number) => object): ModelMessage[] {
  let id = 0;
  const sign = (part: ModelPart): ModelPart =>
    part.signature === undefined ? part : { ...part, signature: JSON.stringify(seal((id += 1))) };
  return history.map((message) =>
    message.role === 'tool' ? message : { ...message, parts: message.parts.map(sign) },
  );
}

describe('a request after any conversation with any models', () => {
  it.each(wires)('is one that the vendor takes: %s', (kind, model, wire, problems) => {
    const owner = fc.constantFrom(...pathModels, 'new/one');
    fc.assert(
      fc.property(randomPath, owner, capabilities, (path, answering, able) => {
        const history = buildHistory(path, {
          model: answering,
          capabilities: able,
          limits: usualLimits,
        });
        const { body } = wire.toRequest(
          {
            purpose: 'answer',
            system: '',
            messages: sealed(history, seals[kind] ?? (() => ({}))),
            tools: [],
            parameters: {},
          },
          {
            model,
            baseUrl: 'http://vendor.test',
            capabilities: able,
            quirks: { noUserAfterResults: true },
          },
        );
        expect(
          problems(JSON.parse(String(Buffer.concat(body))) as Record<string, unknown>),
        ).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
