import { describe, expect, it } from 'vitest';
import type { ModelInfo } from '#shared/vocabulary/model.ts';
import { groupModels } from './group-models.ts';

const model = (provider: string, name: string) =>
  ({
    id: `${provider}/${name}`,
    name,
    provider,
    providerName: `The ${provider}`,
    scripted: false,
  }) as ModelInfo;
const models = ['a', 'b'].flatMap((provider) =>
  ['1', '2', '3', '4'].map((name) => model(provider, name)),
);
const grouped = (query: string, favourites: string[], recent: string[], of = models) =>
  groupModels(of, { query, favourites, recent }).map(({ kind, models: own }) => [
    kind,
    own.map(({ id }) => id).join(' '),
  ]);

describe('the models to choose from', () => {
  it('begin with favourites, then recent ones, each model once', () => {
    expect(grouped('', ['b/2', 'gone/x'], ['b/2', 'a/1'])).toEqual([
      ['favourites', 'b/2'],
      ['recent', 'a/1'],
      ['provider', 'a/2 a/3 a/4'],
      ['provider', 'b/1 b/3 b/4'],
    ]);
  });

  it('end with the demo model, which nobody looks for beside real ones', () => {
    const demo = { ...model('demo', 'scripted'), scripted: true };
    expect(grouped('', [], [], [demo, ...models.slice(0, 1)])).toEqual([
      ['provider', 'a/1'],
      ['provider', 'demo/scripted'],
    ]);
  });

  it('name no recent ones while there are few', () => {
    expect(grouped('', ['a/1'], ['a/2'], models.slice(0, 3))).toEqual([
      ['favourites', 'a/1'],
      ['provider', 'a/2 a/3'],
    ]);
  });

  it('are searched by model and provider, all words, in their usual order', () => {
    expect(grouped('the B 3', ['b/3'], ['b/3'])).toEqual([['provider', 'b/3']]);
    expect(grouped('zzz', [], [])).toEqual([]);
  });

  it('keep providers apart that have one name', () => {
    const same = [model('a', '1'), { ...model('b', '1'), providerName: 'The a' }];
    expect(grouped('', [], [], same)).toHaveLength(2);
  });
});
