import { expect, it } from 'vitest';
import { hueOf, initialsOf } from './initials.ts';

it.each([
  ['OpenAI', 'OA'],
  ['OpenAI (Chat Completions)', 'OC'],
  ['Anthropic', 'A'],
  ['xAI', 'XA'],
  ['智谱 (BigModel)', '智'],
  ['302.AI', '3A'],
  ['Ollama 2', 'O2'],
  ['🙂', '?'],
])('%s is marked %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

it('gives a name one colour, and other names mostly others', () => {
  const names = ['OpenAI', 'Anthropic', 'Google Gemini', 'DeepSeek', 'Mistral', 'Ollama'];
  const hues = names.map(hueOf);
  expect(new Set(hues).size).toBe(names.length);
  for (const hue of hues) expect(hue >= 0 && hue < 360).toBe(true);
});
