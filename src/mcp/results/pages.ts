import { readAnswer, readCacheHints, readList, type Note } from './read-json.ts';
import type { CacheHints, Read } from './types.ts';

/** A kind of list that comes in pages: where its entries stand and how one is read. */
export interface ListKind<T> {
  method: string;
  field: string;
  /** Of two entries with the same key the first counts. */
  key: (item: T) => string;
  /** Undefined for an entry that cannot be used; `note` was told why. */
  read: (entry: unknown, note: Note) => T | undefined;
}

interface CollectOptions {
  /** How many entries are taken at most. */
  most: number;
  pages?: number;
  note: Note;
}

const maxPages = 50;
const maxNotes = 20;

/**
 * Every entry of a list, over all pages. Endless or repeating cursors, too many entries and unusable
 * ones end or shorten the list; `note` is told. Throws CeriseError where a page is none at all.
 */
export async function collectPages<T>(
  fetchPage: (cursor: string | undefined) => Promise<unknown>,
  kind: ListKind<T>,
  { most, pages = maxPages, note }: CollectOptions,
): Promise<Read<T[]>> {
  const collection = new Collection(kind, most, note);
  const cursors = new Set<string>();
  let cache: CacheHints | undefined;
  let cursor: string | undefined;
  let isCut = false;
  for (let page = 1; ; page++) {
    const answer = readAnswer(await fetchPage(cursor), kind.method);
    cache = narrower(cache, readCacheHints(answer));
    const room = collection.add(readList(answer, kind.field, kind.method));
    const { nextCursor } = answer;
    isCut ||= !room;
    if (!room || typeof nextCursor !== 'string') break;
    if (cursors.has(nextCursor) || page >= pages) {
      isCut = true;
      note(`The list of ${kind.field} does not end; ${page} pages were read.`);
      break;
    }
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  return { value: collection.end(), ...(isCut && { cut: true as const }), ...cache };
}

/** What holds for all pages: the shortest time and the closest scope. */
function narrower(one: CacheHints | undefined, two: CacheHints | undefined) {
  if (!one || !two) return one ?? two;
  return {
    ttlMs: Math.min(one.ttlMs, two.ttlMs),
    cacheScope: one.cacheScope === 'public' ? two.cacheScope : one.cacheScope,
  };
}

/** The entries so far. A list of nothing but rubbish ends too, and cannot fill the log. */
class Collection<T> {
  readonly #kind: ListKind<T>;
  readonly #most: number;
  readonly #note: Note;
  readonly #items = new Map<string, T>();
  #seen = 0;
  #notes = 0;

  constructor(kind: ListKind<T>, most: number, note: Note) {
    this.#kind = kind;
    this.#most = most;
    this.#note = note;
  }

  /** False once no more entries are taken. */
  add(entries: unknown[]): boolean {
    for (const entry of entries) {
      if (this.#items.size >= this.#most || this.#seen >= 2 * this.#most) {
        this.#note(`Only the first ${this.#items.size} ${this.#kind.field} are used.`);
        return false;
      }
      this.#seen += 1;
      this.#addEntry(entry);
    }
    return true;
  }

  end(): T[] {
    const unsaid = this.#notes - maxNotes;
    if (unsaid > 0) this.#note(`${unsaid} more notes on the ${this.#kind.field} are left out.`);
    return [...this.#items.values()];
  }

  #addEntry(entry: unknown): void {
    const { field, key, read } = this.#kind;
    const item = read(entry, this.#sayFew);
    if (item === undefined) return;
    const name = key(item);
    if (this.#items.has(name)) this.#sayFew(`${name} is listed twice among the ${field}.`);
    else this.#items.set(name, item);
  }

  readonly #sayFew: Note = (text) => {
    this.#notes += 1;
    if (this.#notes <= maxNotes) this.#note(text.slice(0, 500));
  };
}
