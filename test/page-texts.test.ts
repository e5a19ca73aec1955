import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { en } from '#web/messages/en/en.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = globSync(['test/e2e/*.ts', 'src/web/**/*.test.tsx', 'scripts/screenshots.ts'], {
  cwd: root,
});

/** What a test may say itself although the page says it too, and why. */
const allowed: [file: string, words: string, why: string][] = [
  ['attention.test.ts', 'Cerise', 'the title of a tab is the name of the product'],
  ['', 'Enter', 'a key'],
  ['', 'End', 'a key'],
  ['', 'What time is it in Tokyo, and what files are in the workspace?', 'asked of the demo model'],
  ['', 'What is 12*(3+4)?', 'asked of the demo model'],
  ['approvals.test.ts', 'content', 'an argument of write_file'],
  ['approvals.test.ts', 'Tool environment', 'a description by the test’s own server'],
  ['use-assistant-name.test.tsx', 'Assistant', 'the name in the database'],
  ['block-view.test.tsx', '[… 1234567 characters left out …]', 'what a stored text is cut with'],
  ['server-sign-in.test.ts', 'Allow', 'a button of the fake authorization server'],
  ['server-sign-in.test.ts', 'Deny', 'a button of the fake authorization server'],
];

/** Calls that find something by the words they are given first, or by those of an option; then assertions. */
const byWords = /^getBy(?:Text|Label|Placeholder|Title|AltText)$/;
const byOption = /^(?:getByRole|filter|locator|selectOption)$/;
const options = /^(?:name|hasText|hasNotText|label)$/;
const assertions = /^(?:to(?:Be|Contain|Match|Equal)|string(?:Containing|Matching))$/;

/** Where a literal stands: where something is found by it, where it is expected, or anywhere else. */
type Place = 'found' | 'expected' | 'option' | 'else';

interface Literal {
  words: string;
  /** The same in small letters, and how many words that is. */
  said: string;
  count: number;
  place: Place;
}

interface Text {
  id: string;
  value: string;
  small: string;
  /** What stands between its values, where that is two words or more. */
  pieces: string[];
  /** Fits the text with any values of one word. */
  filled: RegExp | null;
}

function toText([id, value]: [string, string]): Text {
  const pieces = value
    .toLowerCase()
    .replaceAll(/\{\w+, plural,|(?:=\d|\bone|\bother) \{/g, '{}')
    .split(/\{[^{}]*\}|[{}#]|<\/?\w+>/)
    .map((piece) => piece.trim());
  const gaps = value.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const isFilled = gaps.length > 1 && /[a-z]{2}/i.test(gaps.join(' '));
  // Before its first word a text has numbers, or it would fit every sentence.
  const any = gaps[0] === '' ? '[\\d,]+' : '\\S+';
  return {
    id,
    value,
    small: value.toLowerCase(),
    pieces: pieces.filter((piece) => /\w\W* \W*\w/.test(piece)),
    filled: isFilled && !value.includes(', plural') ? new RegExp(`^${gaps.join(any)}$`) : null,
  };
}

/** The texts of the page that a file of tests holds as they are. */
function textsIn(path: string, code: string, texts: Text[]): string[] {
  const isAllowed = ({ words }: Literal) =>
    allowed.some(([file, own]) => path.endsWith(file) && own === words);
  return literalsIn(path, code)
    .filter((literal) => !isAllowed(literal))
    .flatMap((literal) => {
      const held = texts.filter((each) => holds(literal, each));
      const text = held.find(({ value }) => value === literal.words) ?? held[0];
      return text ? [`${basename(path)}: “${literal.words}” is ${text.id}`] : [];
    });
}

function holds({ words, said, count, place }: Literal, text: Text): boolean {
  const { value, small, pieces, filled } = text;
  if (words === value) return place === 'found' || count > 1 || /^[A-Z]/.test(words);
  if (place === 'else' || place === 'option') return count > 1 && said === small;
  if (count > (place === 'found' ? 1 : 2) && pieces.some((piece) => piece.startsWith(said)))
    return true;
  if (count > 2 && pieces.some((piece) => piece.includes(said))) return true;
  if (pieces.some((piece) => said.includes(piece))) return true;
  return place === 'found' && filled?.test(words) === true;
}

type Node = Record<string, unknown>;

/** Every literal but the names of tests: strings, patterns without their signs, the words of templates. */
function literalsIn(path: string, code: string): Literal[] {
  const found: Literal[] = [];
  const visit = (node: unknown, place: Place): void => {
    if (Array.isArray(node)) for (const item of node) visit(item, place);
    if (!isNode(node) || node['type'] === 'ImportDeclaration') return;
    const words = wordsOf(node);
    if (words !== null) {
      const said = words.trim().toLowerCase();
      found.push({ words, said, count: said.split(/\s+/).length, place });
    }
    if (node['type'] === 'CallExpression') {
      const { callee, arguments: args } = node as { callee: Node; arguments: unknown[] };
      const name = nameOf(callee);
      visit(callee, 'else');
      visit(name === 'it' || name === 'describe' ? args.slice(1) : args, placeIn(name));
    } else if (node['type'] === 'Property' && place === 'option') {
      const isWords = options.test(String((node['key'] as Node)['name']));
      visit(node['value'], isWords ? 'found' : 'else');
    } else for (const value of Object.values(node)) visit(value, place);
  };
  visit(parseSync(path, code).program, 'else');
  return found;
}

function placeIn(call: string): Place {
  if (byWords.test(call)) return 'found';
  if (byOption.test(call)) return 'option';
  return assertions.test(call) ? 'expected' : 'else';
}

function wordsOf(node: Node): string | null {
  const { type, value, regex, quasis } = node as {
    type: string;
    value?: unknown;
    regex?: { pattern: string };
    quasis?: { value: { raw: string } }[];
  };
  if (type === 'Literal' && regex)
    return regex.pattern.replaceAll(/\\[dws][+*]?|\.[+*]|[\\^$]/g, '').trim();
  if (type === 'Literal' && typeof value === 'string') return value;
  if (type !== 'TemplateLiteral') return null;
  return quasis?.map((part) => part.value.raw).join('0') ?? null;
}

/** What is called; `it.each(…)` and `describe.skipIf(…)` name a test too. */
function nameOf(callee: unknown): string {
  if (!isNode(callee)) return '';
  if (callee['type'] === 'CallExpression') return nameOf(callee['callee']);
  if (callee['type'] === 'Identifier') return String(callee['name']);
  const object = nameOf(callee['object']);
  return object === 'it' || object === 'describe' ? object : nameOf(callee['property']);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function flatten(part: object, before = ''): [string, string][] {
  return Object.entries(part).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string'
      ? [[before + key, value]]
      : flatten(value as object, `${before}${key}.`),
  );
}

function literalsOf(file: string): Set<string> {
  const code = readFileSync(`${root}/${file}`, 'utf8');
  return new Set(literalsIn(file, code).map(({ words }) => words));
}

describe('the texts of the page', () => {
  it('are looked up by their ids in the tests of the page', () => {
    expect(files.length).toBeGreaterThan(50);
    const texts = flatten(en).map(toText);
    const read = (file: string) => readFileSync(`${root}/${file}`, 'utf8');
    const found = files.flatMap((file) => textsIn(file, read(file), texts));
    expect(found, 'look them up with t(id), or say above why not').toEqual([]);
  });

  const own = {
    save: 'Save',
    remove: 'Remove {name}',
    from: 'Load from {host}',
    gone: 'It is gone for good.',
  };
  const texts = flatten(own).map(toText);

  it.for([
    `getByRole('button', { name: 'Save' })`,
    `getByLabel('Save', { exact: true })`,
    `page.getByText('it is').waitFor()`,
    `page.getByText(/^It is/).waitFor()`,
    `filter({ hasText: 'is gone for' })`,
    `expect(shown).toContain('and it is gone for good. And')`,
    `getByRole('button', { name: 'Remove a.txt' })`,
    'getByText(`Load from ${host}`)',
    `choose('It is gone for good.')`,
    `choose('Save')`,
  ])('are found in %s', (code) => {
    expect(textsIn('some.test.ts', code, texts)).toHaveLength(1);
  });

  it.for([
    `it('Save', () => {})`,
    `it.for([])('Save', () => {})`,
    `send(page, 'Save it')`,
    `getByTestId('save')`,
    `getByText('gone')`,
  ])('are not taken for %s', (code) => {
    expect(textsIn('some.test.ts', code, texts)).toEqual([]);
  });

  it('are excepted nowhere without need', () => {
    const all = files.map((file) => ({ file, words: literalsOf(file) }));
    const unused = allowed.filter(
      ([name, words]) => !all.some((one) => one.file.endsWith(name) && one.words.has(words)),
    );
    expect(unused).toEqual([]);
  });
});
