import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  fromLanguageModel,
  fromWire,
  openAiChat,
  type ModelAdapter,
  type ModelCapabilities,
} from '../src/library/cerise.ts';
import { startFakeOpenAi, textChunks } from './fakes/fake-openai.ts';
import { emptyPlace } from './fixtures/http.ts';
import { ask, openHost, owner } from './host.ts';

const capabilities: ModelCapabilities = {
  tools: false,
  imagesIn: false,
  audioIn: false,
  filesIn: false,
  imagesOut: false,
  reasoning: false,
  contextTokens: 32_000,
};

describe('a model that a program brings itself', () => {
  it.each<[string, (baseUrl: string) => ModelAdapter]>([
    [
      'any package for the AI SDK',
      (baseURL) =>
        fromLanguageModel(createOpenAICompatible({ name: 'own', baseURL }).chatModel('m'), {
          capabilities,
        }),
    ],
    [
      'one of our wires',
      (baseUrl) =>
        fromWire(openAiChat, {
          model: 'm',
          baseUrl,
          headers: { 'x-team': 'blue' },
        }),
    ],
  ])('answers like every other: %s', async (_name, create) => {
    const fake = await startFakeOpenAi();
    onTestFinished(() => fake.close());
    fake.respond({ chunks: textChunks(['Hello ', 'there']) });
    const host = await openHost(await emptyPlace(), {
      models: { 'own/org/model': create(fake.baseUrl) },
    });
    onTestFinished(() => host.close());
    expect(await host.models.of('local').list()).toMatchObject([
      { id: 'demo/scripted' },
      { id: 'own/org/model', name: 'org/model', provider: 'own' },
    ]);
    const topic = await host.topics.create(owner, { model: 'own/org/model' });
    const answer = await ask(host, topic.id, 'Hi');
    expect(answer).toMatchObject({ status: 'success', model: 'own/org/model' });
    expect(answer.blocks.at(-1)?.content).toBe('Hello there');
  });
});
