import { describe, expect, it } from 'vitest';
import type { Db } from '../database/store.ts';
import { describeEachDatabase } from '../../../test/databases.ts';
import { deleteApiKey, findApiKey, insertApiKey, listApiKeys } from './api-keys.ts';
import { livingCredentials } from './living-credentials.ts';
import { forgetAttempts, forgiveAttempt, tryAttempt } from './sign-in-attempts.ts';
import { insertFlow, takeFlow } from './sign-in-flows.ts';
import {
  deleteSignIn,
  deleteSignIns,
  findSignIn,
  insertSignIn,
  listSignIns,
  rotateSignIn,
  tidySignIns,
} from './sign-ins.ts';
import { deleteUser, findUser, insertUser, listUsers, updateUser } from './users.ts';

const signIn = {
  id: 's',
  tokenHash: 'h',
  userId: 'local',
  method: 'link' as const,
  createdAt: 1,
  expiresAt: 10,
  lastSeenAt: 1,
  rotatedAt: 1,
};
const times = { now: 9, seenFrom: 0, graceFrom: 0 };
const person = { id: 'p', name: 'Ana', role: 'user' as const, disabled: false, createdAt: 5 };

describe('people in the store', () => {
  describeEachDatabase((open) => {
    it('finds a sign-in until it runs out, was not used for long, or is removed', async () => {
      const { db } = await open();
      await insertSignIn(db, signIn);
      expect(await findSignIn(db, 'h', times)).toEqual({ ...signIn, role: 'admin' });
      expect(await findSignIn(db, 'h', { ...times, now: 10 })).toBeUndefined();
      expect(await findSignIn(db, 'h', { ...times, seenFrom: 1 })).toBeUndefined();
      expect(await findSignIn(db, 'H', times)).toBeUndefined();
      expect(await deleteSignIn(db, 'other', 's')).toBe(false);
      expect(await deleteSignIn(db, 'local', 's')).toBe(true);
      expect(await findSignIn(db, 'h', times)).toBeUndefined();
    });

    it('knows no sign-in and no key of somebody who is disabled', async () => {
      const { db } = await open();
      await insertUser(db, person);
      await insertSignIn(db, { ...signIn, userId: 'p' });
      await insertApiKey(db, key, 'k');
      expect(await livingCredentials(db, 'sign_ins', ['s'], 9)).toEqual(new Set(['s']));
      expect(await livingCredentials(db, 'api_keys', ['k1'], 9)).toEqual(new Set(['k1']));
      await updateUser(db, 'p', { disabled: true });
      expect(await findSignIn(db, 'h', times)).toBeUndefined();
      expect(await findApiKey(db, 'k', 9)).toBeUndefined();
      expect(await livingCredentials(db, 'sign_ins', ['s'], 9)).toEqual(new Set());
      expect(await livingCredentials(db, 'api_keys', ['k1'], 9)).toEqual(new Set());
    });

    it('replaces a token once, and knows the old one for a moment or not at all', async () => {
      const { db } = await open();
      await insertSignIn(db, signIn);
      const change = { from: 'h', to: 'h2', now: 5, keepOld: true };
      expect(await rotateSignIn(db, change)).toBe(true);
      expect(await rotateSignIn(db, { ...change, to: 'h3' })).toBe(false);
      expect(await findSignIn(db, 'h', { ...times, graceFrom: 4 })).toMatchObject({ id: 's' });
      expect(await findSignIn(db, 'h', { ...times, graceFrom: 5 })).toBeUndefined();
      expect(await rotateSignIn(db, { from: 'h2', to: 'h4', now: 6, keepOld: false })).toBe(true);
      expect(await findSignIn(db, 'h2', times)).toBeUndefined();
      expect(await findSignIn(db, 'h4', times)).toMatchObject({ id: 's', rotatedAt: 6 });
    });

    it('keeps the newest sign-ins of a person, and ends all or all but one', async () => {
      const { db } = await open();
      await insertUser(db, person);
      for (let n = 1; n <= 4; n += 1)
        await insertSignIn(db, { ...signIn, id: `s${n}`, tokenHash: `h${n}`, createdAt: n });
      await insertSignIn(db, { ...signIn, id: 'theirs', tokenHash: 'x', userId: 'p' });
      await tidySignIns(db, 'local', 5, 3);
      const ids = async () => (await listSignIns(db, 'local', 5)).map(({ id }) => id);
      expect(await ids()).toEqual(['s4', 's3', 's2']);
      await deleteSignIns(db, 'local', 's3');
      expect(await ids()).toEqual(['s3']);
      await deleteSignIns(db, 'local');
      expect(await ids()).toEqual([]);
      expect(await listSignIns(db, 'p', 5)).toHaveLength(1);
    });

    it('refuses a sign-in of nobody', async () => {
      const { db } = await open();
      await expect(insertSignIn(db, { ...signIn, userId: 'nobody' })).rejects.toThrow();
    });

    it('takes names that look the same for the same', async () => {
      const { db } = await open();
      await insertUser(db, person);
      for (const name of ['ana', ' ANA ', 'Ａｎａ']) {
        const again = insertUser(db, { ...person, id: name, name });
        await expect(again, name).rejects.toMatchObject({ code: 'conflict' });
        expect(await findUser(db, { name }), name).toMatchObject({ id: 'p' });
      }
      const taken = updateUser(db, 'local', { name: 'ANA' });
      await expect(taken).rejects.toMatchObject({ code: 'conflict' });
      await updateUser(db, 'p', { name: 'ANA' });
      expect((await listUsers(db)).map(({ name }) => name)).toContain('ANA');
    });

    it('counts guesses at the same moment all, and makes each wait longer', async () => {
      const { db } = await open();
      const patience = { free: 2, firstWait: 1000, doublings: 3 };
      const attempt = (now: number) => tryAttempt(db, 'k', patience, now);
      const tried = await Promise.all(Array.from({ length: 10 }, () => attempt(0)));
      expect(tried.filter(Boolean)).toHaveLength(2);
      const steps: [number, boolean][] = [
        [999, false],
        [1000, true],
        [2999, false],
        [3000, true],
        [6999, false],
        [7000, true],
        [14_999, false],
        [15_000, true],
        [22_999, false],
        [23_000, true],
        [31_000, true],
      ];
      for (const [now, mayTry] of steps) expect(await attempt(now), String(now)).toBe(mayTry);
      await forgiveAttempt(db, 'k');
      expect(await attempt(31_001)).toBe(false);
      await forgetAttempts(db, 'k');
      expect(await attempt(31_001)).toBe(true);
      expect(await tryAttempt(db, 'other', patience, 0)).toBe(true);
    });

    it('T89: lets somebody sign in although a stranger has begun as many sign-ins as there may be', async () => {
      const { db } = await open();
      const begun = (n: number) => ({ browser_hash: '', sealed: '', expires_at: 1000 + n });
      const rows = Array.from({ length: 10_000 }, (_, n) => ({ state_hash: `s${n}`, ...begun(n) }));
      for (let at = 0; at < rows.length; at += 1000)
        await db
          .insertInto('sign_in_flows')
          .values(rows.slice(at, at + 1000))
          .execute();
      const flow = { stateHash: 'mine', browserHash: 'b', sealed: 's', expiresAt: 20_000 };
      await insertFlow(db, flow, 1);
      const oldest = db.selectFrom('sign_in_flows').select('state_hash').orderBy('expires_at');
      const left = (await oldest.execute()).map(({ state_hash }) => state_hash);
      expect(left).toHaveLength(10_000);
      expect([left[0], left.at(-1)]).toEqual(['s1', 'mine']);
      expect(await takeFlow(db, 'mine', 2)).toMatchObject({ browserHash: 'b' });
    });

    it('gives a flow to one taker, before it runs out', async () => {
      const { db } = await open();
      const flow = { stateHash: 's', browserHash: 'b', sealed: 'x', expiresAt: 10 };
      await insertFlow(db, flow, 1);
      await insertFlow(db, { ...flow, stateHash: 'late' }, 1);
      const taken = await Promise.all([takeFlow(db, 's', 5), takeFlow(db, 's', 5)]);
      expect(taken.filter(Boolean)).toEqual([flow]);
      expect(await takeFlow(db, 'late', 10)).toBeUndefined();
    });

    it('keeps a key until it runs out or is removed by its owner', async () => {
      const { db } = await open();
      await insertUser(db, person);
      await insertApiKey(db, key, 'k');
      expect(await findApiKey(db, 'k', 9)).toEqual({ ...key, role: 'user' });
      expect(await findApiKey(db, 'k', 10)).toBeUndefined();
      expect(await listApiKeys(db, 'p')).toEqual([key]);
      expect(await listApiKeys(db, 'local')).toEqual([]);
      expect(await deleteApiKey(db, 'local', 'k1')).toBe(false);
      expect(await deleteApiKey(db, 'p', 'k1')).toBe(true);
      expect(await findApiKey(db, 'k', 9)).toBeUndefined();
    });

    it('removes a person with what is theirs, and nothing of others', async () => {
      const store = await open();
      const { db } = store;
      await insertUser(db, person);
      await insertApiKey(db, key, 'k');
      await insertSignIn(db, { ...signIn, userId: 'p' });
      await insertSignIn(db, { ...signIn, id: 'mine', tokenHash: 'mine' });
      await store.transaction((tx) => deleteUser(tx, 'p'));
      expect(await listApiKeys(db, 'p')).toEqual([]);
      expect(await users(db)).toEqual(['local']);
      expect(await listSignIns(db, 'local', 5)).toHaveLength(1);
    });
  });
});

const key = {
  id: 'k1',
  owner: 'p',
  name: 'script',
  scopes: ['read' as const],
  createdAt: 1,
  expiresAt: 10,
};

async function users(db: Db): Promise<string[]> {
  return (await listUsers(db)).map(({ id }) => id);
}
