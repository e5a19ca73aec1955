import { describe, expect, it } from 'vitest';
import { openLanguage, type Piece } from './highlight-engine.ts';
import type { CodeHighlighter } from './highlighter.ts';
import { Highlighting, isHighlightable } from './highlighting.ts';

const code = `/* a comment
   that goes on */
import { a } from './a.ts';

export async function greet(name: string): Promise<number> {
  const text = \`Hello
  \${name}\`;
  return text.length * 42;
}
`;

/** What the worker does, without the worker. */
async function openIn(language: string): Promise<{ open: () => CodeHighlighter; asked: string[] }> {
  const open = await openLanguage(language);
  const asked: string[] = [];
  return {
    asked,
    open: () => {
      const highlight = open?.();
      return {
        highlight: async (lines) => {
          asked.push(lines);
          return highlight?.(lines);
        },
        close: () => undefined,
      };
    },
  };
}

async function toEnd(work: Highlighting, text: string, open = false): Promise<Piece[][]> {
  while (await work.advance(text, open));
  return work.current.groups.flat();
}

describe('highlighting', () => {
  it('knows the kinds of words, and gives the code back', async () => {
    const { open } = await openIn('ts');
    const lines = await toEnd(new Highlighting(open), code);
    expect(lines.map((line) => line.map(({ text }) => text).join('')).join('\n')).toBe(
      code.slice(0, -1),
    );
    expect(lines[1]?.every(({ kind }) => kind === 'comment')).toBe(true);
    expect(lines[2]?.[0]).toEqual({ text: 'import', kind: 'keyword' });
  });

  it('gives the same for code that grows by any steps, and asks for no line twice', async () => {
    const { open } = await openIn('ts');
    const whole = await toEnd(new Highlighting(open), code);
    for (const step of [1, 7, 30]) {
      const growing = await openIn('ts');
      const work = new Highlighting(growing.open);
      for (let end = step; end < code.length; end += step)
        await toEnd(work, code.slice(0, end), true);
      expect(await toEnd(work, code)).toEqual(whole);
      expect(growing.asked.join('\n')).toBe(code.slice(0, -1));
    }
  });

  it('leaves a line alone that may still grow', async () => {
    const { open } = await openIn('ts');
    const work = new Highlighting(open);
    await toEnd(work, 'const a = 1;\nconst b', true);
    expect(work.current.source).toBe('const a = 1;\n');
  });

  it('starts over for another code', async () => {
    const { open } = await openIn('ts');
    const work = new Highlighting(open);
    await toEnd(work, '/* open\n', true);
    const lines = await toEnd(work, 'const a = 1;\n');
    expect(lines[0]?.[0]).toEqual({ text: 'const', kind: 'keyword' });
  });

  it('knows no languages but real ones, and bounds what it reads', async () => {
    for (const name of ['nosuch', '__proto__', 'constructor', '../ts', ''])
      expect(await openLanguage(name)).toBeUndefined();
    expect(isHighlightable('a'.repeat(100_001))).toBe(false);
    const { open } = await openIn('ts');
    const long = `const a = "${'x'.repeat(5000)}";\n`;
    expect((await toEnd(new Highlighting(open), long))[0]?.[0]?.kind).toBeUndefined();
  });
});
