import { type Json, type JsonObject, parseJson } from '../vocabulary/json.ts';

const deepest = 20;
const maxLines = 2000;
const key = /^(?:([A-Za-z0-9_@][^:#'"]*)|'((?:[^']|'')*)'|("(?:[^"\\]|\\.)*"))[ \t]*:(?:[ \t]+|$)/;
const blockMark = /^([|>])(-?)[ \t]*(?:#.*)?$/;

interface Line {
  indent: number;
  text: string;
  /** Blanks at the end of the line, which count in a block. */
  tail: string;
}

/**
 * Reads the part of YAML that front matter and settings are written in: mappings, lists, plain, quoted and block
 * texts, JSON. Undefined for everything else (anchors, tags, several documents), never a guess.
 */
export function readYaml(source: string): JsonObject | undefined {
  const lines = source.split(/\r?\n/);
  if (lines.length > maxLines) return undefined;
  const reader = new Reader(lines.map(toLine));
  try {
    return reader.readDocument();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Unreadable extends Error {}

class Reader {
  readonly #lines: Line[];
  #at = 0;

  constructor(lines: Line[]) {
    this.#lines = lines;
  }

  readDocument(): JsonObject {
    if (this.#peek()?.text === '---') this.#at += 1;
    const first = this.#peek();
    const value = first ? this.#mapping(first.indent, 0) : {};
    if (this.#peek()) throw new Unreadable();
    return value;
  }

  /** The next line that says something. */
  #peek(): Line | undefined {
    while (isEmpty(this.#lines[this.#at])) this.#at += 1;
    return this.#lines[this.#at];
  }

  #mapping(indent: number, depth: number): JsonObject {
    if (depth > deepest) throw new Unreadable();
    const found = new Map<string, Json>();
    for (let line = this.#peek(); line && line.indent >= indent; line = this.#peek()) {
      const match = line.indent === indent ? key.exec(line.text) : null;
      if (!match) throw new Unreadable();
      const name =
        match[1]?.trimEnd() ?? match[2]?.replaceAll("''", "'") ?? unquote(match[3] ?? '');
      if (found.has(name) || name === '__proto__') throw new Unreadable();
      this.#at += 1;
      found.set(name, this.#value(line.text.slice(match[0].length), indent, depth));
    }
    return Object.fromEntries(found);
  }

  #list(indent: number, depth: number): Json[] {
    if (depth > deepest) throw new Unreadable();
    const items: Json[] = [];
    for (let line = this.#peek(); line && line.indent >= indent; line = this.#peek()) {
      if (line.indent !== indent || !isItem(line.text)) {
        if (line.indent === indent && items.length > 0) break;
        throw new Unreadable();
      }
      const rest = line.text.slice(1).trimStart();
      if (!key.test(rest)) {
        this.#at += 1;
        items.push(this.#value(rest, indent, depth));
        continue;
      }
      // A mapping that begins beside the dash goes on below its first key.
      const inner = indent + line.text.length - rest.length;
      this.#lines[this.#at] = { indent: inner, text: rest, tail: '' };
      items.push(this.#mapping(inner, depth + 1));
    }
    return items;
  }

  /** What stands after a key or a dash of this indentation, or below it. */
  #value(text: string, indent: number, depth: number): Json {
    if (text === '' || text.startsWith('#')) return this.#below(indent, depth);
    const mark = blockMark.exec(text);
    if (mark) return this.#block(indent, mark[1] === '>', mark[2] !== '');
    if (/^[[{]/.test(text)) return flow(text);
    if (/^['"]/.test(text)) return quoted(text);
    const lines = [text];
    for (let line = this.#lines[this.#at]; line && !isEmpty(line); line = this.#lines[this.#at]) {
      if (line.indent <= indent) break;
      lines.push(line.text);
      this.#at += 1;
    }
    return lines.length === 1 ? plain(text) : folded(lines);
  }

  #below(indent: number, depth: number): Json {
    const line = this.#peek();
    if (!line) return null;
    // A list may stand at the indentation of its key.
    if (isItem(line.text) && line.indent >= indent) return this.#list(line.indent, depth + 1);
    return line.indent > indent ? this.#mapping(line.indent, depth + 1) : null;
  }

  #block(indent: number, fold: boolean, strip: boolean): string {
    const lines: Line[] = [];
    for (let line = this.#lines[this.#at]; line; line = this.#lines[this.#at]) {
      if (line.text !== '' && line.indent <= indent) break;
      lines.push(line);
      this.#at += 1;
    }
    const inner = lines.find(({ text }) => text !== '')?.indent ?? 0;
    const texts = lines.map((line) => {
      if (line.text === '') return '';
      if (line.indent < inner) throw new Unreadable();
      return ' '.repeat(line.indent - inner) + line.text + line.tail;
    });
    const end = texts.findLastIndex((text) => text !== '') + 1;
    if (end > 0 && texts[0] === '') throw new Unreadable();
    const body = fold ? foldBlock(texts.slice(0, end)) : texts.slice(0, end).join('\n');
    return strip || end === 0 ? body : `${body}\n`;
  }
}

/** A line that is indented with tabs belongs nowhere. */
function toLine(source: string): Line {
  const rest = source.trimStart();
  const text = rest.trimEnd();
  const blanks = source.slice(0, source.length - rest.length);
  const indent = blanks.includes('\t') && text !== '' ? -1 : blanks.length;
  return { indent, text, tail: rest.slice(text.length) };
}

function isEmpty(line: Line | undefined): boolean {
  return line !== undefined && (line.text === '' || line.text.startsWith('#'));
}

function isItem(text: string): boolean {
  return text === '-' || text.startsWith('- ');
}

function withoutComment(text: string): string {
  return text.replace(/[ \t]#.*$/, '').trimEnd();
}

/** A plain text over several lines: one space for each break; a comment would end it. */
function folded(lines: string[]): string {
  if (lines.some((line) => /:(?:[ \t]|$)|[ \t]#/.test(line))) throw new Unreadable();
  assertPlain(lines[0] ?? '');
  return lines.join(' ');
}

/** Single breaks become spaces, an empty line a break; deeper lines stay as they are. */
function foldBlock(lines: string[]): string {
  let text = lines[0] ?? '';
  let breaks = 0;
  for (const line of lines.slice(1)) {
    if (line === '') {
      breaks += 1;
      continue;
    }
    if (/^[ \t]/.test(line)) throw new Unreadable();
    text += (breaks > 0 ? '\n'.repeat(breaks) : ' ') + line;
    breaks = 0;
  }
  return text;
}

function assertPlain(text: string): void {
  if (/^[&*!|>%`,\]}]|^[?:-](?:[ \t]|$)/.test(text)) throw new Unreadable();
}

function plain(source: string): Json {
  const text = withoutComment(source);
  assertPlain(text);
  if (/:(?:[ \t]|$)/.test(text)) throw new Unreadable();
  if (/^(?:~|null|Null|NULL)?$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text)) return Number(text);
  if (/^0x[0-9a-fA-F]+$|^0o[0-7]+$/.test(text)) return Number(text);
  if (/^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/.test(text)) throw new Unreadable();
  return text;
}

function quoted(source: string): string {
  const match = /^(?:'((?:[^']|'')*)'|("(?:[^"\\]|\\.)*"))[ \t]*(?:#.*)?$/.exec(source);
  if (!match) throw new Unreadable();
  return match[1]?.replaceAll("''", "'") ?? unquote(match[2] ?? '');
}

/** The escapes of a double-quoted text that JSON has too. */
function unquote(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new Unreadable();
  }
}

/** JSON, or a list on one line; its texts may be plain as long as they are simple. */
function flow(source: string): Json {
  const json = parseJson(source) ?? parseJson(withoutComment(source));
  if (json !== undefined) return json;
  const text = withoutComment(source);
  const inner = text.slice(1, -1).trim();
  if (text.startsWith('{') || !text.endsWith(']')) throw new Unreadable();
  if (inner === '') return [];
  const items: Json[] = [];
  const item = /[ \t]*('(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[^,'"[\]{}]+)[ \t]*(,|$)/y;
  while (item.lastIndex < inner.length) {
    const found = item.exec(inner)?.[1]?.trim();
    if (found === undefined || found === '') throw new Unreadable();
    items.push(/^['"]/.test(found) ? quoted(found) : plain(found));
  }
  return items;
}
