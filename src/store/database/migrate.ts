import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { systemCode } from '#shared/errors/system-code.ts';
import { firstMigration } from '../migrations/0001-first.ts';
import { sessionServersMigration } from '../migrations/0002-session-servers.ts';
import { blobReferencesMigration } from '../migrations/0003-blob-references.ts';
import { policyMigration } from '../migrations/0004-policy.ts';
import { parkedMigration } from '../migrations/0005-parked.ts';
import { instancesMigration } from '../migrations/0007-instances.ts';
import { approvalsMigration } from '../migrations/0008-approvals.ts';
import { peopleMigration } from '../migrations/0008-people.ts';
import { usageMigration } from '../migrations/0009-usage.ts';
import { callsMigration } from '../migrations/0010-calls.ts';
import { sumsMigration } from '../migrations/0011-sums.ts';
import { keysMigration } from '../migrations/0012-keys.ts';
import { fullPinsMigration } from '../migrations/0013-full-pins.ts';
import { provenanceMigration } from '../migrations/0014-provenance.ts';
import { abortMigration } from '../migrations/0015-abort.ts';
import { lighterCallsMigration } from '../migrations/0016-lighter-calls.ts';
import { orderMigration } from '../migrations/0017-order.ts';
import { waitsMigration } from '../migrations/0018-waits.ts';
import { providerSlugMigration } from '../migrations/0019-provider-slug.ts';
import { bundlesMigration } from '../migrations/0020-bundles.ts';
import { registryMigration } from '../migrations/0021-registry.ts';
import { catalogueMigration } from '../migrations/0022-catalogue.ts';
import { runsMigration } from '../migrations/0023-runs.ts';
import { trustedKeysMigration } from '../migrations/0024-trusted-keys.ts';
import { grantsMigration } from '../migrations/0025-grants.ts';
import { recordsMigration } from '../migrations/0026-records.ts';
import { timelineMigration } from '../migrations/0027-timeline.ts';
import { directCallsMigration } from '../migrations/0028-direct-calls.ts';
import { storedSizesMigration } from '../migrations/0029-stored-sizes.ts';
import { expiryMigration } from '../migrations/0030-expiry.ts';
import type { Migration } from '../migrations/migration.ts';
import type { Db, Store } from './store.ts';

/** All steps in their order. Databases know them by their names, so the gap at 0006 and the two 0008 stay. */
export const migrations: Migration[] = [
  firstMigration,
  sessionServersMigration,
  blobReferencesMigration,
  policyMigration,
  parkedMigration,
  instancesMigration,
  approvalsMigration,
  peopleMigration,
  usageMigration,
  callsMigration,
  sumsMigration,
  keysMigration,
  fullPinsMigration,
  provenanceMigration,
  abortMigration,
  lighterCallsMigration,
  orderMigration,
  waitsMigration,
  providerSlugMigration,
  bundlesMigration,
  registryMigration,
  catalogueMigration,
  runsMigration,
  trustedKeysMigration,
  grantsMigration,
  recordsMigration,
  timelineMigration,
  directCallsMigration,
  storedSizesMigration,
  expiryMigration,
];

/** Any number that no other program on the same PostgreSQL uses. */
const advisoryLock = 4_310_202_607;

/**
 * Brings the schema up to date. Each step and its mark are one transaction: after a crash a step is
 * there wholly or not at all. A database of a newer program is refused.
 */
export async function migrate(
  store: Pick<Store, 'dialect' | 'transaction'>,
  steps: Migration[] = migrations,
): Promise<void> {
  const applied = await store.transaction(async (tx) => {
    await lock(tx, store.dialect);
    await sql`create table if not exists migrations (
      name text primary key, applied_at bigint not null
    )`.execute(tx);
    return await appliedOf(tx, steps);
  });
  for (const step of steps.filter(({ name }) => !applied.has(name)))
    await givingWay(() =>
      store.transaction(async (tx) => {
        await lock(tx, store.dialect);
        await applyOnce(tx, step, store.dialect);
      }),
    );
}

/** What PostgreSQL says where a lock is not to be had in time, or two wait for each other. */
const lockErrors: ReadonlySet<unknown> = new Set(['55P03', '40P01']);
const giveWayMs = 500;

/**
 * Older instances go on working meanwhile: a step that waits for their tables would hold up everybody behind it, or wait
 * for who waits for it. It gives way, and is tried again.
 */
async function givingWay(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!lockErrors.has(systemCode(error))) throw error;
    }
    await setTimeout(giveWayMs);
  }
}

/** Two instances that start at once on one PostgreSQL take turns. SQLite has one process. */
async function lock(tx: Db, dialect: Store['dialect']): Promise<void> {
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(tx);
}

/** The steps that are there. Throws if one of them is of a newer program. */
async function appliedOf(tx: Db, steps: Migration[]): Promise<ReadonlySet<string>> {
  const applied = await tx.selectFrom('migrations').select('name').execute();
  const known = new Set(steps.map(({ name }) => name));
  const unknown = applied.find(({ name }) => !known.has(name));
  if (!unknown) return new Set(applied.map(({ name }) => name));
  throw new CeriseError(
    'data_unreadable',
    say(
      'data-newer',
    )`The data was written by a newer version of Cerise (it contains ${unknown.name}).`,
    { hint: say('data-newer-hint')`Update Cerise, or restore a backup made by this version.` },
  );
}

async function applyOnce(tx: Db, step: Migration, dialect: Store['dialect']): Promise<void> {
  const done = await tx
    .selectFrom('migrations')
    .select('name')
    .where('name', '=', step.name)
    .executeTakeFirst();
  if (done) return;
  if (dialect === 'postgres') await sql.raw(`set local lock_timeout = ${giveWayMs}`).execute(tx);
  for (const statement of step.statements(dialect)) await sql.raw(statement).execute(tx);
  await tx.insertInto('migrations').values({ name: step.name, applied_at: Date.now() }).execute();
}
