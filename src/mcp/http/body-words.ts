import { isJsonObject } from '#shared/vocabulary/json.ts';

const maxChars = 300;
const fields = ['message', 'error_description', 'detail', 'title', 'error', 'reason', 'msg'];

/** What the body of a refusal says in words, on one line; undefined if it has none. Pure. */
export function bodyWords(text: string): string | undefined {
  const trimmed = text.trim();
  const words = /^[{[]/.test(trimmed) ? jsonWords(trimmed) : plainWords(trimmed);
  const line = words
    ?.replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, maxChars);
  return line || undefined;
}

function jsonWords(text: string): string | undefined {
  try {
    return findWords(JSON.parse(text), 0);
  } catch {
    // Only the beginning of a body is kept: what looks like a message in it has to do.
    return /"(?:message|detail|error_description|error)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  }
}

function findWords(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value;
  if (depth > 3) return undefined;
  if (Array.isArray(value)) return findWords(value[0], depth + 1);
  if (!isJsonObject(value)) return undefined;
  for (const field of fields) {
    const words = findWords(value[field], depth + 1);
    if (words) return words;
  }
  return undefined;
}

/** Of a page only its title. */
function plainWords(text: string): string | undefined {
  if (!text.startsWith('<')) return text;
  return /<title>([^<]*)<\/title>/i.exec(text)?.[1];
}
