import { z } from 'zod';
import { guardedFetch } from '#mcp/builtin/web/guarded-fetch.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { offeredEntries } from './copied-entry.ts';

const maxPages = 300;
const maxEntries = 20_000;
const pageSize = 100;
const pageBytes = 5 * 1024 ** 2;
const pageTimeMs = 20_000;
const wholeTimeMs = 180_000;

const pageSchema = z.looseObject({
  servers: z.array(z.unknown()).max(1000),
  metadata: z.looseObject({ nextCursor: z.string().max(4096).nullish() }).nullish(),
});

/**
 * Everything that a registry lists, page by page, within bounds. Each page is awaited, so that other work gets its
 * turn. Throws CeriseError.
 */
export async function fetchRegistry(
  base: string,
  allow: readonly string[],
  signal: AbortSignal,
): Promise<JsonObject[][]> {
  const { host } = new URL(base);
  const whole = AbortSignal.any([signal, AbortSignal.timeout(wholeTimeMs)]);
  const pages: JsonObject[][] = [];
  const seen = new Set<string>();
  let [cursor, count] = ['', 0];
  do {
    const url = pageAddress(base, cursor);
    const most = { bytes: pageBytes, timeMs: pageTimeMs };
    const { body } = await guardedFetch({ url, allow, signal: whole, most });
    const page = readPage(body, host);
    const kept = offeredEntries(page.servers);
    pages.push(kept);
    count += kept.length;
    cursor = page.metadata?.nextCursor ?? '';
    if (cursor !== '' && seen.has(cursor)) throw repeats(host);
    seen.add(cursor);
    if (pages.length >= maxPages || count > maxEntries) throw tooMany(host);
  } while (cursor !== '');
  return pages;
}

function pageAddress(base: string, cursor: string): string {
  const url = new URL(`${base.replace(/\/+$/, '')}/v0.1/servers`);
  url.searchParams.set('version', 'latest');
  url.searchParams.set('limit', String(pageSize));
  if (cursor !== '') url.searchParams.set('cursor', cursor);
  return url.href;
}

function readPage(body: Uint8Array, host: string): z.output<typeof pageSchema> {
  try {
    const parsed = pageSchema.safeParse(JSON.parse(new TextDecoder().decode(body)));
    if (parsed.success) return parsed.data;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CeriseError(
    'http_error',
    say('registry-unreadable')`${host} didn't respond with a list of servers.`,
    { hint: say('registry-unreadable-hint')`Check the URL of this registry.` },
  );
}

function repeats(host: string): CeriseError {
  return new CeriseError(
    'http_error',
    say('registry-repeats')`${host} keeps sending the same page.`,
  );
}

function tooMany(host: string): CeriseError {
  return new CeriseError(
    'result_too_large',
    say('registry-too-many')`${host} lists more than ${maxEntries} servers.`,
  );
}
