import { readdir } from 'node:fs/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Host } from '#chat/host/host.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import type { StoreOptions } from '#store/open-store.ts';
import { describeEachDatabase } from './databases.ts';
import {
  endedOrWaiting,
  holdNextExclusive,
  holdNextReading,
  holdNextTransaction,
} from './fixtures/held-store.ts';
import { ask, openHost, owner } from './host.ts';

const byToken = { owner, role: 'admin', credential: { kind: 'token', id: 'token' } } as const;
const command = { name: 's', command: process.execPath, args: ['server.js'] };
const address = { name: 's', baseUrl: 'https://server.test/mcp' };

async function open(place: StoreOptions): Promise<Host> {
  const host = await openHost(place);
  onTestFinished(() => host.close());
  return host;
}

async function addPerson(host: Host, role: 'admin' | 'user'): Promise<string> {
  const { id } = await host.users.add({ name: 'Ana', role });
  await host.enter(id);
  return id;
}

async function serversOf({ store }: Host, id: string) {
  const rows = store.db.selectFrom('servers').select(['shared', 'approved_hash as approved']);
  return rows.where('owner', '=', id).execute();
}

/** What comes of work whose transaction begins only after something else has happened. */
async function overtaken(host: Host, work: () => Promise<unknown>, first: () => Promise<unknown>) {
  const held = holdNextTransaction(host.store);
  const working = work().catch((error: unknown) => error);
  await Promise.race([held.reached, working]);
  await first();
  held.letGo();
  return working;
}

describe('an admin who becomes a user in the middle of a request', () => {
  describeEachDatabase((_open, fresh, dialect) => {
    it('approves no command any more', async () => {
      const host = await open(await fresh());
      const ana = await addPerson(host, 'admin');
      const { id, launchHash } = await host.servers.add(ana, command);
      const approve = () => host.servers.approve(ana, id, launchHash);
      const demote = () => host.users.update(owner, ana, { role: 'user' });
      expect(await overtaken(host, approve, demote)).toMatchObject({ code: 'admin_only' });
      expect(await serversOf(host, ana)).toEqual([{ shared: 0, approved: null }]);
    });

    it('shares nothing any more', async () => {
      const host = await open(await fresh());
      const ana = await addPerson(host, 'admin');
      const add = () => host.servers.add(ana, address);
      const demote = () => host.users.update(owner, ana, { role: 'user' });
      expect(await overtaken(host, add, demote)).toMatchObject({ code: 'admin_only' });
      expect(await serversOf(host, ana)).toEqual([]);
    });

    interface Ids {
      ana: string;
      ben: string;
      server: string;
      provider: string;
    }
    const ofTheHost: [string, (host: Host, ids: Ids) => Promise<unknown>][] = [
      ['adds no admin', (host, { ana }) => host.users.create(ana, { name: 'Eve', role: 'admin' })],
      ['makes none', (host, { ana, ben }) => host.users.update(ana, ben, { role: 'admin' })],
      ['removes nobody', (host, { ana, ben }) => host.users.delete(ana, ben)],
      ['opens no address', (host, { ana }) => host.settings.set(ana, { fetchAllow: ['::1'] })],
      ['removes no server', (host, { ana, server }) => host.servers.remove(ana, server)],
      ['removes no provider', (host, { ana, provider }) => host.providers.delete(ana, provider)],
    ];
    it.each(ofTheHost)('T87: %s any more', async (_, work) => {
      const host = await open(await fresh());
      const ana = await addPerson(host, 'admin');
      const { id: ben } = await host.users.add({ name: 'Ben', role: 'user' });
      const { id: server } = await host.servers.add(owner, address);
      const made = { name: 'openai', apiKey: 'key', models: ['m'] };
      const { id: provider } = await host.providers.create(owner, made);
      const demote = () => host.users.update(owner, ana, { role: 'user' });
      const late = await overtaken(host, () => work(host, { ana, ben, server, provider }), demote);
      expect(late).toMatchObject({ code: 'admin_only' });
      const people = (await host.users.list()).map(({ name, role }) => `${name} ${role}`);
      expect(people.toSorted()).toEqual([
        'Ana user',
        'Ben user',
        expect.stringContaining(' admin'),
      ]);
      expect(await host.settings.fetchAllow()).toEqual([]);
      expect(host.servers.get(owner, server)).toMatchObject({ name: 's' });
      expect((await host.providers.list(owner)).map(({ id }) => id)).toContain(provider);
    });

    // On SQLite writers wait for each other anyway.
    if (dialect === 'postgres')
      it('keeps nothing shared by a change that was begun', async () => {
        const host = await open(await fresh());
        const ana = await addPerson(host, 'admin');
        const { id } = await host.servers.add(ana, address);
        const held = holdNextReading(host.store, 'servers');
        const changing = host.servers.update(ana, id, { description: 'words' });
        await held.reached;
        const demoting = host.users.update(owner, ana, { role: 'user' });
        await endedOrWaiting(host.store, demoting);
        held.letGo();
        await Promise.allSettled([changing, demoting]);
        expect(await serversOf(host, ana)).toEqual([{ shared: 0, approved: null }]);
      });
  });
});

/** Resolves when no topic is left, neither seen nor hidden. */
async function swept({ store }: Host): Promise<void> {
  await expect.poll(() => store.db.selectFrom('topics').select('owner').execute()).toEqual([]);
}

describe('somebody who is removed in the middle of a request', () => {
  const provider = { name: 'openai', apiKey: 'key', models: ['m'] };
  const assistant = {
    name: 'A',
    systemPrompt: '',
    parameters: {},
    mcp: { enabled: true, mode: 'auto' as const, selectedServers: [] },
  };
  const works: [string, (host: Host, id: string) => Promise<unknown>][] = [
    ['server', (host, id) => host.servers.add(id, address)],
    ['assistant', (host, id) => host.assistants.create(id, assistant)],
    ['provider', (host, id) => host.providers.create(id, provider)],
    ['topic', (host, id) => host.topics.create(id, {})],
  ];

  describeEachDatabase((_open, fresh) => {
    it.each(works)('leaves no %s behind', async (_, work) => {
      const host = await open(await fresh());
      const ana = await addPerson(host, 'user');
      const late = await overtaken(
        host,
        () => work(host, ana),
        () => host.users.delete(owner, ana),
      );
      expect(late).toMatchObject({ code: 'unauthenticated' });
      for (const table of ['servers', 'assistants', 'providers', 'topics'] as const) {
        const rows = host.store.db.selectFrom(table).select('owner').where('owner', '=', ana);
        expect(await rows.execute(), table).toEqual([]);
      }
    });

    it('leaves no conversations behind that they import', async () => {
      const host = await open(await fresh());
      for (const title of ['one', 'two']) await host.topics.create(owner, { title });
      const lines = await Array.fromAsync(host.data.export(owner));
      await host.data.deleteTopics(owner);
      await swept(host);
      const ana = await addPerson(host, 'user');
      async function* bytes() {
        yield Buffer.from(lines.join(''));
      }
      const late = await overtaken(
        host,
        () => host.data.import(ana, bytes(), { dryRun: '0', existing: 'skip' }),
        () => host.users.delete(owner, ana),
      );
      expect(late).toMatchObject({ code: 'unauthenticated' });
      await swept(host);
    });
  });
});

describe('T87: a browser that is signed out in the middle of a request', () => {
  const key = { name: 'k', scopes: ['admin' as const] };
  const ends: [string, (host: Host, ana: string) => Promise<unknown>][] = [
    [
      'reset password',
      (host, ana) => host.users.update(owner, ana, { password: 'a new password' }),
    ],
    ['disabled person', (host, ana) => host.users.update(owner, ana, { disabled: true })],
    ['removed person', (host, ana) => host.users.delete(owner, ana)],
  ];

  /** Somebody with a sign-in of theirs. */
  async function signedIn(host: Host) {
    const ana = await addPerson(host, 'user');
    const { token } = await host.signIns.open(ana, 'oidc');
    const visitor = await host.signIns.visitor({ cookie: token });
    if (!visitor) throw new Error('nobody is signed in');
    return { ana, visitor };
  }

  describeEachDatabase((_open, fresh) => {
    it.each(ends)('makes no key after a %s', async (_, end) => {
      const host = await open(await fresh());
      const { ana, visitor } = await signedIn(host);
      const make = () => host.keys.create(visitor, key);
      const late = await overtaken(host, make, () => end(host, ana));
      expect(late).toMatchObject({ code: 'unauthenticated' });
      expect(await host.keys.list(ana)).toEqual([]);
    });

    it('is not signed in by a link of before that', async () => {
      const host = await open(await fresh());
      const { code } = await host.signIns.links.make();
      const use = () => host.signIns.redeem(code);
      const reset = () => host.users.update(owner, owner, { password: 'a new password' });
      expect(await overtaken(host, use, reset)).toBeUndefined();
      expect(await host.store.db.selectFrom('sign_ins').select('id').execute()).toEqual([]);
    });

    it('sets no password of its own after a reset', async () => {
      const host = await open(await fresh());
      const { ana, visitor } = await signedIn(host);
      const set = () =>
        host.signIns.setPassword(visitor, { password: 'words of a thief' }, { address: '' });
      const reset = () => host.users.update(owner, ana, { password: 'a new password' });
      expect(await overtaken(host, set, reset)).toMatchObject({ code: 'unauthenticated' });
      const given = { name: 'Ana', password: 'a new password' };
      await expect(host.signIns.withPassword(given, { address: '' })).resolves.toBeDefined();
    });
  });
});

describe('the same file, brought in twice at once', () => {
  describeEachDatabase((_open, fresh, dialect) => {
    async function exported(host: Host): Promise<() => AsyncGenerator<Uint8Array>> {
      const topic = await host.topics.create(owner, { title: 'one' });
      await ask(host, topic.id, 'Hello');
      const lines = await Array.fromAsync(host.data.export(owner));
      await host.data.deleteTopics(owner);
      await swept(host);
      return async function* bytes() {
        yield Buffer.from(lines.join(''));
      };
    }
    const query = { dryRun: '0', existing: 'skip' } as const;

    it('by one person comes in once', async () => {
      const place = await fresh();
      const host = await open(place);
      const bytes = await exported(host);
      const held = holdNextExclusive(host.store);
      const first = host.data.import(owner, bytes(), query);
      await held.reached;
      const second = host.data.import(owner, bytes(), query);
      // As many turns at the disk and the database as it would need to bring in the same.
      for (let n = 0; n < 50; n += 1) {
        await readdir(place.home);
        await host.topics.list(owner, { limit: 1 });
      }
      held.letGo();
      expect(await first).toMatchObject({ topics: 1, skippedTopics: 0 });
      expect(await second).toMatchObject({ topics: 0, skippedTopics: 1 });
      expect(await host.topics.list(owner, { limit: 10 })).toHaveLength(1);
    });

    // On SQLite writers wait for each other anyway.
    if (dialect === 'postgres')
      it('by two people comes in for both', async () => {
        const host = await open(await fresh());
        const bytes = await exported(host);
        const ana = await addPerson(host, 'user');
        const held = holdNextReading(host.store, 'messages');
        const imports = [host.data.import(owner, bytes(), query)];
        await held.reached;
        imports.push(host.data.import(ana, bytes(), query));
        await endedOrWaiting(host.store, imports[1] ?? Promise.resolve());
        held.letGo();
        expect(await Promise.all(imports)).toMatchObject([{ topics: 1 }, { topics: 1 }]);
      });
  });
});

describe('settings, while a file is brought in', () => {
  describeEachDatabase((_open, fresh) => {
    it('stay as they are set meanwhile', async () => {
      const host = await open(await fresh());
      await host.settings.set(owner, { fetchAllow: [], titleModel: 'demo/scripted' });
      const lines = await Array.fromAsync(host.data.export(owner));
      await host.settings.set(owner, { fetchAllow: [] });
      const catalog = host.models.of(owner);
      const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const resolve = async (name: string) => {
        asked.resolve();
        await answer.promise;
        return catalog.resolve(name);
      };
      vi.spyOn(host.models, 'of').mockReturnValue({ ...catalog, resolve });
      async function* bytes() {
        yield Buffer.from(lines.join(''));
      }
      const importing = host.data.import(owner, bytes(), { dryRun: '0', existing: 'skip' });
      await asked.promise;
      const set = { fetchAllow: ['10.0.0.7'], defaultModel: 'demo/scripted' };
      await host.settings.set(owner, set);
      answer.resolve();
      await importing;
      expect(await host.settings.get(owner)).toEqual({ ...set, titleModel: 'demo/scripted' });
    });
  });
});

describe('what there may be so many of', () => {
  describeEachDatabase((_open, fresh) => {
    it('stays within that, however many come at once', async () => {
      const host = await open(await fresh());
      const wanted = Array.from({ length: usualLimits.serversPerOwner + 10 }, (_, n) => n);
      const added = await Promise.allSettled(
        wanted.map((n) => host.servers.add(owner, { ...address, name: `s${n}` })),
      );
      const refused = added.filter((each) => each.status === 'rejected');
      for (const { reason } of refused) expect(reason).toMatchObject({ code: 'too_many_requests' });
      const own = host.servers.list(owner).filter(({ builtin }) => !builtin);
      expect(own.length).toBeLessThanOrEqual(usualLimits.serversPerOwner);
      expect((await serversOf(host, owner)).length).toBe(own.length);
      const keys = await Promise.allSettled(
        Array.from({ length: 110 }, () =>
          host.keys.create(byToken, { name: 'k', scopes: ['chat'] }),
        ),
      );
      for (const each of keys)
        if (each.status === 'rejected')
          expect(each.reason).toMatchObject({ code: 'too_many_requests' });
      expect(await host.keys.list(owner)).toHaveLength(100);
    });
  });
});
