import { describe, expect, it } from 'vitest';
import type { PolicyRule } from '#shared/vocabulary/policy-api.ts';
import type { PolicyCall } from '#shared/vocabulary/tool.ts';
import { addDecisionRule, bumpPolicyVersion } from '#store/configuration/policy-rules.ts';
import type { Store } from '#store/database/store.ts';
import { describeEachDatabase } from '../../../test/databases.ts';
import { approved } from '../../../test/fakes/mcp-servers.ts';
import { endedOrWaiting, holdNextReading } from '../../../test/fixtures/held-store.ts';
import { ToolPins } from './policy-pins.ts';
import { Signals } from '../topic/signals.ts';
import { Policy } from './policy.ts';

const owner = 'local';
const call: PolicyCall = {
  serverId: 's',
  toolName: 'write',
  trusted: false,
  annotations: {},
  arguments: {},
  argsHash: 'h',
  owner,
};
const allow: PolicyRule = { action: 'allow', toolName: 'write' };
const clean = async () => false;
const whole = (rules: PolicyRule[]) => ({ rules, trustedServers: [], safeToRepeat: [] });

/** The store, and how often it was asked for anything. */
function counted(store: Store): { store: Store; asked: () => number } {
  let count = 0;
  const proxy = new Proxy(store, {
    get: (target, name: keyof Store) => {
      count += 1;
      return target[name];
    },
  });
  return { store: proxy, asked: () => count };
}

function policyOf(store: Store): Policy {
  return new Policy({ store, signals: new Signals(), now: Date.now });
}

describe('the policy of a host', () => {
  describeEachDatabase((open, _fresh, dialect) => {
    // On SQLite writers wait for each other anyway.
    if (dialect === 'postgres')
      it('changes with servers of two admins at once', async () => {
        const store = await open();
        const policy = policyOf(store);
        for (const each of ['a', 'b']) await policy.write(each, whole([allow]));
        const pins = new ToolPins({ store, policy, now: Date.now });
        const change = (admin: string) => {
          const server = approved({ type: 'streamableHttp', baseUrl: 'https://server.test/mcp' });
          const changed = pins.launchChanged(
            { ...server, owner: admin, shared: true },
            'elsewhere',
          );
          return store.transaction((tx) => changed.rows(tx));
        };
        const held = holdNextReading(store, 'settings');
        const changing = [change('b')];
        await held.reached;
        changing.push(change('a'));
        await endedOrWaiting(store, changing[1] ?? Promise.resolve());
        held.letGo();
        expect(await Promise.allSettled(changing)).toMatchObject([
          { status: 'fulfilled' },
          { status: 'fulfilled' },
        ]);
      });

    it('is read once, and again only after a change', async () => {
      const { store, asked } = counted(await open());
      const policy = policyOf(store);
      await policy.write(owner, whole([allow]));
      await policy.judge(call, clean);
      const before = asked();
      const verdicts = await Promise.all(
        Array.from({ length: 100 }, () => policy.judge(call, clean)),
      );
      for (let n = 0; n < 100; n += 1) await policy.isSafeToRepeat(owner, 's', 'write');
      expect(asked()).toBe(before);
      expect(new Set(verdicts.map(({ action }) => action))).toEqual(new Set(['allow']));
      await policy.write(owner, whole([{ ...allow, action: 'deny' }]));
      expect((await policy.judge(call, clean)).action).toBe('deny');
    });

    it('asks about taint only where that makes a difference', async () => {
      const policy = policyOf(await open());
      let asked = 0;
      const tainted = async () => {
        asked += 1;
        return true;
      };
      const reads = { ...call, trusted: true, annotations: { readOnlyHint: true } };
      expect((await policy.judge(reads, tainted)).action).toBe('allow');
      expect((await policy.judge(call, tainted)).action).toBe('ask');
      expect(asked).toBe(0);
      await policy.write(owner, whole([allow]));
      expect((await policy.judge(call, tainted)).action).toBe('ask');
      expect(asked).toBe(1);
    });

    it('of another host that changed is seen when told, and costs one query when it did not', async () => {
      const db = await open();
      const { store, asked } = counted(db);
      const here = policyOf(store);
      const there = policyOf(db);
      await here.judge(call, clean);
      await there.write(owner, whole([allow]));
      expect((await here.judge(call, clean)).action).toBe('ask');
      await here.reload(owner);
      expect((await here.judge(call, clean)).action).toBe('allow');
      const before = asked();
      await here.reload(owner);
      await here.judge(call, clean);
      expect(asked()).toBe(before + 1);
      await db.transaction(async (tx) => {
        await bumpPolicyVersion(tx, owner, 1);
        await addDecisionRule(tx, owner, { ...allow, action: 'deny', serverId: 's' }, 1);
      });
      await here.reload(owner);
      expect((await here.judge(call, clean)).action).toBe('deny');
    });

    it('is not written over by whoever read it before a change', async () => {
      const policy = policyOf(await open());
      const { version } = await policy.read(owner);
      const written = await policy.write(owner, { ...whole([allow]), version });
      expect(written.rules).toMatchObject([allow]);
      await expect(policy.write(owner, { ...whole([]), version })).rejects.toMatchObject({
        code: 'conflict',
      });
      expect(await policy.read(owner)).toEqual(written);
      expect((await policy.read('other')).rules).toEqual([]);
    });

    it('believes servers and repeats tools only where an admin said so', async () => {
      const policy = policyOf(await open());
      const reads = { ...call, annotations: { readOnlyHint: true } };
      expect((await policy.judge(reads, clean)).action).toBe('ask');
      const safeToRepeat = [{ serverId: 's', toolName: 'write' }];
      await policy.write(owner, { rules: [], trustedServers: ['s'], safeToRepeat });
      expect((await policy.judge(reads, clean)).action).toBe('allow');
      expect((await policy.judge({ ...reads, owner: 'other' }, clean)).action).toBe('ask');
      expect(await policy.isSafeToRepeat(owner, 's', 'write')).toBe(true);
      expect(await policy.isSafeToRepeat(owner, 's', 'read')).toBe(false);
      expect(await policy.isSafeToRepeat('other', 's', 'write')).toBe(false);
    });

    it('refuses rules for topics that are not there, and leaves a trace of what was written', async () => {
      const store = await open();
      const policy = policyOf(store);
      const wrong = whole([allow, { ...allow, topicId: 'nowhere' }]);
      await expect(policy.write(owner, wrong)).rejects.toMatchObject({ code: 'topic_not_found' });
      expect((await policy.read(owner)).rules).toEqual([]);
      await policy.write(owner, whole([allow]));
      const rows = await store.db.selectFrom('audit').selectAll().execute();
      expect(rows).toMatchObject([{ owner, action: 'policy.write' }]);
    });
  });
});
