import { describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../../test/databases.ts';
import { beginIdempotent, finishIdempotent, freeDeadClaim } from './idempotency.ts';
import { beat, removeInstance } from './leases.ts';

const answer = { status: 202, body: '{"id":1}' };
const minute = 60_000;
const claim = (more: object = {}) => ({
  owner: 'local',
  key: 'k',
  requestHash: 'h',
  instance: 'one',
  ...more,
});

describe('an idempotency key', () => {
  describeEachDatabase((open, fresh, dialect) => {
    it('is new once, then running, then answers what was answered', async () => {
      const { db } = await open();
      expect(await beginIdempotent(db, claim())).toBe('new');
      expect(await beginIdempotent(db, claim())).toEqual({ runningOn: 'one' });
      expect(await beginIdempotent(db, claim({ requestHash: 'other' }))).toBe('mismatch');
      expect(await beginIdempotent(db, claim({ owner: 'other' }))).toBe('new');
      await finishIdempotent(db, claim(), answer);
      expect(await beginIdempotent(db, claim())).toEqual(answer);
      expect(await beginIdempotent(db, claim({ requestHash: 'other' }))).toBe('mismatch');
    });

    it('is free again when the request failed', async () => {
      const { db } = await open();
      await beginIdempotent(db, claim());
      await finishIdempotent(db, claim());
      expect(await beginIdempotent(db, claim())).toBe('new');
    });

    it('is each person’s own, whatever becomes of the same key of another', async () => {
      const { db } = await open();
      const theirs = claim({ owner: 'other' });
      for (const one of [claim(), theirs]) await beginIdempotent(db, one, 0);
      expect(await beginIdempotent(db, claim(), 16 * minute)).toBe('new');
      expect(await beginIdempotent(db, theirs, 1)).toEqual({ runningOn: 'one' });
      await finishIdempotent(db, claim());
      expect(await beginIdempotent(db, theirs, 1)).toEqual({ runningOn: 'one' });
      await beginIdempotent(db, claim(), 1);
      await finishIdempotent(db, claim(), answer);
      expect(await beginIdempotent(db, theirs, 1)).toEqual({ runningOn: 'one' });
      expect(await beginIdempotent(db, claim(), 1)).toEqual(answer);
    });

    it('lets one of two requests at the same time do the work; the other gets its answer', async () => {
      const store = await open();
      let done = 0;
      const request = () =>
        store.transaction(async (tx) => {
          const begun = await beginIdempotent(tx, claim());
          if (begun !== 'new') return begun;
          done++;
          await finishIdempotent(tx, claim(), answer);
          return answer;
        });
      expect(await Promise.all([request(), request(), request()])).toEqual([
        answer,
        answer,
        answer,
      ]);
      expect(done).toBe(1);
    });

    it('leaves nothing when the transaction of its effect is undone', async () => {
      const store = await open();
      const failed = store.transaction(async (tx) => {
        await beginIdempotent(tx, claim());
        await finishIdempotent(tx, claim(), answer);
        throw new Error('crash');
      });
      await expect(failed).rejects.toThrow('crash');
      expect(await beginIdempotent(store.db, claim())).toBe('new');
    });

    it('is taken over from who died with it, and the dead cannot finish', async () => {
      const { db } = await open();
      const begin = (now: number) => beginIdempotent(db, claim(), now);
      expect(await begin(0)).toBe('new');
      expect(await begin(14 * minute)).toEqual({ runningOn: 'one' });
      expect(await begin(16 * minute)).toBe('new');
      await finishIdempotent(db, claim(), answer);
      const late = finishIdempotent(db, claim(), answer);
      await expect(late).rejects.toMatchObject({ code: 'conflict' });
      expect(await begin(25 * 60 * minute)).toBe('new');
    });

    it('is finished only by who has it', async () => {
      const { db } = await open();
      await beginIdempotent(db, claim());
      const other = claim({ instance: 'two' });
      await finishIdempotent(db, other);
      await expect(finishIdempotent(db, other, answer)).rejects.toMatchObject({ code: 'conflict' });
      expect(await beginIdempotent(db, other)).toEqual({ runningOn: 'one' });
    });

    if (dialect === 'postgres') {
      it('is free again as soon as the host that has it is gone, and not before', async () => {
        const { db } = await open();
        await beat(db, 'one');
        expect(await beginIdempotent(db, claim())).toBe('new');
        const other = claim({ instance: 'two' });
        await freeDeadClaim(db, other, 'one');
        expect(await beginIdempotent(db, other)).toEqual({ runningOn: 'one' });
        await removeInstance(db, 'one');
        await freeDeadClaim(db, other, 'one');
        expect(await beginIdempotent(db, other)).toBe('new');
        const late = finishIdempotent(db, claim(), answer);
        await expect(late).rejects.toMatchObject({ code: 'conflict' });
        await finishIdempotent(db, other, answer);
        await removeInstance(db, 'two');
        await freeDeadClaim(db, claim(), 'two');
        expect(await beginIdempotent(db, claim())).toEqual(answer);
      });
      return;
    }
    it('is free after a restart of the one process', async () => {
      const place = await fresh();
      const first = await open(place);
      await beginIdempotent(first.db, claim());
      await beginIdempotent(first.db, claim({ key: 'done' }));
      await finishIdempotent(first.db, claim({ key: 'done' }), answer);
      await first.close();
      const { db } = await open(place);
      expect(await beginIdempotent(db, claim())).toBe('new');
      expect(await beginIdempotent(db, claim({ key: 'done' }))).toEqual(answer);
    });
  });
});
