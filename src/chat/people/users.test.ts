import { describe, expect, it } from 'vitest';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import type { Store } from '#store/database/store.ts';
import { findUser, listUsers, markRemoved, updateUser } from '#store/people/users.ts';
import { describeEachDatabase } from '../../../test/databases.ts';
import {
  endedOrWaiting,
  holdNextReading,
  holdNextTransaction,
} from '../../../test/fixtures/held-store.ts';
import { Signals } from '../topic/signals.ts';
import { OpenStreams } from './open-streams.ts';
import { Users } from './users.ts';

function usersOf(store: Store): Users {
  const signals = new Signals();
  const streams = new OpenStreams({ store, signals, now: Date.now });
  return new Users({ store, streams, signals, limits: usualLimits, now: Date.now });
}

describe('people who are changed at once', () => {
  describeEachDatabase((open, _fresh, dialect) => {
    // On SQLite writers wait for each other anyway.
    if (dialect === 'postgres')
      it('share a name with nobody, and the later is told so', async () => {
        const store = await open();
        const users = usersOf(store);
        const ana = await users.add({ name: 'Ana', role: 'user' });
        const ben = await users.add({ name: 'Ben', role: 'user' });
        const held = holdNextReading(store, 'users');
        const renaming = [
          users.update('local', ana.id, { name: 'Eve' }),
          held.reached.then(() => users.update('local', ben.id, { name: 'Eve' })),
        ];
        const both = Promise.allSettled(renaming);
        await held.reached;
        await endedOrWaiting(store, renaming[1] ?? both);
        held.letGo();
        const refused = (await both).filter((each) => each.status === 'rejected');
        expect(refused.map(({ reason }) => reason)).toMatchObject([{ code: 'conflict' }]);
      });

    it('lose what only admins have, also if they were none when it was begun', async () => {
      const store = await open();
      const users = usersOf(store);
      const { id } = await users.add({ name: 'Ana', role: 'user' });
      const held = holdNextTransaction(store);
      const demoting = users.update('local', id, { role: 'user' });
      await held.reached;
      await users.update('local', id, { role: 'admin' });
      await store.db
        .insertInto('servers')
        .values({
          id: 's',
          owner: id,
          name: 's',
          config: '{}',
          approved_hash: 'h',
          shared: 1,
          created_at: 1,
          updated_at: 1,
        })
        .execute();
      held.letGo();
      await demoting;
      expect(await store.db.selectFrom('servers').selectAll().executeTakeFirst()).toMatchObject({
        shared: 0,
        approved_hash: null,
      });
    });

    it('T87: are not let in again while what is theirs is being removed', async () => {
      const store = await open();
      const users = usersOf(store);
      const { id } = await users.add({ name: 'Ana', role: 'user' });
      await store.transaction(async (tx) => {
        await updateUser(tx, id, { disabled: true });
        await markRemoved(tx, id, 1);
      });
      const enabling = users.update('local', id, { disabled: false, password: 'a new password' });
      await expect(enabling).rejects.toMatchObject({ code: 'user_not_found' });
      expect(await findUser(store.db, { id })).toMatchObject({ disabled: true });
      await users.finishRemovals(new AbortController().signal);
      expect(await listUsers(store.db)).toHaveLength(1);
    });

    it('are not there any more for whoever comes after their removal', async () => {
      const store = await open();
      const users = usersOf(store);
      const { id } = await users.add({ name: 'Ana', role: 'user' });
      const held = holdNextTransaction(store);
      const late = users.delete('local', id).catch((error: unknown) => error);
      await held.reached;
      await users.delete('local', id);
      held.letGo();
      expect(await late).toMatchObject({ code: 'user_not_found' });
      expect(await listUsers(store.db)).toHaveLength(1);
    });
  });
});
