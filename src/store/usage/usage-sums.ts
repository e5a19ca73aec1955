import { type Selectable, sql } from 'kysely';
import { truncate } from '#shared/text/text.ts';
import { inChunks } from '../database/chunks.ts';
import type { Db } from '../database/store.ts';
import type { UsageChangesTable, UsageSumsTable } from '../tables/usage-tables.ts';
import {
  addDurations,
  bucketOf,
  type Durations,
  formatDurations,
  parseDurations,
} from './duration-histogram.ts';

type Change = Selectable<UsageChangesTable>;
/** A sum under way: the row, with its durations as counts. */
type Sum = Omit<UsageSumsTable, 'owner' | 'times'> & { durations: Durations };

const dayMs = 24 * 3600 * 1000;
const counted = ['failed', 'input', 'cached', 'output', 'reasoning', 'cost', 'estimated'] as const;

/** Adds changes of one owner to their sums. Who adds to the same sums waits outside. */
export async function addToUsage(tx: Db, owner: string, changes: Change[]): Promise<void> {
  const sums = new Map<string, Sum>();
  for (const change of changes)
    for (const place of placesOf(change)) addChange(sums, place, change);
  await inChunks([...sums.values()], 50, async (piece) => {
    for (const row of await present(tx, owner, piece)) addRow(sums, row);
    await write(tx, owner, piece);
  });
  await tx
    .insertInto('usage_versions')
    .values({ owner, version: 1 })
    .onConflict((conflict) =>
      conflict.column('owner').doUpdateSet({ version: sql`usage_versions.version + 1` }),
    )
    .execute();
}

type Place = Pick<Sum, 'grain' | 'kind' | 'at' | 'subject' | 'tool'>;

/** Characters of a name that sums are kept by: PostgreSQL has no room for more in an index. */
const maxNameChars = 200;

/** Each change is in three sums: by quarter of an hour, by day, and with all others of its quarter. */
function placesOf({ kind, at, ...names }: Change): Place[] {
  const subject = truncate(names.subject, maxNameChars);
  const tool = truncate(names.tool, maxNameChars);
  return [
    { grain: 'quarter', kind, at, subject, tool },
    { grain: 'day', kind, at: at - (at % dayMs), subject, tool },
    { grain: 'all', kind, at, subject: '', tool: '' },
  ];
}

const keyOf = ({ grain, kind, at, subject, tool }: Place): string =>
  JSON.stringify([grain, kind, at, subject, tool]);

function addChange(sums: Map<string, Sum>, place: Place, change: Change): void {
  const key = keyOf(place);
  const sum = sums.get(key) ?? emptySum(place);
  sums.set(key, sum);
  sum.n += change.sign;
  for (const name of counted) sum[name] = countable(sum[name] + change.sign * change[name]);
  if (change.name > sum.name && place.grain !== 'all') sum.name = change.name;
  // What never started has no duration, nor has what ended before it began.
  if (place.grain !== 'all' && change.ms >= 0)
    addDurations(sum.durations, [[bucketOf(change.ms), change.sign]]);
}

/** As far as numbers can be read back: answers that are imported may claim any use. */
export function countable(sum: number): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, sum));
}

function emptySum(place: Place): Sum {
  const zeros = { failed: 0, input: 0, cached: 0, output: 0, reasoning: 0, cost: 0, estimated: 0 };
  return { ...place, name: '', n: 0, ...zeros, durations: new Map() };
}

function addRow(sums: Map<string, Sum>, row: Selectable<UsageSumsTable>): void {
  const sum = sums.get(keyOf(row));
  if (!sum) return;
  sum.n += row.n;
  for (const name of counted) sum[name] = countable(sum[name] + row[name]);
  if (row.name > sum.name) sum.name = row.name;
  addDurations(sum.durations, parseDurations(row.times));
}

const placeColumns = sql`grain, kind, at, subject, tool`;

function isOneOf(owner: string, sums: Sum[]) {
  const places = sums.map(
    ({ grain, kind, at, subject, tool }) =>
      sql`(${grain}, ${kind}, cast(${at} as bigint), ${subject}, ${tool})`,
  );
  return sql<boolean>`owner = ${owner} and (${placeColumns}) in (values ${sql.join(places)})`;
}

async function present(tx: Db, owner: string, sums: Sum[]) {
  return await tx.selectFrom('usage_sums').selectAll().where(isOneOf(owner, sums)).execute();
}

async function write(tx: Db, owner: string, sums: Sum[]): Promise<void> {
  await tx.deleteFrom('usage_sums').where(isOneOf(owner, sums)).execute();
  const rows = sums
    .filter(({ n }) => n !== 0)
    .map(({ durations, ...sum }) => ({ owner, ...sum, times: formatDurations(durations) }));
  if (rows.length > 0) await tx.insertInto('usage_sums').values(rows).execute();
}
