import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { capabilitiesOf, isConversational } from './capabilities.ts';

describe('what a model can do', () => {
  it('is what most models can, where nothing is known', () => {
    expect(capabilitiesOf('somebody/unheard-of')).toEqual({
      tools: true,
      imagesIn: true,
      audioIn: false,
      filesIn: false,
      imagesOut: false,
      reasoning: false,
    });
  });

  it.each([
    ['gpt-5-mini', { imagesIn: true, filesIn: true, reasoning: true, contextTokens: 400_000 }],
    ['openai/gpt-5.2-chat-latest', { reasoning: false, contextTokens: 128_000 }],
    ['gpt-4-0613', { imagesIn: false, contextTokens: 8192 }],
    ['gpt-4o', { imagesIn: true, reasoning: false, contextTokens: 128_000 }],
    ['o3-mini', { imagesIn: false, reasoning: true, tools: true }],
    ['o1-mini', { tools: false }],
    ['openai/gpt-oss-120b:free', { imagesIn: false, reasoning: true }],
    ['claude-sonnet-4-5-20250929', { filesIn: true, reasoning: true, outputTokens: 64_000 }],
    ['claude-3-5-haiku-latest', { reasoning: false, outputTokens: 8192 }],
    ['anthropic/claude-opus-4', { outputTokens: 32_000 }],
    ['gemini-2.5-flash', { audioIn: true, reasoning: true, contextTokens: 1_048_576 }],
    ['gemini-2.5-flash-image', { imagesOut: true, tools: false }],
    ['gemma3:27b', { tools: false, imagesIn: true }],
    ['gemma3:1b', { imagesIn: false }],
    ['deepseek-reasoner', { imagesIn: false, reasoning: true }],
    ['deepseek-r1:14b', { imagesIn: false, reasoning: true }],
    ['qwen3:8b', { imagesIn: false, reasoning: true }],
    ['Qwen/Qwen3-Coder-480B-A35B-Instruct', { reasoning: false }],
    ['qwen2.5-vl-72b-instruct', { imagesIn: true }],
    ['moonshot-v1-32k', { contextTokens: 32_768 }],
    ['moonshot-v1-8k-vision-preview', { imagesIn: true, contextTokens: 8192 }],
    ['kimi-k2-thinking', { imagesIn: false, reasoning: true }],
    ['glm-4.5v', { imagesIn: true, reasoning: true }],
    ['glm-4.6', { imagesIn: false, contextTokens: 204_800 }],
    ['llama3.1:8b', { imagesIn: false, tools: true, contextTokens: 131_072 }],
    ['accounts/fireworks/models/llama-3.2-90b-vision', { imagesIn: true }],
    ['grok-4-1-fast-non-reasoning', { reasoning: false }],
    ['sonar-reasoning-pro', { tools: false, reasoning: true }],
  ])('is known of %s by its name', (model, known) => {
    expect(capabilitiesOf(model)).toMatchObject(known);
  });

  it('is what the vendor says, whatever the name says', () => {
    const told = { tools: false, imagesIn: false, contextTokens: 7, reasoning: undefined };
    expect(capabilitiesOf('gpt-5', told)).toMatchObject({
      tools: false,
      imagesIn: false,
      contextTokens: 7,
      reasoning: true,
    });
  });

  it('is said for any text in no time', () => {
    for (const text of ['', '/', 'a/'.repeat(5000), '-vl'.repeat(5000), '9'.repeat(10_000)]) {
      const look = () => expect(capabilitiesOf(text)).toMatchObject({ audioIn: false });
      expect(cpuTime(look)).toBeLessThan(200);
    }
  });
});

describe('whom one can talk with', () => {
  it.each(['gpt-5', 'chatgpt-4o-latest', 'gemini-2.5-pro', 'qwen3:8b', 'grok-4', 'minimax-m2'])(
    'is %s',
    (model) => expect(isConversational(model)).toBe(true),
  );

  it.each([
    'text-embedding-3-large',
    'nomic-embed-text:latest',
    'whisper-large-v3',
    'gpt-4o-mini-tts',
    'gpt-4o-transcribe',
    'dall-e-3',
    'gpt-image-1',
    'imagen-4.0-generate-001',
    'veo-3.0-generate-001',
    'BAAI/bge-reranker-v2-m3',
    'llama-guard-4-12b',
    'omni-moderation-latest',
  ])('is not %s', (model) => expect(isConversational(model)).toBe(false));
});
