import { describe, expect, it } from 'vitest';
import { CeriseError } from '#shared/errors/errors.ts';
import { collectPages, type ListKind } from './pages.ts';

const numbers: ListKind<number> = {
  method: 'numbers/list',
  field: 'numbers',
  key: String,
  read(entry, note) {
    if (typeof entry === 'number') return entry;
    note('no number');
    return undefined;
  },
};

async function collect(pages: unknown[], most = 100, limit?: number) {
  const notes: string[] = [];
  const asked: (string | undefined)[] = [];
  const result = await collectPages(
    async (cursor) => {
      asked.push(cursor);
      return pages[Math.min(asked.length, pages.length) - 1];
    },
    numbers,
    { most, note: (text) => notes.push(text), ...(limit && { pages: limit }) },
  );
  return { ...result, notes, asked };
}

describe('collectPages', () => {
  it('reads all pages; an empty cursor is a cursor and null is none', async () => {
    const { value, asked, notes } = await collect([
      { numbers: [1], nextCursor: '' },
      { numbers: [2], nextCursor: 'x' },
      { numbers: [3], nextCursor: null },
    ]);
    expect(value).toEqual([1, 2, 3]);
    expect(asked).toEqual([undefined, '', 'x']);
    expect(notes).toEqual([]);
  });

  it('T49 ends at a repeated cursor and after the last page allowed', async () => {
    const repeated = await collect([{ numbers: [1], nextCursor: 'a' }]);
    expect(repeated.asked).toHaveLength(2);
    expect(repeated.notes).toContain('The list of numbers does not end; 2 pages were read.');
    const endless = Array.from({ length: 60 }, (_, at) => ({
      numbers: [at],
      nextCursor: `c${at}`,
    }));
    expect((await collect(endless)).value).toHaveLength(50);
    expect((await collect(endless, 100, 3)).value).toEqual([0, 1, 2]);
  });

  it('T49 takes no more entries than allowed, looks at no more than twice as many', async () => {
    const many = { numbers: Array.from({ length: 100_000 }, (_, at) => at), nextCursor: 'x' };
    const { value, notes, asked } = await collect([many], 500);
    expect(value).toHaveLength(500);
    expect(asked).toHaveLength(1);
    expect(notes).toEqual(['Only the first 500 numbers are used.']);
    const rubbish = { numbers: Array.from({ length: 100_000 }, () => 'x') };
    const poor = await collect([rubbish], 500);
    expect(poor.value).toEqual([]);
    expect(poor.notes).toHaveLength(22);
    expect(poor.notes.at(-1)).toBe('980 more notes on the numbers are left out.');
  });

  it('drops strange entries and repeated ones, and keeps the rest', async () => {
    const { value, notes } = await collect([{ numbers: [1, 'two', null, 1, 3] }]);
    expect(value).toEqual([1, 3]);
    expect(notes).toEqual(['no number', 'no number', '1 is listed twice among the numbers.']);
  });

  it.each([null, [], 'text', {}, { numbers: 'x' }, { numbers: { length: 3 } }])(
    'refuses %j as a page',
    async (page) => {
      const failure = collect([page]);
      await expect(failure).rejects.toBeInstanceOf(CeriseError);
      await expect(failure).rejects.toMatchObject({ code: 'unreadable_response' });
    },
  );

  it('gives the narrowest of the hints about keeping the list', async () => {
    const first = { numbers: [], nextCursor: 'a', ttlMs: 5000, cacheScope: 'public' };
    expect(await collect([first, { numbers: [], ttlMs: 90, cacheScope: 'private' }])).toMatchObject(
      { ttlMs: 90, cacheScope: 'private' },
    );
    expect(await collect([first, { numbers: [] }])).toMatchObject({ ttlMs: 5000 });
    expect(await collect([{ numbers: [], ttlMs: -1 }])).toMatchObject({
      ttlMs: 0,
      cacheScope: 'private',
    });
    expect(await collect([{ numbers: [], ttlMs: 'long' }])).not.toHaveProperty('ttlMs');
  });
});
