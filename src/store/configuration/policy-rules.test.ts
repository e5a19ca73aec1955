import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { PolicyRule } from '#shared/vocabulary/policy-api.ts';
import {
  deletePins,
  insertPins,
  listPins,
  pinnedDefinitions,
  renewPins,
  replacePin,
} from '../calls/tool-pins.ts';
import type { Db } from '../database/store.ts';
import { describeEachDatabase } from '../../../test/databases.ts';
import {
  addDecisionRule,
  bumpPolicyVersion,
  deleteDecisionsOfServer,
  listRules,
  policyVersion,
  replaceRules,
} from './policy-rules.ts';

const owner = 'local';
const remember = (db: Db, rule: Omit<PolicyRule, 'id' | 'source'>, who = owner) =>
  addDecisionRule(db, who, rule, 1);
const without = (rules: PolicyRule[]) => rules.map(({ id: _, source: __, ...rule }) => rule);

describe('policy rules', () => {
  describeEachDatabase((open) => {
    it('are kept whole, in their order, for their owner', async () => {
      const store = await open();
      const rules: PolicyRule[] = [
        { action: 'deny', serverId: 's*', annotations: { destructive: true }, note: 'no 🍒' },
        {
          action: 'allow',
          toolName: 'fetch',
          arguments: [
            { pointer: '/url', host: 'a.example' },
            { pointer: '/n', equals: { a: [1, null] } },
          ],
          trusted: true,
        },
      ];
      await store.transaction((tx) => replaceRules(tx, owner, rules, 1));
      await store.transaction((tx) => replaceRules(tx, 'other', [{ action: 'ask' }], 1));
      const stored = await listRules(store.db, owner);
      expect(without(stored)).toEqual(rules);
      expect(await listRules(store.db, 'other')).toHaveLength(1);
      await store.transaction((tx) => replaceRules(tx, owner, stored.toReversed(), 2));
      const again = await listRules(store.db, owner);
      expect(again.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).toReversed());
    });

    it('never take the id of another owner, nor one twice', async () => {
      const store = await open();
      await store.transaction((tx) => replaceRules(tx, 'other', [{ action: 'ask' }], 1));
      const [{ id = '' } = {}] = await listRules(store.db, 'other');
      const rules: PolicyRule[] = [
        { id, action: 'allow' },
        { id, action: 'deny' },
      ];
      await store.transaction((tx) => replaceRules(tx, owner, rules, 1));
      const ids = [...(await listRules(store.db, owner)), { id }].map((rule) => rule.id);
      expect(new Set(ids).size).toBe(3);
    });

    it('of a decision take the place of the decision before about the same calls', async () => {
      const { db } = await open();
      const tool = { serverId: 's', toolName: 'write' };
      await remember(db, { action: 'allow', ...tool });
      await remember(db, { action: 'allow', ...tool, argsHash: 'h' });
      await remember(db, { action: 'deny', ...tool });
      await remember(db, { action: 'allow', ...tool }, 'other');
      expect(without(await listRules(db, owner))).toEqual([
        { action: 'allow', ...tool, argsHash: 'h' },
        { action: 'deny', ...tool },
      ]);
    });

    it('of approvals end with the launch that they were given to', async () => {
      const { db } = await open();
      await remember(db, { action: 'allow', serverId: 's', toolName: 'a' });
      await remember(db, { action: 'deny', serverId: 's', toolName: 'b' });
      await remember(db, { action: 'allow', serverId: 'z', toolName: 'a' });
      await deleteDecisionsOfServer(db, owner, 's');
      expect(
        (await listRules(db, owner)).map(({ toolName, serverId }) => [serverId, toolName]),
      ).toEqual([
        ['s', 'b'],
        ['z', 'a'],
      ]);
    });

    it('that were remembered long ago are forgotten if they allow, and only then', async () => {
      const store = await open();
      await remember(store.db, { action: 'deny', serverId: 's', toolName: 'first' });
      const many = Array.from({ length: 1000 }, (_, n) => ({
        action: 'allow' as const,
        source: 'decision' as const,
        serverId: 's',
        toolName: `t${n}`,
      }));
      await store.transaction(async (tx) =>
        replaceRules(tx, owner, [...(await listRules(tx, owner)), ...many], 1),
      );
      await remember(store.db, { action: 'allow', serverId: 's', toolName: 'last' });
      const names = (await listRules(store.db, owner)).map(({ toolName }) => toolName);
      expect(names).toHaveLength(1001);
      expect(names).toContain('first');
      expect(names).not.toContain('t0');
      expect(names.at(-1)).toBe('last');
    });

    it('that this program does not know are never passed over', async () => {
      const { db } = await open();
      await sql`insert into policy_rules (id, owner, action, source, conditions, created_at)
        values ('x', 'local', 'deny', 'written', '{"phase":"moon"}', 1)`.execute(db);
      await expect(listRules(db, owner)).rejects.toMatchObject({ code: 'data_unreadable' });
    });

    it('change under a version that only one of many may expect', async () => {
      const store = await open();
      const change = (expected?: string) =>
        store.transaction((tx) => bumpPolicyVersion(tx, owner, 1, expected));
      const first = await policyVersion(store.db, owner);
      const outcomes = await Promise.allSettled([change(first), change(first), change(first)]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const second = await policyVersion(store.db, owner);
      expect(second).not.toBe(first);
      await expect(change(first)).rejects.toMatchObject({ code: 'conflict' });
      await change();
      expect(await policyVersion(store.db, owner)).not.toBe(second);
      expect(await policyVersion(store.db, 'other')).toBe(first);
    });
  });
});

describe('tool pins', () => {
  const pin = (toolName: string, definitionHash: string, serverId = 's') => ({
    serverId,
    toolName,
    definitionHash,
    definition: { name: toolName, hash: definitionHash },
  });

  describeEachDatabase((open) => {
    const withServer = async () => {
      const { db } = await open();
      await sql`insert into servers (id, owner, name, config, created_at, updated_at)
        values ('s', 'local', 'S', '{}', 1, 1)`.execute(db);
      return db;
    };

    it('stay as they are until they are replaced', async () => {
      const db = await withServer();
      await insertPins(db, owner, [pin('a', '1'), pin('b', '1')], 1);
      await insertPins(db, owner, [pin('a', '2'), pin('c', '2')], 2);
      const hashes = async () =>
        Object.fromEntries(
          (await listPins(db, owner)).map((each) => [each.toolName, each.definitionHash]),
        );
      expect(await hashes()).toEqual({ a: '1', b: '1', c: '2' });
      await replacePin(db, owner, pin('a', '3'), 3);
      expect(await hashes()).toEqual({ a: '3', b: '1', c: '2' });
      expect((await pinnedDefinitions(db, owner, 's')).get('a')).toEqual({ name: 'a', hash: '3' });
      expect(await listPins(db, 'other')).toEqual([]);
    });

    it('T93: of an older program are completed once, and again after it replaced them', async () => {
      const db = await withServer();
      const hashes = async () => (await listPins(db, owner)).map((each) => each.definitionHash);
      await sql`insert into tool_pins
        (owner, server_id, tool_name, definition_hash, definition, approved_at)
        values ('local', 's', 'a', 'f1', '{}', 1)`.execute(db);
      expect(await hashes()).toEqual(['f1']);
      await renewPins(db, owner, [pin('a', '2:other:r')]);
      expect(await hashes()).toEqual(['f1']);
      await renewPins(db, owner, [pin('a', '2:f1:r1')]);
      expect(await hashes()).toEqual(['2:f1:r1']);
      await renewPins(db, owner, [pin('a', '2:f1:r2')]);
      expect(await hashes()).toEqual(['2:f1:r1']);
      // What the older program compares stays as it knows it.
      const row = await db.selectFrom('tool_pins').selectAll().executeTakeFirstOrThrow();
      expect(row).toMatchObject({ definition_hash: 'f1', approved_at: 1 });
      await sql`update tool_pins set definition_hash = 'f2', approved_at = 2`.execute(db);
      expect(await hashes()).toEqual(['f2']);
      await renewPins(db, owner, [pin('a', '2:f2:r2')]);
      expect(await hashes()).toEqual(['2:f2:r2']);
    });

    it('are made for servers that are there, and go with them', async () => {
      const db = await withServer();
      await insertPins(db, owner, [pin('a', '1'), pin('a', '1', 'gone')], 1);
      await insertPins(db, 'other', [pin('z', '1')], 1);
      expect(await listPins(db, owner)).toHaveLength(1);
      await deletePins(db, 'other', 's');
      expect(await listPins(db, owner)).toHaveLength(1);
      await sql`delete from servers`.execute(db);
      expect(await listPins(db, owner)).toEqual([]);
    });
  });
});
