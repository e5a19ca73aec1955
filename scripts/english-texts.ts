import { parseSync } from 'vite';

/** The English texts of a tree of sources by their ids, each with its different wordings. */
export type Texts = Map<string, Set<string>>;

/** `say('id')` with its template, or `sayAs('id', …)`; also inside of comments' examples, which say nothing. */
const sentence =
  /\bsay(?:As)?\(\s*'([\w-]+)',?\s*\)?(?:`((?:\$\{(?:[^{}`]|\{(?:[^{}]|\{[^{}]*\})*\}|`[^`]*`)*\}|\\.|[^`])*)`)?/g;
const gap = /\$\{(?:[^{}`]|\{(?:[^{}]|\{[^{}]*\})*\}|`[^`]*`)*\}/g;

/** Whether a file can have texts for people. */
export function mayHaveTexts(path: string): boolean {
  return /^src\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path);
}

/** Adds the texts of one file: sentences of host and command line, texts of the page, texts of built-in tools. */
export function addTexts(texts: Texts, path: string, code: string): void {
  addSentences(texts, code);
  if (/^src\/web\/messages\/en\/(?!en\.ts)/.test(path)) addPageTexts(texts, path, code);
  if (path.startsWith('src/mcp/builtin/')) addToolTexts(texts, path, code);
}

/** Adds every sentence of host and command line with numbered gaps. What `sayAs` says has no text here. */
export function addSentences(texts: Texts, code: string): void {
  for (const [, id = '', template] of code.matchAll(sentence)) {
    let count = 0;
    const text = template?.replaceAll(gap, () => `{${count++}}`);
    add(texts, id, text);
  }
}

function add(texts: Texts, id: string, text: string | undefined): void {
  const wordings = texts.get(id) ?? new Set();
  if (text !== undefined) wordings.add(text);
  texts.set(id, wordings);
}

type Node = Record<string, unknown>;

/** `export const chat = { greeting: '…' }` is the text `page/chat.greeting`. */
function addPageTexts(texts: Texts, path: string, code: string): void {
  for (const declarator of nodesOf(parseSync(path, code).program, 'VariableDeclarator')) {
    const { id, init } = declarator as { id: Node; init: Node };
    addObject(texts, `page/${String(id['name'])}`, init);
  }
}

function addObject(texts: Texts, before: string, object: Node): void {
  for (const { key, value } of propertiesOf(object)) {
    const id = `${before}.${key}`;
    if (value['type'] === 'ObjectExpression') addObject(texts, id, value);
    else add(texts, id, literalOf(value));
  }
}

/** Titles and descriptions of tools, such as `builtin/write_file/title`, and of their arguments: `builtin/path`. */
function addToolTexts(texts: Texts, path: string, code: string): void {
  const { program } = parseSync(path, code);
  for (const call of nodesOf(program, 'CallExpression')) {
    const { callee, arguments: args } = call as { callee: Node; arguments: Node[] };
    const name = literalOf(args[0] ?? {});
    if (nameOf(callee['property']) !== 'registerTool' || name === undefined) continue;
    for (const { key, value } of propertiesOf(args[1] ?? {}))
      if (key === 'title' || key === 'description')
        add(texts, `builtin/${name}/${key}`, literalOf(value));
  }
  for (const { key, value } of nodesOf(program, 'Property')) addArgument(texts, key, value);
  for (const { id, init } of nodesOf(program, 'VariableDeclarator')) addArgument(texts, id, init);
}

/** `path: z.string().describe('…').optional()` */
function addArgument(texts: Texts, key: unknown, value: unknown): void {
  for (let node = value as Node | null; node?.['type'] === 'CallExpression';) {
    const { callee, arguments: args } = node as { callee: Node; arguments: Node[] };
    if (nameOf(callee['property']) === 'describe')
      add(texts, `builtin/${nameOf(key)}`, literalOf(args[0] ?? {}));
    node = callee['object'] as Node | null;
  }
}

function propertiesOf(object: Node): { key: string; value: Node }[] {
  const properties = (object['properties'] ?? []) as { key?: Node; value?: Node }[];
  return properties.flatMap(({ key, value }) =>
    key && value ? [{ key: nameOf(key) ?? '', value }] : [],
  );
}

function nameOf(node: unknown): string | undefined {
  const { name, value } = (node ?? {}) as { name?: string; value?: string };
  return name ?? value;
}

/** A string, or strings that are added up. */
function literalOf(node: Node): string | undefined {
  if (node['type'] === 'BinaryExpression') {
    const both = [node['left'], node['right']].map((side) => literalOf(side as Node));
    return both.includes(undefined) ? undefined : both.join('');
  }
  return typeof node['value'] === 'string' ? node['value'] : undefined;
}

function* nodesOf(node: unknown, type: string): Generator<Node> {
  if (typeof node !== 'object' || node === null) return;
  if ((node as Node)['type'] === type) yield node as Node;
  for (const inner of Object.values(node)) yield* nodesOf(inner, type);
}
