import { describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../test/databases.ts';
import { beginIdempotent, finishIdempotent } from './idempotency.ts';

const answer = { status: 202, body: '{"id":1}' };
const minute = 60_000;

describe('an idempotency key', () => {
  describeEachDatabase((open, fresh, dialect) => {
    it('is new once, then running, then answers what was answered', async () => {
      const { db } = await open();
      expect(await beginIdempotent(db, 'local', 'k', 'h')).toBe('new');
      expect(await beginIdempotent(db, 'local', 'k', 'h')).toBe('running');
      expect(await beginIdempotent(db, 'local', 'k', 'other')).toBe('mismatch');
      expect(await beginIdempotent(db, 'other', 'k', 'h')).toBe('new');
      await finishIdempotent(db, 'local', 'k', answer);
      expect(await beginIdempotent(db, 'local', 'k', 'h')).toEqual(answer);
      expect(await beginIdempotent(db, 'local', 'k', 'other')).toBe('mismatch');
    });

    it('is free again when the request failed', async () => {
      const { db } = await open();
      await beginIdempotent(db, 'local', 'k', 'h');
      await finishIdempotent(db, 'local', 'k');
      expect(await beginIdempotent(db, 'local', 'k', 'h')).toBe('new');
    });

    it('lets one of two requests at the same time do the work; the other gets its answer', async () => {
      const store = await open();
      let done = 0;
      const request = () =>
        store.transaction(async (tx) => {
          const begun = await beginIdempotent(tx, 'local', 'k', 'h');
          if (begun !== 'new') return begun;
          done++;
          await finishIdempotent(tx, 'local', 'k', answer);
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
        await beginIdempotent(tx, 'local', 'k', 'h');
        await finishIdempotent(tx, 'local', 'k', answer);
        throw new Error('crash');
      });
      await expect(failed).rejects.toThrow('crash');
      expect(await beginIdempotent(store.db, 'local', 'k', 'h')).toBe('new');
    });

    it('is taken over from who died with it, and the dead cannot finish', async () => {
      const { db } = await open();
      const begin = (now: number) => beginIdempotent(db, 'local', 'k', 'h', now);
      expect(await begin(0)).toBe('new');
      expect(await begin(14 * minute)).toBe('running');
      expect(await begin(16 * minute)).toBe('new');
      await finishIdempotent(db, 'local', 'k', answer);
      const late = finishIdempotent(db, 'local', 'k', answer);
      await expect(late).rejects.toMatchObject({ code: 'conflict' });
      expect(await begin(25 * 60 * minute)).toBe('new');
    });

    if (dialect === 'postgres') return;
    it('is free after a restart of the one process', async () => {
      const place = await fresh();
      const first = await open(place);
      await beginIdempotent(first.db, 'local', 'k', 'h');
      await beginIdempotent(first.db, 'local', 'done', 'h');
      await finishIdempotent(first.db, 'local', 'done', answer);
      await first.close();
      const { db } = await open(place);
      expect(await beginIdempotent(db, 'local', 'k', 'h')).toBe('new');
      expect(await beginIdempotent(db, 'local', 'done', 'h')).toEqual(answer);
    });
  });
});
