import { describe, expect, it } from 'vitest';
import type { Origin } from '#shared/vocabulary/origin.ts';
import { describeEachDatabase } from '../../../test/databases.ts';
import { findOrigins, forgetOrigins, listUntrusted, noteOrigins } from './provenance.ts';

const origins: Origin[] = [{ from: 'tool', serverName: 'web', toolName: 'fetch', at: 1 }];
const place = 'files';

describe('where words came from', () => {
  describeEachDatabase((open) => {
    it('is known for each owner apart, under the same names', async () => {
      const { db } = await open();
      for (const owner of ['local', 'other'])
        await noteOrigins(db, { owner, place, keys: ['a', 'b'], origins, at: 1 });
      await forgetOrigins(db, 'local', place, ['a']);
      await noteOrigins(db, { owner: 'local', place, keys: ['b'], origins: [], at: 2 });
      expect(await findOrigins(db, 'local', place, ['a', 'b'])).toEqual(new Map([['b', []]]));
      expect(await listUntrusted(db, 'local', place)).toEqual([]);
      expect(await findOrigins(db, 'other', place, ['a', 'b'])).toEqual(
        new Map([
          ['a', origins],
          ['b', origins],
        ]),
      );
    });
  });
});
