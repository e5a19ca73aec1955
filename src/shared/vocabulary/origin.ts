import { z } from 'zod';
import { truncate } from '../text/text.ts';

const short = z.string();
/** Servers choose their names themselves; this much is shown of one. */
const maxNameChars = 200;

/** Where untrusted words came from, and where they were kept until they were read again. */
export const originSchema = z.object({
  /** What said them: a tool, a resource or a prompt of a server, the vendor of a model, an imported file, a program that uses Cerise; or nobody knows. */
  from: z.enum(['tool', 'resource', 'vendor', 'import', 'program', 'unknown']),
  serverId: short.optional(),
  serverName: short.optional(),
  toolName: short.optional(),
  /** The host that the arguments of the call named. */
  host: short.optional(),
  /** The conversation and the answer in which they were read. */
  topicId: short.optional(),
  answerId: short.optional(),
  at: z.number().optional(),
  /** Where they were read from again: an entity, a file, a server that kept them. */
  kept: z.object({ place: z.enum(['memory', 'files', 'server']), name: short }).optional(),
});
export type Origin = z.infer<typeof originSchema>;
/** Something that cannot be read is untrusted all the same. */
export const originsSchema = z.array(originSchema.catch({ from: 'unknown' })).max(1000);

/** Under which name origins go to built-in servers and come back, in the `_meta` of MCP. */
export const originsKey = 'dev.cerise/origins';

/** Of many sources these are enough to tell a person where to look. */
const maxOrigins = 5;

/** Each source once, a few of them at most. */
export function mergeOrigins(...lists: readonly (readonly Origin[])[]): Origin[] {
  const seen = new Map<string, Origin>();
  for (const origin of lists.flat()) {
    const { from, serverId, toolName, host, topicId, kept } = origin;
    const key = JSON.stringify([from, serverId, toolName, host, topicId, kept?.place, kept?.name]);
    if (!seen.has(key)) seen.set(key, origin);
    if (seen.size === maxOrigins) break;
  }
  return [...seen.values()];
}

/** The same words, read again from where they were kept. */
export function originsFrom(
  origins: readonly Origin[],
  place: NonNullable<Origin['kept']>['place'],
  name: string,
): Origin[] {
  return origins.map((origin) => ({
    ...origin,
    kept: { place, name: truncate(name, maxNameChars) },
  }));
}

/** Reads what `_meta` holds. Something that cannot be read is untrusted all the same. */
export function readOrigins(value: unknown): Origin[] {
  if (value === undefined) return [];
  const parsed = z.array(originSchema).safeParse(value);
  return parsed.success ? mergeOrigins(parsed.data) : [{ from: 'unknown' }];
}

/** An origin whose names are short enough to be kept with every word it brought. */
export function newOrigin(origin: Origin): Origin {
  const cut = Object.entries(origin).map(([field, value]) => [
    field,
    typeof value === 'string' ? truncate(value, maxNameChars) : value,
  ]);
  return Object.fromEntries(cut.filter(([, value]) => value !== undefined)) as Origin;
}
