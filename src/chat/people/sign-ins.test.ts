import { describe, expect, it } from 'vitest';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import type { Store } from '#store/database/store.ts';
import { insertUser, type User } from '#store/people/users.ts';
import { describeEachDatabase } from '../../../test/databases.ts';
import { holdNextTransaction } from '../../../test/fixtures/held-store.ts';
import { ApiKeys } from './api-keys.ts';
import { Signals } from '../topic/signals.ts';
import { OpenStreams } from './open-streams.ts';
import { hashPassword } from './passwords.ts';
import { SignIns } from './sign-ins.ts';
import { Users } from './users.ts';

const now = Date.now;
const from = { address: '127.0.0.1' };
const [old, fresh] = ['the password of before', 'the password of now'];
/** Cheaper than the present one, so that it is made anew at the next sign-in. */
const oldCost = { memory: 8, passes: 1, parallelism: 1 };

function partsOf(store: Store) {
  const signals = new Signals();
  const streams = new OpenStreams({ store, signals, now });
  return {
    store,
    signals,
    streams,
    now,
    limits: usualLimits,
    adminTokens: [],
    accessTokens: { visitor: async () => undefined },
    keys: new ApiKeys({ store, streams, now }),
  };
}

async function start(store: Store, passwordHash: string) {
  const ana: User = {
    id: 'ana',
    name: 'Ana',
    role: 'user',
    disabled: false,
    passwordHash,
    createdAt: now(),
  };
  await insertUser(store.db, ana);
  const users = new Users(partsOf(store));
  return { users, signIns: new SignIns(partsOf(store)) };
}

describe('somebody who signs in', () => {
  describeEachDatabase((open) => {
    it.each([
      ['a password', undefined],
      ['a password whose hash is made anew', oldCost],
    ])('with %s that is another one by then is not let in', async (_, cost) => {
      const store = await open();
      const { users, signIns } = await start(store, await hashPassword(old, cost));
      const given = { name: 'Ana', password: old };
      const held = holdNextTransaction(store);
      const signingIn = signIns.withPassword(given, from).catch((error: unknown) => error);
      await held.reached;
      await users.update('local', 'ana', { password: fresh });
      held.letGo();
      expect(await signingIn).toMatchObject({ code: 'unauthenticated' });
      expect(await store.db.selectFrom('sign_ins').selectAll().execute()).toEqual([]);
      await expect(signIns.withPassword(given, from)).rejects.toMatchObject({
        code: 'unauthenticated',
      });
      await signIns.withPassword({ name: 'Ana', password: fresh }, from);
    });

    it('and is disabled meanwhile is not signed in when they are enabled again', async () => {
      const store = await open();
      const { users, signIns } = await start(store, await hashPassword(old));
      const held = holdNextTransaction(store);
      const signingIn = signIns
        .withPassword({ name: 'Ana', password: old }, from)
        .catch((error: unknown) => error);
      await held.reached;
      await users.update('local', 'ana', { disabled: true });
      held.letGo();
      expect(await signingIn).toMatchObject({ code: 'unauthenticated' });
      expect(await store.db.selectFrom('sign_ins').selectAll().execute()).toEqual([]);
    });

    it('and changes the password does not undo what an admin has set meanwhile', async () => {
      const store = await open();
      const { users, signIns } = await start(store, await hashPassword(old));
      const { token } = await signIns.withPassword({ name: 'Ana', password: old }, from);
      const visitor = await signIns.visitor({ cookie: token });
      if (!visitor) throw new Error('Ana is signed in');
      const change = { current: old, password: 'a password of somebody else' };
      const held = holdNextTransaction(store);
      const changing = signIns.setPassword(visitor, change, from).catch((error: unknown) => error);
      await held.reached;
      await users.update('local', 'ana', { password: fresh });
      held.letGo();
      expect(await changing).toMatchObject({ code: 'wrong_password' });
      await signIns.withPassword({ name: 'Ana', password: fresh }, from);
    });
  });
});
