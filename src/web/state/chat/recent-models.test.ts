import { describe, expect, it } from 'vitest';
import type { Topic } from '#shared/vocabulary/message.ts';
import type { ModelInfo } from '#shared/vocabulary/model.ts';
import { recentModels, usualModel } from './recent-models.ts';

const topic = (model?: string) => ({ model }) as Topic;
const model = (id: string, more: Partial<ModelInfo> = {}) =>
  ({ id, scripted: false, ...more }) as ModelInfo;
const models = [
  model('demo/scripted', { scripted: true }),
  model('a/1'),
  model('a/2'),
  model('b/old', { hidden: true }),
];

describe('the models of the newest conversations', () => {
  it('are each named once, and only while they are offered', () => {
    const topics = ['a/2', undefined, 'gone/x', 'b/old', 'a/2', 'demo/scripted', 'a/1'].map(topic);
    expect(recentModels(topics, models)).toEqual(['a/2', 'demo/scripted', 'a/1']);
  });
});

describe('the model of a new conversation', () => {
  const catalog = { models, defaultModel: 'a/1', hasOwnDefault: false };
  const topics = ['demo/scripted', 'a/2'].map(topic);

  it('is the one that was used last, and never the demo for that', () => {
    expect(usualModel(topics, catalog)).toBe('a/2');
  });

  it('is the default where the person chose one, and where nothing was used yet', () => {
    expect(usualModel(topics, { ...catalog, hasOwnDefault: true })).toBe('a/1');
    expect(usualModel([topic()], catalog)).toBe('a/1');
  });
});
