import { randomUUIDv7 } from 'node:crypto';
import type { Selectable } from 'kysely';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { sanitiseText } from '#shared/text/text.ts';
import { type PolicyRule, policyRuleSchema } from '#shared/vocabulary/policy-api.ts';
import { inChunks } from '../database/chunks.ts';
import { fromJson, objectFromJson, toJson } from '../database/json.ts';
import type { Db } from '../database/store.ts';
import type { PolicyRulesTable } from '../tables/configuration-tables.ts';
import { getSetting } from './settings.ts';

const versionKey = 'policy-version';
const firstVersion = '0';
/** The oldest remembered approvals beyond this are forgotten; what was denied stays. */
const maxRemembered = 1000;

/** The rules of an owner in their order. Throws `data_unreadable` for one of a newer program. */
export async function listRules(db: Db, owner: string): Promise<PolicyRule[]> {
  const rows = await db
    .selectFrom('policy_rules')
    .selectAll()
    .where('owner', '=', owner)
    .orderBy('n')
    .execute();
  return rows.map(toRule);
}

/** Puts these rules in the place of all that there are; those that were there keep their id. */
export async function replaceRules(
  tx: Db,
  owner: string,
  rules: readonly PolicyRule[],
  now: number,
): Promise<void> {
  // By their ids alone: a rule that is damaged can be replaced too.
  const before = await tx
    .deleteFrom('policy_rules')
    .where('owner', '=', owner)
    .returning('id')
    .execute();
  const free = new Set(before.map(({ id }) => id));
  const rows = rules.map((rule) => {
    const id = rule.id !== undefined && free.delete(rule.id) ? rule.id : randomUUIDv7();
    return toRow(owner, { ...rule, id }, now);
  });
  await inChunks(rows, 100, (piece) => tx.insertInto('policy_rules').values(piece).execute());
}

/** Adds what a person decided, in the place of an earlier decision about the same calls. */
export async function addDecisionRule(
  tx: Db,
  owner: string,
  rule: Omit<PolicyRule, 'id' | 'source'>,
  now: number,
): Promise<void> {
  const row = toRow(owner, { ...rule, id: randomUUIDv7(), source: 'decision' }, now);
  await tx
    .deleteFrom('policy_rules')
    .where('owner', '=', owner)
    .where('source', '=', 'decision')
    .where('conditions', '=', row.conditions)
    .where('topic_id', row.topic_id === null ? 'is' : '=', row.topic_id)
    .execute();
  await tx.insertInto('policy_rules').values(row).execute();
  await forgetOldest(tx, owner);
}

/** Forgets what was decided about the tools of a server: it is another one now, or gone. */
export async function deleteDecisionsOfServer(
  tx: Db,
  owner: string,
  serverId: string,
): Promise<void> {
  const ids = (await listRules(tx, owner))
    .filter((rule) => rule.source === 'decision' && rule.action === 'allow')
    .flatMap((rule) => (rule.serverId === serverId && rule.id ? [rule.id] : []));
  await inChunks(ids, 500, (piece) =>
    tx.deleteFrom('policy_rules').where('owner', '=', owner).where('id', 'in', piece).execute(),
  );
}

/** Everybody who ever changed a policy: nobody else has rules, marks or remembered decisions. */
export async function policyOwners(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('settings')
    .select('owner')
    .where('key', '=', versionKey)
    .orderBy('owner')
    .execute();
  return rows.map(({ owner }) => owner);
}

/** The versions of several policies; an owner without one has the first. */
export async function policyVersions(
  db: Db,
  owners: readonly string[],
): Promise<Map<string, string>> {
  const versions = new Map(owners.map((owner) => [owner, firstVersion]));
  await inChunks([...owners], 500, async (piece) => {
    const rows = await db
      .selectFrom('settings')
      .select(['owner', 'value'])
      .where('owner', 'in', piece)
      .where('key', '=', versionKey)
      .execute();
    for (const { owner, value } of rows) versions.set(owner, String(fromJson(value)));
  });
  return versions;
}

/** Changes with every change of the policy. */
export async function policyVersion(db: Db, owner: string): Promise<string> {
  const stored = await getSetting(db, owner, versionKey);
  return typeof stored === 'string' ? stored : firstVersion;
}

/**
 * Gives the policy a new version; the first statement of every change, so that changes take turns.
 * Throws `conflict` if it is no longer the expected one.
 */
export async function bumpPolicyVersion(
  tx: Db,
  owner: string,
  now: number,
  expected?: string,
): Promise<void> {
  const first = { owner, key: versionKey, value: toJson(firstVersion), updated_at: now };
  await tx
    .insertInto('settings')
    .values(first)
    .onConflict((conflict) => conflict.columns(['owner', 'key']).doNothing())
    .execute();
  let update = tx
    .updateTable('settings')
    .set({ value: toJson(randomUUIDv7()), updated_at: now })
    .where('owner', '=', owner)
    .where('key', '=', versionKey);
  if (expected !== undefined) update = update.where('value', '=', toJson(expected));
  const { numUpdatedRows } = await update.executeTakeFirst();
  if (numUpdatedRows === 1n) return;
  throw new CeriseError(
    'conflict',
    say('policy-changed')`The tool permissions were changed in the meantime.`,
    {
      hint: say('policy-changed-hint')`Reload them and make your change again.`,
    },
  );
}

async function forgetOldest(tx: Db, owner: string): Promise<void> {
  const beyond = await tx
    .selectFrom('policy_rules')
    .select('id')
    .where('owner', '=', owner)
    .where('source', '=', 'decision')
    .where('action', '=', 'allow')
    .orderBy('n', 'desc')
    .offset(maxRemembered)
    .limit(100)
    .execute();
  if (beyond.length === 0) return;
  const ids = beyond.map(({ id }) => id);
  await tx.deleteFrom('policy_rules').where('id', 'in', ids).execute();
}

function toRow(
  owner: string,
  rule: PolicyRule & { id: string },
  now: number,
): Omit<PolicyRulesTable, 'n'> {
  const { id, action, topicId, source = 'written', note, ...conditions } = rule;
  return {
    id: sanitiseText(id),
    owner,
    topic_id: topicId ?? null,
    action,
    source,
    conditions: toJson(conditions),
    note: note === undefined ? null : sanitiseText(note),
    created_at: now,
  };
}

function toRule(row: Selectable<PolicyRulesTable>): PolicyRule {
  const parsed = policyRuleSchema.safeParse({
    id: row.id,
    action: row.action,
    ...objectFromJson(row.conditions),
    ...(row.topic_id !== null && { topicId: row.topic_id }),
    ...(row.note !== null && { note: row.note }),
    source: row.source,
  });
  if (parsed.success) return parsed.data;
  throw new CeriseError(
    'data_unreadable',
    say('rule-unreadable')`The permission rule ${row.id} can't be read.`,
    {
      hint: say('rule-unreadable-hint')`It was saved by a newer version of Cerise. Update Cerise.`,
    },
  );
}
