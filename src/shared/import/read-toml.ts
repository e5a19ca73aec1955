import type { Json, JsonObject } from '../vocabulary/json.ts';

/** Deeper than any list of servers. */
const maxDepth = 16;

/**
 * Reads the part of TOML that settings of servers are written in: tables, strings, numbers, lists and inline tables.
 * Undefined for anything else.
 */
export function readToml(text: string): JsonObject | undefined {
  if (!/^\s*(?:#.*\s+)*\[[\w."' -]+\]\s*(?:#.*)?$/m.test(text.slice(0, 10_000))) return undefined;
  const reader = new TomlReader(text);
  return reader.read();
}

/** Thrown where the text is not what can be read here. */
class NotToml extends Error {}

class TomlReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.replaceAll('\r\n', '\n');
  }

  read(): JsonObject | undefined {
    try {
      const root: JsonObject = {};
      let table = root;
      for (this.#skip(); this.#at < this.#text.length; this.#skip()) {
        if (this.#take(/\[/y)) {
          table = tableAt(root, this.#keys());
          this.#need(/\]/y);
        } else this.#pair(table);
        this.#need(/[ \t]*(?:#[^\n]*)?(?:\n|$)/y);
      }
      return root;
    } catch (error) {
      if (error instanceof NotToml) return undefined;
      throw error;
    }
  }

  #pair(table: JsonObject, depth = 0): void {
    const path = this.#keys();
    this.#need(/[ \t]*=[ \t]*/y);
    const last = path.pop() ?? '';
    put(tableAt(table, path), last, this.#value(depth));
  }

  #keys(): string[] {
    const keys: string[] = [];
    do {
      this.#take(/[ \t]+/y);
      keys.push(this.#take(/[\w-]+/y) ?? this.#string() ?? '');
      this.#take(/[ \t]+/y);
    } while (this.#take(/\./y));
    return keys;
  }

  #value(depth: number): Json {
    if (depth > maxDepth) throw new NotToml();
    const text = this.#string();
    if (text !== undefined) return text;
    if (this.#take(/\[/y)) return this.#list(depth);
    if (this.#take(/\{/y)) return this.#inlineTable(depth);
    const word = this.#need(/(?:true|false|[+-]?\d[\d_]*(?:\.\d+)?)(?=[\s,\]}#]|$)/y);
    if (word === 'true' || word === 'false') return word === 'true';
    return Number(word.replaceAll('_', ''));
  }

  #list(depth: number): Json[] {
    const items: Json[] = [];
    for (this.#skip(); !this.#take(/\]/y); this.#skip()) {
      items.push(this.#value(depth + 1));
      this.#skip();
      if (this.#take(/,/y)) continue;
      this.#need(/\]/y);
      break;
    }
    return items;
  }

  #inlineTable(depth: number): JsonObject {
    const table: JsonObject = {};
    for (this.#skip(); !this.#take(/\}/y); this.#skip()) {
      this.#pair(table, depth + 1);
      this.#skip();
      if (this.#take(/,/y)) continue;
      this.#need(/\}/y);
      break;
    }
    return table;
  }

  #string(): string | undefined {
    const literal = this.#take(/'[^'\n]*'/y);
    if (literal !== undefined) return literal.slice(1, -1);
    const basic = this.#take(/"(?:[^"\\\n]|\\.)*"/y);
    if (basic === undefined) return undefined;
    try {
      return JSON.parse(basic) as string;
    } catch {
      throw new NotToml();
    }
  }

  /** Blanks, ends of lines and comments. */
  #skip(): void {
    this.#take(/(?:\s+|#[^\n]*)*/y);
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #need(pattern: RegExp): string {
    const found = this.#take(pattern);
    if (found === undefined) throw new NotToml();
    return found;
  }
}

function tableAt(from: JsonObject, path: readonly string[]): JsonObject {
  if (path.length > maxDepth) throw new NotToml();
  let table = from;
  for (const key of path) {
    if (!Object.hasOwn(table, key)) put(table, key, {});
    const next = table[key];
    if (typeof next !== 'object' || next === null || Array.isArray(next)) throw new NotToml();
    table = next;
  }
  return table;
}

/** A key may be any word, also one that objects have a meaning for. */
function put(table: JsonObject, key: string, value: Json): void {
  Object.defineProperty(table, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
