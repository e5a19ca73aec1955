import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { PromptedText, type TextPiece } from './prompted-text.ts';

/** What the pieces of a text come to, neighbours of a kind joined. */
function read(parts: readonly string[], cut = false): TextPiece[] {
  const reader = new PromptedText();
  const pieces = [...parts.flatMap((part) => reader.read(part)), ...reader.end(cut)];
  const joined: TextPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if ((piece.type === 'text' || piece.type === 'thinking') && last?.type === piece.type)
      last.text += piece.text;
    else joined.push({ ...piece });
  }
  return joined;
}

function call(toolName: string, args: object | null = {}, rawArguments = JSON.stringify(args)) {
  return { type: 'call', toolName, arguments: args, rawArguments };
}

const text = (said: string) => ({ type: 'text', text: said });
const json = '{"name": "find", "arguments": {"q": "a"}}';
const found = call('find', { q: 'a' });

/** What a model may write, and what it means. */
const samples: [sentence: string, written: string, meaning: object[]][] = [
  ['plain text', 'Just words, 1 < 2 and `code`.\n', [text('Just words, 1 < 2 and `code`.\n')]],
  ['a call alone', `<tool_call>${json}</tool_call>`, [found]],
  [
    'text, then a call',
    `I will look.\n\n<tool_call>\n${json}\n</tool_call>\n`,
    [text('I will look.'), found],
  ],
  ['text after a call', `<tool_call>${json}</tool_call>\n\nDone.`, [found, text('Done.')]],
  [
    'several calls',
    `<tool_call>${json}</tool_call>\n<tool_call>\n{"name":"b"}\n</tool_call>`,
    [found, call('b')],
  ],
  ['several calls in one tag', `<tool_call>${json}\n{"name":"b"}</tool_call>`, [found, call('b')]],
  ['a list of calls', `<tool_call>[${json},{"name":"b"}]</tool_call>`, [found, call('b')]],
  ['a call without its end', `Hm.<tool_call>${json}`, [text('Hm.'), found]],
  [
    'a call without its end, then another',
    `<tool_call>${json}\n<tool_call>${json}`,
    [found, found],
  ],
  [
    'a fence around a call',
    `So:\n\`\`\`json\n<tool_call>${json}</tool_call>\n\`\`\`\nOk.`,
    [text('So:'), found, text('Ok.')],
  ],
  [
    'an unmarked fence around calls',
    `\`\`\`\n<tool_call>${json}</tool_call>\n<tool_call>${json}</tool_call>\n\`\`\``,
    [found, found],
  ],
  [
    'a fence inside the tags',
    `<tool_call>\n\`\`\`json\n${json}\n\`\`\`\n</tool_call>\nOk`,
    [found, text('Ok')],
  ],
  ['a fence instead of the tags', `\`\`\`tool_call\n${json}\n\`\`\`\nOk`, [found, text('Ok')]],
  [
    'code after a call',
    `<tool_call>${json}</tool_call>\n\`\`\`js\nx\n\`\`\``,
    [found, text('```js\nx\n```')],
  ],
  [
    'a call after code',
    `\`\`\`js\nx\n\`\`\`\n<tool_call>${json}</tool_call>`,
    [text('```js\nx\n```'), found],
  ],
  [
    'an example in code that is marked otherwise',
    `Like this:\n\`\`\`xml\n<tool_call>${json}</tool_call>\n\`\`\`\nClear?`,
    [text(`Like this:\n\`\`\`xml\n<tool_call>${json}</tool_call>\n\`\`\`\nClear?`)],
  ],
  [
    'an example in inline code',
    `Write \`<tool_call>${json}</tool_call>\` then.`,
    [text(`Write \`<tool_call>${json}</tool_call>\` then.`)],
  ],
  ['a mention', 'Use <tool_call> and </tool_call>.', [text('Use <tool_call> and </tool_call>.')]],
  ['half a tag at the end', 'See <tool_ca', [text('See <tool_ca')]],
  [
    'tags in the arguments',
    '<tool_call>{"name":"a","arguments":{"t":"</tool_call>} \\" <tool_call>"}}</tool_call>!',
    [call('a', { t: '</tool_call>} " <tool_call>' }), text('!')],
  ],
  [
    'line breaks in strings',
    '<tool_call>{"name":"a","arguments":{"t":"x\ny"}}</tool_call>',
    [call('a', { t: 'x\ny' })],
  ],
  [
    'other words for arguments',
    '<tool_call>{"name":"a","parameters":{"x":1}}</tool_call>',
    [call('a', { x: 1 })],
  ],
  [
    'arguments as a string',
    '<tool_call>{"name":"a","arguments":"{\\"x\\":1}"}</tool_call>',
    [call('a', { x: 1 })],
  ],
  [
    'arguments that are no object',
    '<tool_call>{"name":"a","arguments":[1]}</tool_call>',
    [call('a', null, '[1]')],
  ],
  [
    'broken JSON',
    '<tool_call>{"name":"a","arguments":{x}}</tool_call>Hm',
    [call('a', null, '{"name":"a","arguments":{x}}'), text('Hm')],
  ],
  [
    'JSON that ends too soon',
    '<tool_call>{"name":"a","arguments":{"x":1}</tool_call>Hm',
    [call('a', null, '{"name":"a","arguments":{"x":1}'), text('Hm')],
  ],
  [
    'a quote that is never closed',
    '<tool_call>{"name":"a","arguments":{"x":"1}}</tool_call>\nHm',
    [call('a', null, '{"name":"a","arguments":{"x":"1}}'), text('Hm')],
  ],
  [
    'a call that was not finished',
    '<tool_call>{"name":"a","argu',
    [call('a', null, '{"name":"a","argu')],
  ],
  ['a call without a name', '<tool_call>{"x":1}</tool_call>', [call('')]],
  [
    'thinking in the text',
    `<think>I could <tool_call>${json}</tool_call></think>\n\nHi`,
    [{ type: 'thinking', text: `I could <tool_call>${json}</tool_call>` }, text('Hi')],
  ],
  [
    'thinking that never ends',
    `<think>Hm <tool_call>${json}</tool_call>`,
    [{ type: 'thinking', text: `Hm <tool_call>${json}</tool_call>` }],
  ],
  [
    'a result it made up',
    `<tool_call>${json}</tool_call>\n<tool_response>42</tool_response>\nIt is 42. <tool_call>${json}</tool_call>`,
    [found],
  ],
  [
    'a word about results',
    'Results come in <tool_response> elements.',
    [text('Results come in <tool_response> elements.')],
  ],
];

describe('PromptedText', () => {
  it.each(samples)('understands %s', (_sentence, written, meaning) => {
    expect(read([written])).toEqual(meaning);
  });

  it.each(samples)('understands %s wherever it is cut', (_sentence, written, meaning) => {
    expect(read(Array.from(written))).toEqual(meaning);
    for (let at = 1; at < written.length; at += 1)
      expect(read([written.slice(0, at), written.slice(at)]), `cut at ${at}`).toEqual(meaning);
  });

  it('means the same however any text is cut', () => {
    const fragments = [
      '<tool_call>',
      '</tool_call>',
      '<tool_response>',
      '<think>',
      '</think>',
    ].concat(
      ['```', '```json', '```tool_call', '~~~', '\n', ' ', '`', '{', '}', '[', ']', '"', '\\', '<'],
      [json, '{"name":"a"', 'word', '😀'],
    );
    const written = fc
      .array(fc.constantFrom(...fragments), { maxLength: 24 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(
        written,
        fc.array(fc.nat(200), { maxLength: 12 }),
        fc.boolean(),
        (all, cuts, cut) => {
          const places = [0, ...cuts.map((at) => at % (all.length + 1)), all.length].toSorted(
            (a, b) => a - b,
          );
          const parts = places.slice(1).map((end, nth) => all.slice(places[nth], end));
          expect(read(parts, cut)).toEqual(read([all], cut));
          expect(read(Array.from(all), cut)).toEqual(read([all], cut));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('loses no text that holds no call', () => {
    const harmless = fc.array(
      fc.constantFrom('a', ' ', '\n', '`', '```', '<', '<tool', '>', '{', '"'),
    );
    fc.assert(
      fc.property(harmless, (all) => {
        const written = `x${all.join('')}`;
        expect(read(Array.from(written))).toEqual([text(written)]);
      }),
    );
  });

  it('does not propose a call that a broken stream cut', () => {
    expect(read(['Hm. <tool_call>{"name":"a","argu'], true)).toEqual([
      text('Hm.'),
      { type: 'call-begun', toolName: 'a' },
    ]);
    expect(read(['<tool_call>{"na'], true)).toEqual([]);
    expect(read(['Hm <tool_ca'], true)).toEqual([text('Hm <tool_ca')]);
  });

  it('reads hostile text in bounded time', () => {
    for (const unit of [
      '<tool_call>{"',
      '<tool_call>{"x</tool_call>',
      '<',
      '`',
      '\n```',
      '<tool_call>[',
      ' ',
    ]) {
      const time = cpuTime(() => {
        read([unit.repeat(20_000)]);
        read(Array.from({ length: 2000 }, () => unit));
      });
      expect(time, unit).toBeLessThan(2000);
    }
  });

  it('T85: refuses a call that is nested too deep', () => {
    const deep = `{"name":"find","arguments":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`;
    expect(read([`<tool_call>${deep}</tool_call>`])).toEqual([call('find', null, deep)]);
  });

  it.each([
    ['words', 'Hm', '\n'],
    ['a fence', '```', ' '],
    ['a line that may end code', '```js\n', ' '],
    ['a tag', '<tool_call>', '\n'],
  ])('T85: takes time in proportion to the space after %s', (_, begun, space) => {
    const parts = [begun, ...Array.from({ length: 40_000 }, () => space), 'Done.'];
    let found: unknown;
    expect(cpuTime(() => (found = read(parts)))).toBeLessThan(2000);
    expect(JSON.stringify(found)).toContain('Done.');
  });
});
