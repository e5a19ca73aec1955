import { setImmediate } from 'node:timers/promises';
import type { KyselyPlugin } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import {
  deleteServer,
  insertServer,
  listServers,
  updateServer,
} from '#store/configuration/servers.ts';
import type { Store } from '#store/database/store.ts';
import { describeEachDatabase } from '../../../test/databases.ts';
import { approved, testService } from '../../../test/fakes/mcp-servers.ts';
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
  /** What it gives lets go, or, with an error, lets the read fail. */
  const hold = (): ((error?: Error) => void) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    promise.catch(() => undefined);
    gate = promise;
    return (error) => (error ? reject(error) : resolve());
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
      const clock = { now: 0 };
      const users = { isAdmin: (id: string) => id === owner, admins: () => [owner] };
      const loaded = new LoadedServers({
        store,
        mcp,
        sessions: new SessionServers(mcp, {
          createService: () => testService(),
          limits: usualLimits,
        }),
        box,
        users,
        builtins: [],
        isBusy: () => false,
        onRemoved: () => undefined,
        now: () => clock.now,
      });
      await loaded.start();
      const names = () => loaded.own(owner).map(({ config }) => config.name);
      return { db: real.db, loaded, mcp, clock, hold, names };
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

    it('stay away where their owner is forgotten meanwhile', async () => {
      const { loaded, hold } = await start({ ...server('of Ana'), owner: 'ana' });
      const answer = hold();
      const entering = loaded.prepare('ana');
      await loaded.unload('ana');
      answer();
      await entering;
      expect(loaded.own('ana')).toEqual([]);
      await loaded.prepare('ana');
      expect(loaded.own('ana')).toHaveLength(1);
    });

    it("that cannot be read are nobody else's trouble while those of the idle end", async () => {
      const { db, loaded, mcp, clock, hold } = await start({ ...server('of Ana'), owner: 'ana' });
      await loaded.prepare('ana');
      clock.now += 31 * 60_000;
      const ended = Promise.withResolvers<void>();
      vi.spyOn(mcp, 'removeServer').mockReturnValue(ended.promise);
      const unhandled: unknown[] = [];
      const note = (error: unknown) => void unhandled.push(error);
      process.on('unhandledRejection', note);
      onTestFinished(() => void process.off('unhandledRejection', note));
      const fail = hold();
      const entering = loaded.prepare('ben').catch((error: unknown) => error);
      fail(new Error('the database is away'));
      // Longer than the failure takes to come: a server may take its time to end.
      for (let n = 0; n < 20; n += 1) await listServers(db, box, owner);
      await setImmediate();
      ended.resolve();
      expect(await entering).toMatchObject({ message: 'the database is away' });
      expect(unhandled).toEqual([]);
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
