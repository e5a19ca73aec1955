import type { KyselyPlugin } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { ServerRecord } from '#shared/server.ts';
import { deleteServer, insertServer, updateServer } from '#store/servers.ts';
import type { Store } from '#store/store.ts';
import { describeEachDatabase } from '../../test/databases.ts';
import { approved, testService } from '../../test/fakes/mcp-servers.ts';
import { LoadedServers } from './loaded-servers.ts';
import { SessionServers } from './session-servers.ts';

const owner = 'local';
const box = { seal: (text: string) => text, open: (text: string) => text };
const server = (name: string) =>
  approved({ type: 'streamableHttp', name, baseUrl: 'https://server.test/mcp' });

/** The store, whose answers to reads wait while `hold` holds them. */
function holding(store: Store) {
  let gate: Promise<void> | undefined;
  const slow: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await gate;
      return result;
    },
  };
  const hold = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return resolve;
  };
  return { store: { ...store, db: store.db.withPlugin(slow) }, hold };
}

describe('servers in memory, while the store is read', () => {
  describeEachDatabase((open) => {
    async function start(...records: ServerRecord[]) {
      const real = await open();
      for (const record of records) await insertServer(real.db, box, record);
      const { store, hold } = holding(real);
      const mcp = testService();
      const users = { isAdmin: () => true, admins: () => [owner] };
      const loaded = new LoadedServers({
        store,
        mcp,
        sessions: new SessionServers(mcp, { createService: () => testService() }),
        box,
        users,
        builtins: [],
        isBusy: () => false,
        now: Date.now,
      });
      await loaded.start();
      const names = () => loaded.own(owner).map(({ config }) => config.name);
      return { db: real.db, loaded, hold, names };
    }

    it('stay when they were added after the question', async () => {
      const { db, loaded, hold, names } = await start();
      const answer = hold();
      const reading = loaded.reload();
      const added = server('new');
      await insertServer(db, box, added);
      await loaded.set(added);
      answer();
      await reading;
      expect(names()).toEqual(['new']);
      await loaded.reload();
      expect(names()).toEqual(['new']);
    });

    it('keep the newer of two versions', async () => {
      const first = server('first');
      const { db, loaded, hold, names } = await start(first);
      const named = (name: string, later: number): ServerRecord => ({
        ...first,
        config: { ...first.config, name },
        updatedAt: first.updatedAt + later,
      });
      await updateServer(db, box, named('second', 1));
      const answer = hold();
      const reading = loaded.reload();
      await loaded.set(named('third', 2));
      answer();
      await reading;
      expect(names()).toEqual(['third']);
    });

    it('stay away once they are removed', async () => {
      const first = server('first');
      const { db, loaded, hold, names } = await start(first);
      await updateServer(db, box, { ...first, updatedAt: first.updatedAt + 1 });
      const answer = hold();
      const reading = loaded.reload();
      await deleteServer(db, owner, first.id);
      await loaded.remove(first.id);
      answer();
      await reading;
      expect(names()).toEqual([]);
    });

    it('come, change and go with what another host does', async () => {
      const [first, second] = [server('first'), server('second')];
      const { db, loaded, names } = await start(first);
      await insertServer(db, box, second);
      await loaded.reload();
      expect(names()).toEqual(['first', 'second']);
      const changed = { ...second, config: { ...second.config, name: 'other' } };
      await updateServer(db, box, { ...changed, updatedAt: second.updatedAt + 1 });
      await deleteServer(db, owner, first.id);
      await loaded.reload();
      expect(names()).toEqual(['other']);
    });
  });
});
