import { z } from 'zod';
import { guardedFetch } from '#mcp/builtin/web/guarded-fetch.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { isCrowdedJson, type JsonObject } from '#shared/vocabulary/json.ts';
import { offeredEntries } from './copied-entry.ts';

const maxPages = 300;
const maxEntries = 20_000;
const pageSize = 100;
const pageBytes = 5 * 1024 ** 2;
const fileBytes = 10 * 1024 ** 2;
const wholeBytes = 100 * 1024 ** 2;
/** The objects, lists and fields of a file: of 20,000 entries 20 each. */
const fileParts = 400_000;
const pageTimeMs = 20_000;
const wholeTimeMs = 180_000;

/** Where to fetch from, and the private addresses that may be reached. */
export interface RegistryAddress {
  url: string;
  allow: readonly string[];
}

const pageSchema = z.looseObject({
  servers: z.array(z.unknown()).max(1000),
  metadata: z.looseObject({ nextCursor: z.string().max(4096).nullish() }).nullish(),
});

/**
 * Everything that a registry lists, page by page, within limits. Other work gets its turn between pages. A URL that
 * ends in `.json` is a file with everything. Throws CeriseError.
 */
export async function fetchRegistry(
  address: RegistryAddress,
  signal: AbortSignal,
): Promise<JsonObject[][]> {
  const { host } = new URL(address.url);
  if (isFile(address.url)) {
    const most = { bytes: fileBytes, timeMs: pageTimeMs };
    const { body } = await guardedFetch({ ...address, signal, most }).catch(asLate(host));
    return readRegistryFile(new TextDecoder().decode(body), host);
  }
  const time = AbortSignal.timeout(wholeTimeMs);
  const whole = AbortSignal.any([signal, time]);
  const pages: JsonObject[][] = [];
  const seen = new Set<string>();
  let [cursor, count, bytes] = ['', 0, 0];
  do {
    const { page, size } = await fetchPage(address, cursor, whole).catch((error: unknown) => {
      throw time.aborted && !signal.aborted ? late(host, wholeTimeMs) : error;
    });
    const kept = offeredEntries(page.servers);
    pages.push(kept);
    count += kept.length;
    bytes += size;
    if (bytes > wholeBytes) throw tooLarge(host);
    cursor = page.metadata?.nextCursor ?? '';
    if (cursor !== '' && seen.has(cursor)) throw repeats(host);
    seen.add(cursor);
    if (count > maxEntries) throw tooMany(host);
    if (pages.length >= maxPages) throw repeats(host);
  } while (cursor !== '');
  return pages;
}

/** All versions of an entry from its registry, or just one; not validated yet. */
export async function fetchVersions(
  address: RegistryAddress,
  { name, version }: { name: string; version?: string },
  signal: AbortSignal,
): Promise<unknown[]> {
  const path = `servers/${encodeURIComponent(name)}/versions`;
  const one = version === undefined ? '' : `/${encodeURIComponent(version)}`;
  const url = `${baseOf(address.url)}/v0.1/${path}${one}`;
  const most = { bytes: pageBytes, timeMs: pageTimeMs };
  const { host } = new URL(url);
  const { body } = await guardedFetch({ url, allow: address.allow, signal, most }).catch(
    asLate(host),
  );
  return version === undefined ? readPage(body, host).servers : [readJson(body, host)];
}

/** The entries of a JSON file: a page of a registry, a list of servers, or one server. Throws `http_error`. */
export function readRegistryFile(text: string, from: string): JsonObject[][] {
  const value = parse(text, from, fileParts);
  const { servers = value } = (value ?? {}) as { servers?: unknown };
  const entries = offeredEntries(Array.isArray(servers) ? servers : [servers]);
  if (entries.length === 0) throw unreadable(from);
  if (entries.length > maxEntries) throw tooMany(from);
  const count = Math.ceil(entries.length / pageSize);
  return Array.from({ length: count }, (_, page) =>
    entries.slice(page * pageSize, (page + 1) * pageSize),
  );
}

/** Whether a URL is that of a file instead of a registry. */
export function isFile(url: string): boolean {
  return new URL(url).pathname.endsWith('.json');
}

async function fetchPage({ url, allow }: RegistryAddress, cursor: string, signal: AbortSignal) {
  const page = new URL(`${baseOf(url)}/v0.1/servers`);
  page.searchParams.set('version', 'latest');
  page.searchParams.set('limit', String(pageSize));
  if (cursor !== '') page.searchParams.set('cursor', cursor);
  const most = { bytes: pageBytes, timeMs: pageTimeMs };
  const { body } = await guardedFetch({ url: page.href, allow, signal, most }).catch(
    asLate(page.host),
  );
  return { page: readPage(body, page.host), size: body.length };
}

function baseOf(url: string): string {
  return url.replace(/\/+$/, '');
}

function readPage(body: Uint8Array, host: string): z.output<typeof pageSchema> {
  const parsed = pageSchema.safeParse(readJson(body, host));
  if (parsed.success) return parsed.data;
  throw unreadable(host);
}

function readJson(body: Uint8Array, host: string): unknown {
  return parse(new TextDecoder().decode(body), host);
}

function parse(text: string, from: string, parts?: number): unknown {
  if (isCrowdedJson(text, parts)) throw unreadable(from);
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw unreadable(from);
  }
}

function unreadable(from: string): CeriseError {
  return new CeriseError(
    'http_error',
    say('registry-unreadable')`${from} didn't respond with a list of servers.`,
    { hint: say('registry-unreadable-hint')`Check the URL of this registry.` },
  );
}

/** A registry that is late is no page that is. */
function asLate(host: string): (error: unknown) => never {
  return (error) => {
    const isLate = error instanceof CeriseError && error.code === 'timed_out';
    throw isLate ? late(host, pageTimeMs) : error;
  };
}

function late(host: string, ms: number): CeriseError {
  return new CeriseError(
    'timed_out',
    say('registry-late')`${host} didn't send its list of servers within ${ms / 1000} s.`,
  );
}

function repeats(host: string): CeriseError {
  return new CeriseError(
    'http_error',
    say('registry-repeats')`The list of servers from ${host} doesn't end.`,
  );
}

function tooLarge(host: string): CeriseError {
  return new CeriseError(
    'result_too_large',
    say(
      'registry-too-large',
    )`The list of servers from ${host} is larger than ${wholeBytes / 1024 ** 2} MiB.`,
  );
}

function tooMany(host: string): CeriseError {
  return new CeriseError(
    'result_too_large',
    say('registry-too-many')`${host} lists more than ${maxEntries} servers.`,
  );
}
