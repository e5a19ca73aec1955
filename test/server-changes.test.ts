import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Host } from '#chat/host/host.ts';
import type { ServerView } from '#shared/api/api.ts';
import type { ServerAccess } from '#shared/vocabulary/server-access.ts';
import { insertPins } from '#store/calls/tool-pins.ts';
import { addDecisionRule, bumpPolicyVersion } from '#store/configuration/policy-rules.ts';
import { describeEachDatabase } from './databases.ts';
import { openHost, owner } from './host.ts';

const runs = { numRuns: 15 };
const address = 'https://old.test/mcp';
const stdio = {
  type: 'stdio',
  name: 's',
  command: 'npx',
  args: ['-y', 'thing@1.0.0'],
  env: { KEY: 'secret', B: '2' },
  cwd: '/tmp',
  registryUrl: 'https://registry.test/',
  autoApprove: ['t'],
};
const http = {
  name: 's',
  baseUrl: address,
  headers: { Authorization: 'Bearer old', 'X-Team': 'a' },
  auth: { clientId: 'me', clientSecret: 'old', authorizationServer: 'https://issuer.test' },
  autoApprove: ['t'],
};
const again = { headers: http.headers, auth: http.auth };

/** Everything that people said of a server, or stored for it. */
async function known(host: Host, { id }: ServerView) {
  const { rules, trustedServers, safeToRepeat } = await host.policy.read(owner);
  const own = rules.filter(({ serverId }) => serverId === id);
  const count = async (table: 'tool_pins' | 'credentials') =>
    (
      await host.store.db
        .selectFrom(table)
        .select('server_id')
        .where('server_id', '=', id)
        .execute()
    ).length;
  const { config } = host.servers.get(owner, id);
  return {
    allowed: own.some(({ action }) => action === 'allow'),
    denied: own.some(({ action }) => action === 'deny'),
    trusted: trustedServers.includes(id),
    safe: safeToRepeat.some(({ serverId }) => serverId === id),
    pins: await count('tool_pins'),
    credentials: await count('credentials'),
    autoApprove: (config as { autoApprove?: string[] }).autoApprove !== undefined,
  };
}

const everything = {
  allowed: true,
  denied: true,
  trusted: true,
  safe: true,
  pins: 1,
  credentials: 1,
  autoApprove: true,
};
const approvalsGone = { ...everything, allowed: false };
const allGone = {
  ...everything,
  allowed: false,
  trusted: false,
  safe: false,
  pins: 0,
  credentials: 0,
  autoApprove: false,
};
/** A command is approved before it runs again, and pinned anew then. */
const draft = { ...allGone, pins: 1 };

async function addKnown(host: Host, config: object): Promise<ServerView> {
  const added = await host.servers.add(owner, config);
  const { id, launchHash } = added;
  const server =
    added.state === 'draft' ? await host.servers.approve(owner, id, launchHash) : added;
  await host.policy.write(owner, {
    rules: [],
    trustedServers: [id],
    safeToRepeat: [{ serverId: id, toolName: 't' }],
  });
  await host.store.transaction(async (tx) => {
    await bumpPolicyVersion(tx, owner, 1);
    for (const [action, toolName] of [
      ['allow', 't'],
      ['deny', 'u'],
    ] as const)
      await addDecisionRule(tx, owner, { action, serverId: id, toolName }, 1);
    const pin = { serverId: id, toolName: 't', definitionHash: 'h', definition: {} };
    await insertPins(tx, owner, [pin], 1);
    const row = { owner, server_id: id, kind: 'tokens:local:', sealed: 's', updated_at: 1 };
    await tx
      .insertInto('credentials')
      .values({ ...row, expires_at: null })
      .execute();
  });
  expect(await known(host, server)).toEqual(everything);
  return server;
}

const text = fc.stringMatching(/^[a-z]{1,12}$/);
const other = (present: string) => text.filter((value) => value !== present);
/** Neither what is run nor what is reached. */
const harmless = fc.oneof(
  text.map((name) => ({ name })),
  fc.integer({ min: 1, max: 99 }).map((timeout) => ({ timeout })),
  fc.array(text, { maxLength: 3 }).map((disabledTools) => ({ disabledTools })),
  fc.boolean().map((disabled) => ({ disabled })),
  text.map((tag) => ({ tags: [tag] })),
  text.map((description) => ({ description })),
);
const launches = fc.oneof(
  other('npx').map((command) => ({ command })),
  text.map((version) => ({ args: ['-y', `thing@${version}`] })),
  fc.constant({ args: [] }),
  other('secret').map((KEY) => ({ env: { KEY, B: '2' } })),
  fc.constant({ env: { KEY: 'secret' } }),
  text.map((C) => ({ env: { ...stdio.env, C } })),
  text.map((folder) => ({ cwd: `/${folder}x` })),
  fc.constant({ cwd: null }),
  text.map((host) => ({ registryUrl: `https://${host}.example/` })),
  fc.constant({
    type: 'streamableHttp',
    baseUrl: address,
    command: null,
    args: null,
    env: null,
    cwd: null,
    registryUrl: null,
  }),
);
const folders = fc.uniqueArray(
  fc.record({ path: fc.constantFrom('/a', '/a/b', '/c'), write: fc.boolean() }),
  { minLength: 1, maxLength: 3, selector: ({ path }) => path },
);
const accesses: fc.Arbitrary<ServerAccess | null> = fc.option(
  fc.record({
    files: fc.oneof(
      fc.constantFrom('own' as const, 'everything' as const),
      folders.map((chosen) => ({ folders: chosen })),
    ),
    network: fc.boolean(),
  }),
);

/** Everything that an access gives, one by one. */
function grants(access: ServerAccess | null): Set<string> {
  const { files, network } = access ?? { files: 'everything', network: true };
  const places = ['/a', '/a/b', '/c', 'all'].flatMap((path) => [`read ${path}`, `write ${path}`]);
  const chosen = typeof files === 'string' ? [] : files.folders;
  const given = chosen.flatMap(({ path, write }) => [
    `read ${path}`,
    ...(write ? [`write ${path}`] : []),
  ]);
  return new Set([...(files === 'everything' ? places : given), ...(network ? ['network'] : [])]);
}

const sameAddress = fc.oneof(
  text.map((token) => ({ headers: { ...http.headers, Authorization: `Bearer ${token}` } })),
  fc.constant({ headers: { Authorization: 'Bearer old' } }),
  fc.constant({ headers: null }),
  text.map((value) => ({ headers: { ...http.headers, 'X-New': value } })),
  other('old').map((clientSecret) => ({ auth: { ...http.auth, clientSecret } })),
  other('me').map((clientId) => ({ auth: { ...http.auth, clientId } })),
  text.map((scope) => ({ auth: { ...http.auth, scopes: [scope] } })),
  fc.constant({ auth: null }),
);
const otherPath = text
  .filter((path) => path !== 'mcp')
  .map((path) => ({ baseUrl: `https://old.test/${path}` }));
const otherOrigin = fc.oneof(
  text.map((name) => ({ baseUrl: `https://${name}.example/mcp` })),
  fc.constant({ baseUrl: 'http://old.test/mcp' }),
  fc.integer({ min: 1024, max: 9999 }).map((port) => ({ baseUrl: `https://old.test:${port}/mcp` })),
);
/** As the page sends a config back that it was shown. */
const asShown = fc.constantFrom({}, { headers: { Authorization: '•••', 'X-Team': '•••' } });

describe('a change of a server that was approved and used (T07)', () => {
  describeEachDatabase((_open, fresh) => {
    async function start() {
      const host = await openHost(fresh);
      onTestFinished(() => host.close());
      const check = async (config: object, work: (server: ServerView) => Promise<void>) => {
        const server = await addKnown(host, config);
        await work(server);
        await host.servers.remove(owner, server.id);
      };
      const update = ({ id }: ServerView, change: object) => host.servers.update(owner, id, change);
      return { host, check, update };
    }

    it('of a command needs an approval again, and nothing that was said of the old one holds', async () => {
      const { host, check, update } = await start();
      const property = fc.asyncProperty(launches, (change) =>
        check(stdio, async (server) => {
          const changed = await update(server, change);
          const isHttp = 'type' in change;
          if (!isHttp) expect(changed.state).toBe('draft');
          expect(changed.launchHash).not.toBe(server.launchHash);
          expect(await known(host, server)).toEqual(isHttp ? allGone : draft);
        }),
      );
      await fc.assert(property, runs);
    });

    it('of its access needs an approval again exactly where it gives more', async () => {
      const { host, check, update } = await start();
      const property = fc.asyncProperty(accesses, accesses, (before, after) =>
        check({ ...stdio, access: before }, async (server) => {
          const isWider = !grants(after).isSubsetOf(grants(before));
          const changed = await update(server, { access: after });
          expect(changed.state).toBe(isWider ? 'draft' : 'idle');
          expect(await known(host, server)).toEqual(isWider ? approvalsGone : everything);
          const isSame = !isWider && grants(before).isSubsetOf(grants(after));
          expect(changed.launchHash === server.launchHash).toBe(isSame);
          // What was taken away is not there again without a person.
          const back = await update(server, { access: before });
          expect(back.launchHash).toBe(server.launchHash);
          if (!isWider && !isSame) expect(back.state).toBe('draft');
        }),
      );
      await fc.assert(property, { numRuns: 25 });
    });

    it('of its access and its command at once is one of its command', async () => {
      const { host, update } = await start();
      const server = await addKnown(host, stdio);
      const change = { access: { files: 'own', network: false }, args: ['-y', 'thing@2.0.0'] };
      expect((await update(server, change)).state).toBe('draft');
      expect(await known(host, server)).toEqual(draft);
    });

    it.each(['streamableHttp', 'sse'])(
      'of the address of a %s server leaves nothing to the new one',
      async (type) => {
        const { host, check, update } = await start();
        const moved = fc.oneof(
          otherPath,
          otherOrigin.map((change) => ({ ...change, ...again })),
          otherOrigin.map((change) => ({ ...change, headers: null, auth: null })),
        );
        const property = fc.asyncProperty(moved, fc.boolean(), (change, autoApproves) =>
          check({ ...http, type }, async (server) => {
            const wanted = autoApproves ? { autoApprove: ['t'] } : {};
            expect((await update(server, { ...change, ...wanted })).state).not.toBe('draft');
            expect(await known(host, server)).toEqual({ ...allGone, autoApprove: autoApproves });
          }),
        );
        await fc.assert(property, runs);
      },
    );

    it('of an address that is shared takes back what everybody said of it', async () => {
      const { host, update } = await start();
      const server = await addKnown(host, { ...http, type: 'streamableHttp' });
      const { id: member } = await host.users.create(owner, { name: 'member', role: 'admin' });
      const { id: serverId } = server;
      await host.policy.write(member, { rules: [], trustedServers: [serverId], safeToRepeat: [] });
      await host.store.transaction(async (tx) => {
        await bumpPolicyVersion(tx, member, 1);
        await addDecisionRule(tx, member, { action: 'allow', serverId, toolName: 't' }, 1);
      });
      await update(server, { baseUrl: 'https://new.example/mcp', ...again });
      expect(await host.policy.read(member)).toMatchObject({ rules: [], trustedServers: [] });
    });

    it.each(['streamableHttp', 'sse'])(
      'of the origin of a %s server takes no stored secret along',
      async (type) => {
        const { host, check, update } = await start();
        const moves = fc
          .tuple(otherOrigin, asShown)
          .map((parts) => Object.assign({}, ...parts) as object);
        const elsewhere = fc.oneof(
          moves,
          moves.map((change) => ({ ...change, headers: http.headers })),
          moves.map((change) => ({ ...change, auth: http.auth })),
          text.map((name) => ({
            auth: {
              ...http.auth,
              clientSecret: '•••',
              authorizationServer: `https://${name}.example`,
            },
          })),
        );
        const property = fc.asyncProperty(elsewhere, (change) =>
          check({ ...http, type }, async (server) => {
            await expect(update(server, change)).rejects.toMatchObject({ code: 'invalid_server' });
            expect(host.servers.get(owner, server.id).launchHash).toBe(server.launchHash);
            expect(await known(host, server)).toEqual(everything);
          }),
        );
        await fc.assert(property, runs);
      },
    );

    it.each(['streamableHttp', 'sse'])(
      'of a header or the sign-in of a %s server forgets approvals only',
      async (type) => {
        const { host, check, update } = await start();
        const property = fc.asyncProperty(sameAddress, (change) =>
          check({ ...http, type }, async (server) => {
            await update(server, change);
            expect(await known(host, server)).toEqual(approvalsGone);
          }),
        );
        await fc.assert(property, runs);
      },
    );

    it.each([stdio, { ...http, type: 'streamableHttp' }, { ...http, type: 'sse' }])(
      'of $type that changes neither, or nothing at all, keeps everything',
      async (config) => {
        const { host, check, update } = await start();
        const property = fc.asyncProperty(harmless, (change) =>
          check(config, async (server) => {
            await update(server, server.config as object);
            await update(server, config);
            const { state, launchHash } = await update(server, change);
            expect([state === 'draft', launchHash]).toEqual([false, server.launchHash]);
            expect(await known(host, server)).toEqual(everything);
          }),
        );
        await fc.assert(property, runs);
      },
    );
  });
});
