import { isAhead } from '#shared/async/clock.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import { vendors } from '../vendors/vendors.ts';
import { fetchJson } from './model-list-fetch.ts';

/** In all, for every place at once. */
const lookTimeoutMs = 2_000;
const freshMs = 5 * 60_000;

/** Where a local model server may be. */
export interface LocalPlace {
  /** The vendor that listens there as a rule. */
  kind: string;
  baseUrl: string;
}

/** A local model server that answered. */
export interface LocalServer extends LocalPlace {
  /** Unique among the found ones. */
  name: string;
}

/** The usual ports of the servers that people run on their own machine. */
export const usualPlaces: readonly LocalPlace[] = vendors.flatMap(({ name, baseUrl, ports }) =>
  ports && baseUrl ? [{ kind: name, baseUrl }] : [],
);

/** What is known of local servers. Looks once in five minutes, when somebody wants to know. */
export interface LocalServers {
  /** Never fails, and takes 2 s at most. */
  found(): Promise<LocalServer[]>;
  /** Looks again now. */
  look(): Promise<LocalServer[]>;
}

/** Looks for servers at the given places; none: never looks. */
export function createLocalServers(
  places: readonly LocalPlace[],
  now: () => number = Date.now,
): LocalServers {
  let last: { until: number; servers: Promise<LocalServer[]> } | undefined;
  function look(): Promise<LocalServer[]> {
    const servers = findLocalServers(places);
    last = { until: now() + freshMs, servers };
    return servers;
  }
  const isFresh = (until: number) => until > now() && !isAhead(until - freshMs, now());
  return { look, found: () => (last && isFresh(last.until) ? last.servers : look()) };
}

async function findLocalServers(places: readonly LocalPlace[]): Promise<LocalServer[]> {
  const signal = AbortSignal.timeout(lookTimeoutMs);
  const kinds = await Promise.all(places.map((place) => identify(place, signal)));
  const names = new Set<string>();
  return places.flatMap(({ baseUrl }, index) => {
    const kind = kinds[index];
    if (kind === undefined) return [];
    const name = names.has(kind) ? `${kind}-${new URL(baseUrl).port}` : kind;
    names.add(name);
    return [{ name, kind, baseUrl }];
  });
}

/** Who is there; undefined if nobody is, or something that is no model server. */
async function identify(
  { kind, baseUrl }: LocalPlace,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const body = await fetchJson({ kind, baseUrl, signal }, '/models');
    if (!isModelList(body)) return undefined;
    return kindByOwner(body) ?? kind;
  } catch {
    // Nobody there, or nobody we can talk with: the usual case.
    return undefined;
  }
}

function isModelList(body: unknown): boolean {
  if (!isJsonObject(body)) return false;
  const { object, data, models } = body;
  // Ollama without a model says `null`.
  return Array.isArray(data) || Array.isArray(models) || (object === 'list' && data === null);
}

/** Ports are shared; some servers sign their models. */
function kindByOwner(body: unknown): string | undefined {
  const { data } = isJsonObject(body) ? body : {};
  const first = Array.isArray(data) ? data[0] : undefined;
  const owner = isJsonObject(first) ? first['owned_by'] : undefined;
  return typeof owner === 'string' ? owners[owner] : undefined;
}

const owners: Readonly<Record<string, string>> = {
  vllm: 'vllm',
  llamacpp: 'llama.cpp',
  sglang: 'sglang',
  koboldcpp: 'koboldcpp',
};
