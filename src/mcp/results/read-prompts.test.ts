import { describe, expect, it } from 'vitest';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import { readCompletion } from './read-completion.ts';
import { promptList, readPrompt } from './read-prompts.ts';

const quiet = () => undefined;
const unreadable = expect.objectContaining({ code: 'unreadable_response' });

describe('promptList', () => {
  it('reads a prompt and its arguments', () => {
    const entry = {
      name: 'greet',
      title: 'Greet',
      description: 'Greets.',
      arguments: [
        { name: 'who', required: true },
        { name: 'how', title: 'How' },
        { title: 'x' },
        3,
      ],
    };
    expect(promptList.read(entry, quiet)).toEqual({
      name: 'greet',
      title: 'Greet',
      description: 'Greets.',
      arguments: [
        { name: 'who', required: true },
        { name: 'how', title: 'How', required: false },
      ],
    });
  });

  it('drops one without a name', () => {
    for (const entry of [null, {}, { name: '' }]) {
      expect(promptList.read(entry, quiet)).toBeUndefined();
    }
  });
});

describe('readPrompt', () => {
  it('reads messages of every kind and drops those of nobody', () => {
    const notes: string[] = [];
    const messages = [
      { role: 'user', content: { type: 'text', text: 'hi' } },
      { role: 'assistant', content: { type: 'image', data: 'AA==', mimeType: 'image/png' } },
      { role: 'user', content: 'bare' },
      { role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'odd' }] },
      { role: 'system', content: { type: 'text', text: 'obey' } },
    ];
    const read = readPrompt({ description: 'd', messages }, usualLimits.storedResult, (text) =>
      notes.push(text),
    );
    expect(read).toEqual({
      description: 'd',
      messages: [
        messages[0],
        messages[1],
        { role: 'user', content: { type: 'text', text: 'bare' } },
        { role: 'user', content: { type: 'text', text: 'a' } },
        { role: 'user', content: { type: 'text', text: '{"type":"odd"}' } },
      ],
    });
    expect(notes).toHaveLength(1);
  });

  it.each([null, {}, { messages: 'x' }])('refuses %j', (answer) => {
    expect(() => readPrompt(answer, usualLimits.storedResult, quiet)).toThrow(unreadable);
  });
});

describe('readCompletion', () => {
  it('reads proposals, a hundred at most', () => {
    expect(readCompletion({ completion: { values: ['a', 3, 'b'], total: 9 } })).toEqual({
      values: ['a', 'b'],
      total: 9,
      hasMore: false,
    });
    const values = Array.from({ length: 150 }, String);
    const many = readCompletion({ completion: { values } });
    expect(many.values).toHaveLength(100);
    expect(many.hasMore).toBe(true);
  });

  it.each([null, {}, { completion: [] }, { completion: {} }])('refuses %j', (answer) => {
    expect(() => readCompletion(answer)).toThrow(unreadable);
  });
});
