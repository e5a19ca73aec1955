/**
 * What a tool said of itself when it was pinned, as a hash with its version: `2:FIRST:REST`. `FIRST` is
 * the whole hash of version 1 (name, words, schemas, hints), `REST` covers what version 2 added. A pin of
 * version 1 is `FIRST` alone.
 */
export function pinHash(first: string, rest: string): string {
  return `2:${first}:${rest}`;
}

/** The hash as version 1 made it, which programs of that version compare. */
export function firstHash(hash: string): string {
  return /^2:([^:]*):/.exec(hash)?.[1] ?? hash;
}

/** Whether a definition is what was pinned; a pin of version 1 says nothing of what came later. */
export function isPinnedAs(pin: string, hash: string): boolean {
  return pin === hash || isOutdated(pin, hash);
}

/** Whether the pin is of version 1 and the definition the same as far as that tells. */
export function isOutdated(pin: string, hash: string): boolean {
  return pin !== hash && pin === firstHash(hash);
}
