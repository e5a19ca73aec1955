import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptySplit, splitFurther } from './split.ts';
import { lexBlocks } from './lexer.ts';

const split = (text: string) => splitFurther(emptySplit, text);
const blocksOf = (state: { finished: string[]; live: string[] }) => [
  ...state.finished,
  ...state.live,
];

/** The blocks of a text read as a whole, blank space joined to the block before. */
function oracle(text: string): string[] {
  const blocks: string[] = [];
  for (const token of lexBlocks(text)) {
    if (token.type === 'space' && blocks.length > 0) blocks.push(blocks.pop() + token.raw);
    else blocks.push(token.raw);
  }
  return blocks;
}

const line = fc.constantFrom(
  'plain words',
  'Ein | Tisch',
  '--- | ---',
  '| a | b |',
  '---',
  '===',
  '***',
  '# Title',
  '- item',
  '  - inner',
  '    deep',
  '\tdeep',
  '* other',
  '1. first',
  '2) second',
  '- [ ] task',
  '> quote',
  '>> inner quote',
  '```',
  '```ts',
  '~~~',
  'const a = 1;',
  '<div>',
  '</div>',
  '<!-- note',
  '-->',
  '<script>',
  '</script>',
  '[a]: https://example.com',
  '[a]',
  '中文**重点。**后面',
  '',
  '',
  '',
  '  ',
);
const document = fc.array(line, { maxLength: 14 }).map((lines) => lines.join('\n'));
const cuts = fc.array(fc.nat(200), { maxLength: 12 });

function grow(text: string, at: number[]) {
  const stops = [...at.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
  return stops.map((stop) => text.slice(0, stop));
}

describe('splitFurther', () => {
  it('gives the blocks of the whole text however the text grows', () => {
    fc.assert(
      fc.property(document, cuts, (text, at) => {
        let state = emptySplit;
        for (const prefix of grow(text, at)) state = splitFurther(state, prefix);
        expect(blocksOf(state)).toEqual(oracle(text));
      }),
      { numRuns: 3000 },
    );
  });

  it('never changes a finished block', () => {
    fc.assert(
      fc.property(document, (text) => {
        let state = emptySplit;
        for (let end = 1; end <= text.length; end++) {
          const next = splitFurther(state, text.slice(0, end));
          expect(next.finished.slice(0, state.finished.length)).toEqual(state.finished);
          state = next;
        }
        expect(blocksOf(state).join('')).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it('finishes all but the last blocks of an ordinary answer', () => {
    const state = split('# One\n\nText.\n\n- a\n- b\n\nMore text.\n\n```js\na\n\nb\n```\n\nEnd');
    expect(state.finished).toEqual(['# One\n\n', 'Text.\n\n', '- a\n- b\n\n', 'More text.\n\n']);
    expect(state.live).toEqual(['```js\na\n\nb\n```\n\n', 'End']);
  });

  it('keeps an open fence live, blank lines and all', () => {
    expect(split('```\na\n\nb\n\nc\n').finished).toEqual([]);
  });

  it('starts over when the text is not a continuation', () => {
    const state = splitFurther(split('One.\n\nTwo.\n\nThree.\n'), 'Other');
    expect(blocksOf(state)).toEqual(['Other']);
  });

  it('remembers link definitions, the first of a name winning', () => {
    const state = split('[a]: https://one.example\n\n[a]: https://two.example\n\nText\n\nEnd');
    expect(state.links['a']?.href).toBe('https://one.example');
  });

  it('survives thousands of nested quotes', () => {
    const text = `${'>'.repeat(20_000)} deep`;
    expect(blocksOf(split(text)).join('')).toBe(text);
  });

  it('reads a long answer in time that grows with its length only', () => {
    const paragraph = `${'word '.repeat(40)}\n\n`;
    const text = paragraph.repeat(500);
    let state = emptySplit;
    const start = performance.now();
    for (let end = 250; end <= text.length; end += 250) {
      state = splitFurther(state, text.slice(0, end));
    }
    expect(state.finished.length).toBeGreaterThan(495);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
