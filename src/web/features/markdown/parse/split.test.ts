import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../../../test/cpu-time.ts';
import { lexBlocks } from './lexer.ts';
import { emptySplit, linksAtEnd, rawOf, splitFurther, type SplitText } from './split.ts';
import { wildListDocument } from '../../../../../test/fixtures/list-documents.ts';

const split = (text: string) => splitFurther(emptySplit, text);
const finishedOf = ({ groups }: SplitText) => groups.flat().map(rawOf);
const blocksOf = (state: SplitText) => [...finishedOf(state), ...state.live.map(rawOf)];

/** The blocks of a text read as a whole, blank space joined to the block before. */
function oracle(text: string): string[] {
  const blocks: string[] = [];
  let start = 0;
  for (const {
    type,
    raw: { length },
  } of lexBlocks(text)) {
    const raw = text.slice(start, start + length);
    start += length;
    if (type === 'space' && blocks.length > 0) blocks.push(blocks.pop() + raw);
    else blocks.push(raw);
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
  '$$',
  'x $$ y',
  '\\[',
  'a \\]',
  '[^1]: note',
  'see[^1]',
  '    [b]: https://example.org',
  '> [b]: https://example.org',
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
          const before = finishedOf(state);
          expect(finishedOf(next).slice(0, before.length)).toEqual(before);
          state = next;
        }
        expect(blocksOf(state).join('')).toBe(text);
      }),
      { numRuns: 200 },
    );
  });

  it('finishes all but the last blocks of an ordinary answer', () => {
    const state = split('# One\n\nText.\n\n- a\n- b\n\nMore text.\n\n```js\na\n\nb\n```\n\nEnd');
    expect(finishedOf(state)).toEqual(['# One\n\n', 'Text.\n\n', '- a\n- b\n\n', 'More text.\n\n']);
    expect(state.live).toEqual(['```js\na\n\nb\n```\n\n', 'End']);
  });

  it('keeps an open fence live, blank lines and all', () => {
    expect(finishedOf(split('```\na\n\nb\n\nc\n'))).toEqual([]);
  });

  it('starts over when the text is not a continuation', () => {
    const state = splitFurther(split('One.\n\nTwo.\n\nThree.\n'), 'Other');
    expect(blocksOf(state)).toEqual(['Other']);
  });

  it('remembers link definitions, the first of a name winning', () => {
    const state = split('[a]: https://one.example\n\n[a]: https://two.example\n\nText\n\nEnd');
    expect(state.links['a']?.href).toBe('https://one.example');
  });

  it('keeps full groups of finished blocks as they are', () => {
    let state = emptySplit;
    let text = '';
    for (let count = 0; count < 100; count += 1) {
      text += `Paragraph ${count}.\n\n`;
      const next = splitFurther(state, text);
      for (const [index, group] of state.groups.entries())
        if (group.length === 32) expect(next.groups[index]).toBe(group);
      state = next;
    }
    expect(state.groups.map(({ length }) => length)).toEqual([32, 32, 32, 3]);
  });

  it('knows definitions in quotes, in the last block and before their end is clear', () => {
    const state = split(
      '> [q]: https://quote.example\n\n[a] [b]\n\n[a]: https://a.example\n[b]: https',
    );
    expect(state.links['q']?.href).toBe('https://quote.example');
    expect(state.links['a']?.href).toBe('https://a.example');
    expect(state.links['b']).toBeUndefined();
    expect(linksAtEnd(state)['b']?.href).toBe('https');
  });

  it('keeps the same definitions while none comes', () => {
    const first = split('[a]: https://a.example\n\nText\n\nMore');
    expect(splitFurther(first, `${first.source} and more\n\nand more`).links).toBe(first.links);
  });

  it('collects footnotes, the first of a label winning', () => {
    const { notes } = split('a[^x]\n\n[^x]: one\n[^y]: two\n\n    more\n\n[^x]: three');
    expect(notes.map(({ label }) => label)).toEqual(['x', 'y']);
    expect(notes[0]?.raw).toContain('one');
    expect(notes[1]?.raw).toContain('more');
  });

  it('survives thousands of nested quotes', () => {
    const text = `${'>'.repeat(20_000)} deep`;
    expect(blocksOf(split(text)).join('')).toBe(text);
  });

  it('never reads the finished parts of a list again, also right after words', () => {
    let text = 'Some **words**:\n';
    let state = emptySplit;
    const time = cpuTime(() => {
      for (let count = 1; count <= 1500; count += 1) {
        text += `- ${'word '.repeat(20)}\n`;
        state = splitFurther(state, text);
      }
    });
    const [list] = state.live.slice(1);
    if (typeof list !== 'object') throw new Error('There is no list.');
    expect(list.raw).toBe(text.slice(text.indexOf('-')));
    expect(list.parts.join('')).toBe(list.raw);
    expect(list.parts.length).toBeGreaterThan(90);
    expect(time).toBeLessThan(2000);
  });

  it('cuts lists as if the whole text had come at once', () => {
    fc.assert(
      fc.property(wildListDocument, fc.integer({ min: 1, max: 900 }), (text, step) => {
        let state = emptySplit;
        for (let end = step; end < text.length; end += step)
          state = splitFurther(state, text.slice(0, end));
        state = splitFurther(state, text);
        expect(blocksOf(state)).toEqual(oracle(text));
        const { groups, live } = split(text);
        expect([...state.groups.flat(), ...state.live]).toEqual([...groups.flat(), ...live]);
      }),
      { numRuns: 200 },
    );
  });

  const item = 'many words '.repeat(80);

  it.each([
    ['a formula', `$$\n- ${item}\n- ${item}\n- ${item}\n$$\nWords`],
    ['a formula in words', `Words $$\n- ${item}\n- ${item}\n- ${item}\n$$ more`],
    ['a heading', `Words\n-\t${item}\n-\t${item}\n-\t${item}\n===\nWords`],
    ['a line of raw HTML', `<p>\n- ${item}\n- ${item}\n- ${item}\n\n- end`],
  ])('sees that items belong to %s in the end', (_, text) => {
    let state = emptySplit;
    for (let end = 1; end <= text.length; end += 1) {
      state = splitFurther(state, text.slice(0, end));
      if (end % 400 === 0 || end > text.length - 20)
        expect(blocksOf(state)).toEqual(oracle(text.slice(0, end)));
    }
  });

  it.each(['-x', '---', '- - -', '2.5', '- more'])(
    'finishes an item only when the next one is there: %s',
    (end) => {
      let state = emptySplit;
      let before: readonly string[] = [];
      for (const letter of `- ${item}\n- ${item}\n${end}\n- ${item}\n`) {
        state = splitFurther(state, state.source + letter);
        const last = state.live.findLast((block) => typeof block === 'object');
        const finished = last?.parts.slice(0, -1) ?? [];
        if (last?.raw.startsWith(before.join('')))
          expect(finished.slice(0, before.length)).toEqual(before);
        before = finished;
      }
      expect(blocksOf(state)).toEqual(oracle(state.source));
    },
  );

  it('reads a long answer in time that grows with its length only', () => {
    const paragraph = `${'word '.repeat(40)}\n\n`;
    const text = paragraph.repeat(500);
    let state = emptySplit;
    const time = cpuTime(() => {
      for (let end = 250; end <= text.length; end += 250)
        state = splitFurther(state, text.slice(0, end));
    });
    expect(finishedOf(state).length).toBeGreaterThan(495);
    expect(time).toBeLessThan(2000);
  });
});
