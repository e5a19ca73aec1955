import { describe, expect, it } from 'vitest';
import { createSecretBox } from '../configuration/secrets.ts';
import { deleteServer, insertServer } from '../configuration/servers.ts';
import { type Open, describeEachDatabase } from '../../../test/databases.ts';
import { flow, testCredentialPort, tokens } from '../../../test/fixtures/credential-port.ts';
import { createCredentials } from './credentials.ts';

const box = createSecretBox(Buffer.alloc(32, 7));
const canary = 'canary-refresh-token';

async function openWithServers(open: Open) {
  const store = await open();
  for (const id of ['srv', 'other']) {
    await insertServer(store.db, box, {
      id,
      owner: 'ann',
      config: { type: 'inMemory', name: id, builtin: 'time' },
      createdAt: 1,
      updatedAt: 1,
    });
  }
  return store;
}

describeEachDatabase((open) => {
  describe('stored credentials', () => {
    testCredentialPort(async (now) => createCredentials(await openWithServers(open), box, now));

    it('are refused of a server that is gone, as they may come long after they were asked for', async () => {
      const store = await openWithServers(open);
      const port = createCredentials(store, box);
      await deleteServer(store.db, 'ann', 'srv');
      await expect(port.write(tokens, {})).rejects.toMatchObject({ code: 'conflict' });
    });

    it('T24: are unreadable in the database, and only in their own row readable at all', async () => {
      const store = await openWithServers(open);
      const port = createCredentials(store, box);
      await port.write(tokens, { refreshToken: canary });
      await port.write({ ...tokens, serverId: 'other' }, { refreshToken: 'of the other' });
      const rows = await store.db.selectFrom('credentials').selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(canary);
      const [sealed] = rows.filter(({ server_id: id }) => id === 'other').map((row) => row.sealed);
      await store.db
        .updateTable('credentials')
        .set({ sealed })
        .where('server_id', '=', 'srv')
        .execute();
      await expect(port.read(tokens)).rejects.toMatchObject({ code: 'wrong_key' });
      const otherKey = createCredentials(store, createSecretBox(Buffer.alloc(32, 8)));
      await expect(otherKey.read({ ...tokens, serverId: 'other' })).rejects.toMatchObject({
        code: 'wrong_key',
      });
    });

    it('end with their server, and flows that ran out are removed', async () => {
      const store = await openWithServers(open);
      const port = createCredentials(store, box, () => 5000);
      await port.write(flow, { verifier: 'v' }, 4000);
      await port.write(tokens, { a: 1 });
      const count = async (): Promise<number> =>
        (await store.db.selectFrom('credentials').select('kind').execute()).length;
      expect(await count()).toBe(1);
      await store.db.deleteFrom('servers').where('id', '=', 'srv').execute();
      expect(await count()).toBe(0);
    });
  });
});
