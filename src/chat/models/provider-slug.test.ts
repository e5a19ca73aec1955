import { describe, expect, it } from 'vitest';
import { slugFor } from './provider-slug.ts';

const slug = (name: string, own: string[] = [], others: string[] = []) =>
  slugFor(
    { name, kind: 'zhipu' },
    own.map((each) => ({ name: `Name of ${each}`, slug: each })),
    others.map((each) => ({ name: `Name of ${each}`, slug: each })),
  );

describe('what the models of a provider are named by', () => {
  it.each([
    ['openai', 'openai'],
    ['my.gpt_2', 'my.gpt_2'],
    ['OpenAI (work)', 'openai-work'],
    ['Café  du Nord', 'cafe-du-nord'],
    ['智谱', 'zhipu'],
    ['智谱 Pro', 'pro'],
    ['…', 'zhipu'],
    ['Demo', 'demo-2'],
    ['a/b', 'a-b'],
    ['x'.repeat(100), 'x'.repeat(40)],
  ])('is made of its name: %s is %s', (name, expected) => {
    expect(slug(name)).toBe(expected);
    expect(slug(name)).toMatch(/^[a-z0-9][a-z0-9._-]{0,49}$/);
  });

  it('is nobody else’s, unless the name itself takes the place of another', () => {
    expect(slug('Open AI', ['open-ai', 'open-ai-2'])).toBe('open-ai-3');
    expect(slug('Open AI', [], ['open-ai'])).toBe('open-ai-2');
    expect(slug('open-ai', [], ['open-ai'])).toBe('open-ai');
    expect(slug('Name of open-ai', [], ['open-ai'])).toBe('open-ai');
    expect(slug('open-ai', ['open-ai'])).toBe('open-ai-2');
    expect(slug('智谱', [], ['zhipu'])).toBe('zhipu-2');
  });
});
