/**
 * Text as both databases can keep it: NUL is refused by PostgreSQL and lone surrogates by UTF-8, so
 * both become U+FFFD, one code unit for one, and offsets stay true.
 */
export function sanitiseText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole;
}

/** Whether what `JSON.stringify` made holds NUL or lone surrogates, which it writes as escapes. */
export function hasUnsafeEscape(json: string): boolean {
  return /\\u(?:0000|d[89a-f])/.test(json);
}

/** A copy of a JSON value with every string inside sanitised, keys included. */
export function sanitiseJson<T>(value: T): T {
  return parseSanitised(JSON.stringify(value)) as T;
}

/** The value of what `JSON.stringify` made, sanitised. */
export function parseSanitised(json: string): unknown {
  if (!hasUnsafeEscape(json)) return JSON.parse(json);
  return JSON.parse(json, (_key, inner: unknown) => {
    if (typeof inner === 'string') return sanitiseText(inner);
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    const keys = Object.keys(inner);
    if (keys.every((key) => sanitiseText(key) === key)) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([key, item]) => [sanitiseText(key), item]),
    );
  });
}

/** What is shown in the place of a secret; sent back, it means: unchanged. */
export const hiddenSecret = '•••';

/** At most `max` characters, cut at a whole character, with an ellipsis when something was cut. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Words of others as a sentence, so that another one can follow. */
export function asSentence(words: string): string {
  return /[.!?…。！？]$/.test(words) ? words : `${words}.`;
}

/** Code points, as JSON Schema counts. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
