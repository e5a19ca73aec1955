import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { getSetting, setSetting } from '../configuration/settings.ts';
import { encodeEvent, readEvents, readJournal } from '../conversations/events.ts';
import { openStore } from '../open-store.ts';
import { describeEachDatabase } from '../../../test/databases.ts';
import { type JournalRow, type Store } from './store.ts';

function delta(topicId: string, seq: number, text = 'x', blockId = 'm.0'): JournalRow {
  const event = { type: 'block-delta' as const, messageId: 'm', blockId, offset: 0, text };
  return { topicId, seq, body: encodeEvent(event, JSON.stringify(event)) };
}

describe('a store', () => {
  describeEachDatabase((open, fresh, dialect) => {
    it('starts with the local user and the default assistant', async () => {
      const { db } = await open();
      expect(await db.selectFrom('users').select(['id', 'role']).execute()).toEqual([
        { id: 'local', role: 'admin' },
      ]);
      expect(await db.selectFrom('assistants').select(['owner', 'id', 'name']).execute()).toEqual([
        { owner: 'local', id: 'default', name: 'Assistant' },
      ]);
    });

    it('keeps what was written when it is opened again', async () => {
      const place = await fresh();
      const first = await open(place);
      await setSetting(first.db, 'local', 'colour', { name: 'cherry' });
      await first.close();
      const second = await open(place);
      expect(await getSetting(second.db, 'local', 'colour')).toEqual({ name: 'cherry' });
    });

    it.each(['full', 'relaxed'] as const)(
      'undoes a whole %s transaction that throws',
      async (durability) => {
        const store = await open();
        const failed = store.transaction(async (tx) => {
          await setSetting(tx, 'local', 'a', 1);
          throw new Error('stop');
        }, durability);
        await expect(failed).rejects.toThrow('stop');
        expect(await getSetting(store.db, 'local', 'a')).toBeUndefined();
        await store.transaction((tx) => setSetting(tx, 'local', 'a', 2), durability);
        expect(await getSetting(store.db, 'local', 'a')).toBe(2);
      },
    );

    it('undoes a transaction whose statement fails', async () => {
      const store = await open();
      const failed = store.transaction(async (tx) => {
        await setSetting(tx, 'local', 'a', 1);
        await sql`insert into users (id) values ('incomplete')`.execute(tx);
      });
      await expect(failed).rejects.toThrow();
      expect(await getSetting(store.db, 'local', 'a')).toBeUndefined();
    });

    it('never mixes statements of others into a transaction', async () => {
      const store = await open();
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const { promise: may, resolve: letFail } = Promise.withResolvers<void>();
      const failing = store.transaction(async (tx) => {
        await setSetting(tx, 'local', 'inside', 1);
        begin();
        await may;
        throw new Error('undone');
      });
      await begun;
      const outside = setSetting(store.db, 'local', 'outside', 1);
      const appended = store.appendEvents([delta('t', 1)]);
      letFail();
      await expect(failing).rejects.toThrow('undone');
      await outside;
      await appended;
      expect(await getSetting(store.db, 'local', 'inside')).toBeUndefined();
      expect(await getSetting(store.db, 'local', 'outside')).toBe(1);
      expect(await readEvents(store.db, 't')).toHaveLength(1);
    });

    it('refuses its own handle inside a transaction instead of waiting for ever', async () => {
      const store = await open();
      const nested: ((store: Store) => Promise<unknown>)[] = [
        (store) => getSetting(store.db, 'local', 'a'),
        (store) => store.transaction(async () => {}),
        (store) => store.appendEvents([delta('t', 1)]),
      ];
      for (const use of nested) {
        await expect(store.transaction(() => use(store))).rejects.toThrow('its own handle');
        await expect(store.snapshot(() => use(store))).rejects.toThrow('its own handle');
      }
      expect(await readEvents(store.db, 't')).toEqual([]);
    });

    it('shows a snapshot one moment only', async () => {
      const store = await open();
      await setSetting(store.db, 'local', 'a', 1);
      const { promise: looked, resolve: look } = Promise.withResolvers<void>();
      const { promise: may, resolve: goOn } = Promise.withResolvers<void>();
      const seen = store.snapshot(async (tx) => {
        const before = await getSetting(tx, 'local', 'a');
        look();
        await may;
        return [before, await getSetting(tx, 'local', 'a')];
      });
      await looked;
      const written = setSetting(store.db, 'local', 'a', 2);
      if (dialect === 'postgres') await written;
      goOn();
      expect(await seen).toEqual([1, 1]);
      await written;
      expect(await getSetting(store.db, 'local', 'a')).toBe(2);
    });

    it('appends events in order and gives their row ids', async () => {
      const store = await open();
      const first = await store.appendEvents([delta('t', 1), delta('u', 1), delta('t', 2)]);
      const second = await store.appendEvents([delta('t', 3)], 'full');
      const rows = [
        ['t', 1, first[0]],
        ['u', 1, first[1]],
        ['t', 2, first[2]],
        ['t', 3, second[0]],
      ];
      const journal = await readJournal(store.db);
      const found = journal.map(({ id, topicId, event }) => [topicId, event.seq, id]);
      expect(found).toHaveLength(4);
      expect(found).toEqual(expect.arrayContaining(rows));
      expect(await store.appendEvents([])).toEqual([]);
    });

    it('keeps all of one append or none of it', async () => {
      const store = await open();
      const seq = dialect === 'sqlite' ? 2n : 'no number';
      const broken = { ...delta('t', 2), seq: seq as unknown as number };
      await expect(store.appendEvents([delta('t', 1), broken])).rejects.toThrow();
      expect(await readEvents(store.db, 't')).toEqual([]);
    });

    it('keeps every text the same in both databases, NUL and lone surrogates replaced', async () => {
      const store = await open();
      const hostile = 'a\0b\ud800c\udc00d😀\u2028"\\u0000';
      const kept = 'a\ufffdb\ufffdc\ufffdd😀\u2028"\\u0000';
      // Both ways in which the journal keeps a delta.
      for (const [at, blockId] of ['m.0', 'b'].entries()) {
        await store.appendEvents([delta('t', at + 1, hostile, blockId)]);
        const [event] = await readEvents(store.db, 't', at);
        expect(event).toMatchObject({ messageId: 'm', blockId, offset: 0, text: kept });
      }
      await setSetting(store.db, 'local', 'k\0', { 'x\0': ['\udfff'] });
      expect(await getSetting(store.db, 'local', 'k\0')).toEqual({ 'x\ufffd': ['\ufffd'] });
    });

    if (dialect === 'sqlite') return;

    it('waits for the disk or not, as asked, in its transaction only', async () => {
      const store = await open();
      const level = async (db = store.db) => {
        const { rows } = await sql<{ level: string }>`
          select current_setting('synchronous_commit') as level`.execute(db);
        return rows[0]?.level;
      };
      expect(await store.transaction(level, 'relaxed')).toBe('off');
      expect(await store.transaction(level)).toBe('on');
      await store.appendEvents([delta('t', 1)], 'relaxed');
      expect(await level()).toBe('on');
    });

    it('says so when the server drops a connection, and goes on with another', async () => {
      const store = await open();
      const broken = store.transaction(async (tx) => {
        await setSetting(tx, 'local', 'a', 1);
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
      });
      await expect(broken).rejects.toMatchObject({ code: 'storage_unavailable' });
      expect(await getSetting(store.db, 'local', 'a')).toBeUndefined();
    });

    it('survives the loss of a connection that waits inside a transaction', async () => {
      const store = await open();
      const broken = store.transaction(async (tx) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
        const other = await openStore(await fresh());
        await sql`select pg_terminate_backend(${rows[0]?.pid ?? 0})`.execute(other.db);
        await other.close();
        await setSetting(tx, 'local', 'a', 1);
      });
      await expect(broken).rejects.toMatchObject({ code: 'storage_unavailable' });
      expect(await getSetting(store.db, 'local', 'a')).toBeUndefined();
    });
  });
});
