import { z } from 'zod';
import type { RegistryEntry } from '#shared/api/registry-api.ts';
import { registryServerSchema } from '#shared/import/registry-server.ts';
import { plainLine } from '#shared/text/plain-line.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';

/** An entry of a copied registry: how it is shown, its searchable text, and its original JSON. */
export interface CopiedEntry {
  view: RegistryEntry;
  words: string;
  server: JsonObject;
}

const maxEntryChars = 100_000;
const official = 'io.modelcontextprotocol.registry/official';
const webAddressSchema = z.url({ protocol: /^https$/ }).max(2000);
const serverName = /^[\w.@-]+(?:\/[\w.@-]+)*$/;

/** The usable entries of a page: readable, not deleted, and the latest of their name. */
export function offeredEntries(servers: readonly unknown[]): JsonObject[] {
  return servers.filter(
    (each): each is JsonObject =>
      isJsonObject(each) &&
      toCopied('', each) !== undefined &&
      JSON.stringify(each).length <= maxEntryChars,
  );
}

/** Reads an entry of a list; undefined if it is unreadable or no longer offered. */
export function toCopied(registry: string, entry: unknown): CopiedEntry | undefined {
  return factsOf(entry).isLatest === false ? undefined : toVersion(registry, entry);
}

/** The same for any version of an entry. */
export function toVersion(registry: string, entry: unknown): CopiedEntry | undefined {
  if (!isJsonObject(entry)) return undefined;
  const server = isJsonObject(entry.server) ? entry.server : entry;
  const { status, statusMessage, publishedAt } = factsOf(entry);
  if (status === 'deleted') return undefined;
  const parsed = registryServerSchema.safeParse(server);
  if (!parsed.success || !serverName.test(parsed.data.name)) return undefined;
  const { name, title = '', description = '', version = '', packages, remotes } = parsed.data;
  const { websiteUrl, repository } = server;
  const website = webAddress(websiteUrl);
  const source = webAddress(isJsonObject(repository) ? repository.url : undefined);
  const view: RegistryEntry = {
    registry,
    name,
    title: plainLine(title, 200) || name,
    description: plainLine(description, 2000),
    version: plainLine(version, 256),
    status: status === 'deprecated' ? 'deprecated' : 'active',
    ...(typeof statusMessage === 'string' && { statusMessage: plainLine(statusMessage, 500) }),
    ...timeOf(publishedAt),
    kinds: [
      ...new Set([
        ...packages.map((each) => each.registryType),
        ...remotes.map(({ type }) => type),
      ]),
    ],
    ...(website && { website }),
    ...(source && { repository: source }),
  };
  return { view, words: `${view.title} ${view.description}`.toLowerCase(), server };
}

/** The registry's own metadata of an entry. */
function factsOf(entry: unknown): JsonObject {
  const meta = isJsonObject(entry) && isJsonObject(entry._meta) ? entry._meta[official] : undefined;
  return isJsonObject(meta) ? meta : {};
}

function timeOf(text: unknown): { publishedAt?: number } {
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isFinite(at) ? { publishedAt: at } : {};
}

function webAddress(value: unknown): string | undefined {
  return webAddressSchema.safeParse(value).data;
}

/** Matching entries, best first: every word must occur, and counts more in the name than in the description. */
export function ranked(entries: readonly CopiedEntry[], search: string): RegistryEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);
  const seen = new Set<string>();
  return (
    entries
      .map(({ view, words: text }) => ({ view, score: scoreOf(view, text, words) }))
      .filter(({ score }) => score >= 0)
      // A file may have several versions of one name: only the first is listed.
      .filter(({ view }) => isNew(seen, `${view.registry} ${view.name}`))
      .toSorted((a, b) => b.score - a.score)
      .map(({ view }) => view)
  );
}

function isNew(seen: Set<string>, key: string): boolean {
  return seen.size < seen.add(key).size;
}

/** Negative where a word is missing. */
function scoreOf(view: RegistryEntry, text: string, words: readonly string[]): number {
  const name = view.name.toLowerCase();
  const title = view.title.toLowerCase();
  let score = view.status === 'deprecated' ? 0 : 1;
  for (const word of words) {
    const last = name.split('/').at(-1) ?? name;
    if (name === word || last === word || title === word) score += 20;
    else if (title.includes(word)) score += 8;
    else if (name.includes(word)) score += 6;
    else if (text.includes(word)) score += 2;
    else return -1;
  }
  return score;
}
