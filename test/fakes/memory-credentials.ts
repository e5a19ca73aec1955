import { KeyedQueue } from '#shared/async/keyed-queue.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { CredentialPlace, CredentialPort } from '#shared/vocabulary/ports.ts';

interface Entry {
  place: CredentialPlace;
  value: JsonObject;
  expiresAt: number | undefined;
}

/** Credentials that end with the process, in place of the store. */
export function createMemoryCredentials(now: () => number = Date.now): CredentialPort {
  const entries = new Map<string, Entry>();
  const queue = new KeyedQueue();
  const alive = ({ expiresAt }: Entry): boolean => expiresAt === undefined || expiresAt > now();
  const read = async (place: CredentialPlace): Promise<JsonObject | undefined> => {
    const entry = entries.get(keyOf(place));
    return entry && alive(entry) ? structuredClone(entry.value) : undefined;
  };
  return {
    read,
    async write(place, value, expiresAt) {
      entries.set(keyOf(place), { place, value: structuredClone(value), expiresAt });
    },
    async take(place) {
      const value = read(place);
      entries.delete(keyOf(place));
      return await value;
    },
    async locateFlow(name) {
      const found = entries
        .values()
        .find((entry) => entry.place.kind === 'flow' && entry.place.name === name && alive(entry));
      return found?.place;
    },
    async list(of) {
      const found = [...entries.values()].filter((entry) => fits(entry.place, of) && alive(entry));
      return found.map(({ place }) => place);
    },
    async remove(of) {
      for (const [key, { place }] of entries) if (fits(place, of)) entries.delete(key);
    },
    exclusive: (of, work) => queue.run(JSON.stringify([of.owner, of.serverId]), work),
  };
}

function keyOf({ owner, serverId, kind, name }: CredentialPlace): string {
  return JSON.stringify([owner, serverId, kind, name]);
}

function fits(place: CredentialPlace, of: Partial<CredentialPlace>): boolean {
  const names = ['owner', 'serverId', 'kind', 'name'] as const;
  return names.every((name) => of[name] === undefined || of[name] === place[name]);
}
