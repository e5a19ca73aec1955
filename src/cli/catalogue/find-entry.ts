import type { Client } from '#client/client.ts';
import type { RegistryEntry } from '#shared/api/registry-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { nearestNames } from '#shared/text/nearest-names.ts';

/** `NAME@VERSION` or `NAME`; the name itself may begin with `@`. */
export function splitVersion(word: string): { name: string; version?: string } {
  const at = word.lastIndexOf('@');
  return at > 0 ? { name: word.slice(0, at), version: word.slice(at + 1) } : { name: word };
}

/**
 * The one entry of the catalogue of this name, or the only one whose last part or title it is. Throws `not_found`, and
 * `conflict` where several registries have it.
 */
export async function findEntry(
  client: Client,
  name: string,
  registry: string | undefined,
): Promise<RegistryEntry> {
  const { entries } = await client.registry.search({
    search: name,
    limit: 200,
    ...(registry !== undefined && { registry }),
  });
  const wanted = name.toLowerCase();
  const exact = entries.filter((entry) => entry.name === name);
  const close = entries.filter(
    (entry) => entry.title.toLowerCase() === wanted || lastPart(entry.name) === wanted,
  );
  const [first, second] = exact.length > 0 ? exact : close;
  if (!first) throw notFound(name, entries);
  if (!second) return first;
  throw new CeriseError(
    'conflict',
    say('cli-several-entries')`Several catalogue entries match ${name}.`,
    {
      hint: say(
        'cli-several-entries-hint',
      )`Use a full name, or add --registry ID: ${(exact.length > 0 ? exact : close).map((each) => `${each.name} (${each.registry})`).join(', ')}`,
    },
  );
}

function lastPart(name: string): string {
  return (name.split('/').at(-1) ?? name).toLowerCase();
}

function notFound(name: string, entries: readonly RegistryEntry[]): CeriseError {
  const near = nearestNames(
    name,
    entries.map((entry) => entry.name),
  );
  return new CeriseError(
    'not_found',
    say('cli-no-entry')`The catalogue has no server named ${name.slice(0, 200)}.`,
    {
      hint:
        near.length > 0
          ? say('cli-similar')`Similar: ${near.join(', ')}.`
          : say('cli-no-entry-hint')`To search, run: cerise mcp search WORDS`,
    },
  );
}
