import fc from 'fast-check';

/** So long that two of them are a finished part of a list. */
const long = 'many **words** and `code` '.repeat(30).trim();

const bullet = fc.constantFrom('-', '-', '*', '1.', '7)', ' -', '  -', '   2.');
const said = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(` ${long}`, ` [ ] ${long}`) },
  fc.constantFrom(' short', ' [x] task', `\t${long}`, '', ' ', ' # Title', ' > quote', ' ```'),
  fc.constantFrom(' - -', ' [a] and [b]', ' 中文', ' - inner'),
);
/** Blank space, more of an item, and blocks that end a list. */
const plain = fc.oneof(
  fc.constantFrom(
    '',
    '',
    '  ',
    '  more words',
    '    1. inner',
    '      code',
    '  ```',
    'lazy words',
  ),
  fc.constantFrom('***', '```', '> quote', '[a]: https://example.com', '* other', '# Title'),
);
/** What may take lines before or after it for its own. */
const grasping = fc.oneof(
  fc.constantFrom('---', '===', '| a | b |', '|---|---|', '<div>', '</div>'),
  fc.constantFrom('$$', '\\[', '\\]', '[^1]: note'),
);
const words = fc.constantFrom('Words:', '**Words**:', '中文：', '# Title', '> quote', 'One\n\nTwo');

/** A text that is mostly lists, long and short, tight and loose, broken by such lines. */
function documentOf(other: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const maybe = fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, plain, other);
  const items = fc.array(fc.tuple(said, maybe, maybe), { minLength: 1, maxLength: 9 });
  return fc
    .array(fc.tuple(fc.oneof(maybe, words), bullet, items), { minLength: 1, maxLength: 2 })
    .map((lists) =>
      lists
        .flatMap(([before, mark, all]) => [
          before,
          ...all.flatMap(([text, ...after]) => [`${mark}${text}`, ...after]),
        ])
        .filter((line) => line !== undefined)
        .join('\n'),
    );
}

/** Lists among blocks that are the same wherever they stand. */
export const listDocument = documentOf(plain);

/** Lists among whatever there is. */
export const wildListDocument = documentOf(grasping);
