import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { boundsProblem } from '../schema/json-bounds.ts';
import type { CacheHints, McpIcon } from './types.ts';

/** Told what was left out of an answer, in a sentence for the server's log. */
export type Note = (text: string) => void;

const metaBounds = { depth: 50, nodes: 5000 };
const maxIconChars = 64 * 1024;
const maxIcons = 16;

/** The object an answer has to be; throws CeriseError `unreadable_response` otherwise. */
export function readAnswer(value: unknown, method: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw unreadable(method, say('no-object')`something that isn't an object`);
}

/** The list an answer has to hold under that name. */
export function readList(answer: JsonObject, field: string, method: string): unknown[] {
  const list = answer[field];
  if (Array.isArray(list)) return list;
  throw unreadable(method, say('no-list-of')`no list of ${field}`);
}

function unreadable(method: string, problem: Words): CeriseError {
  return new CeriseError(
    'unreadable_response',
    say('answered-with')`The server responded to ${method} with ${problem}.`,
    {
      hint: say(
        'not-the-protocol',
      )`The server doesn't follow the protocol. Look for a newer version of it.`,
    },
  );
}

/** A text, if it is one; a longer one is cut. */
export function readText(value: unknown, longest: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value.length > longest ? value.slice(0, longest) : value;
}

/** A name or address: a text that is neither empty nor too long to be one. */
export function readName(value: unknown, longest: number): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined;
}

/** A server's own data about a thing, where it is an object of sensible size. */
export function readMeta(value: unknown): JsonObject | undefined {
  if (!isJsonObject(value) || boundsProblem(value, metaBounds)) return undefined;
  return value;
}

/** The pictures that may be shown. */
export function readIcons(value: unknown): McpIcon[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const icons = value.slice(0, maxIcons).flatMap((entry): McpIcon[] => {
    if (!isJsonObject(entry)) return [];
    const src = readName(entry.src, maxIconChars);
    if (src === undefined || !/^(?:https:\/\/|data:image\/)/i.test(src)) return [];
    const { mimeType, sizes, theme } = entry;
    return [
      {
        src,
        ...(typeof mimeType === 'string' && { mimeType: mimeType.slice(0, 255) }),
        ...(Array.isArray(sizes) && { sizes: sizes.filter(isSize).slice(0, maxIcons) }),
        ...((theme === 'light' || theme === 'dark') && { theme }),
      },
    ];
  });
  return icons.length > 0 ? icons : undefined;
}

function isSize(value: unknown): value is string {
  return typeof value === 'string' && /^(?:any|\d{1,5}x\d{1,5})$/.test(value);
}

/** How long an answer may be kept, where the server says so. A scope we do not know is private. */
export function readCacheHints({ ttlMs, cacheScope }: JsonObject): CacheHints | undefined {
  if (typeof ttlMs !== 'number') return undefined;
  return { ttlMs: Math.max(0, ttlMs), cacheScope: cacheScope === 'public' ? 'public' : 'private' };
}
