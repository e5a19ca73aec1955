import { existsSync, globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rotateSecrets } from '#chat/data/rotate-secrets.ts';
import { listProvidersWithKeys } from '#store/configuration/providers.ts';
import { openSecretBox } from '#store/configuration/secrets.ts';
import { listServers } from '#store/configuration/servers.ts';
import type { Store } from '#store/database/store.ts';
import type { StoreOptions } from '#store/open-store.ts';
import { createCredentials } from '#store/people/credentials.ts';
import { insertFlow } from '#store/people/sign-in-flows.ts';
import { describeEachDatabase } from './databases.ts';
import { run } from './fixtures/cerise-in-process.ts';
import * as real from './fixtures/cerise-process.ts';
import { hostSays } from './e2e/texts.ts';
import { openHost, owner } from './host.ts';

const source = join(import.meta.dirname, '../src');
const oldKey = 'a'.repeat(64);
const newKey = 'b'.repeat(64);
const stdio = { type: 'stdio', name: 'files', command: 'true', env: { KEY: 'of the environment' } };
const http = {
  type: 'streamableHttp',
  name: 'remote',
  baseUrl: 'https://mcp.test/mcp',
  headers: { Authorization: 'Bearer of the header' },
  auth: { clientId: 'me', clientSecret: 'of the client' },
};
const words = [
  'of the environment',
  'of the header',
  'of the client',
  'of the vendor',
  'of the search',
  'of the sign-in',
  'of the flow',
];

it('knows every place that seals', () => {
  const sealing = globSync('**/*.ts', { cwd: source })
    .filter(
      (file) => !file.endsWith('.test.ts') && file !== join('store', 'configuration', 'secrets.ts'),
    )
    .map((file) => readFileSync(join(source, file), 'utf8'))
    .filter((text) => text.includes('.seal('));
  const known = sealing.map((text) => /export async function (reseal\w+)/.exec(text)?.[1]);
  const rotation = readFileSync(join(source, 'chat/data/rotate-secrets.ts'), 'utf8');
  const [, listed = ''] = /const places = \[([^\]]*)\]/.exec(rotation) ?? [];
  expect(new Set(known)).toEqual(new Set(listed.match(/\w+/g)));
});

describe('another key for stored secrets (T24)', () => {
  describeEachDatabase((open, fresh) => {
    /** Data with a secret in every place that seals. */
    async function furnish(secretKey?: string): Promise<StoreOptions & { secretKey?: string }> {
      const place = { ...(await fresh()), ...(secretKey && { secretKey }) };
      const host = await openHost(place);
      const server = await host.servers.add(owner, stdio);
      await host.servers.add(owner, http);
      await host.providers.create(owner, {
        name: 'vendor',
        kind: 'openai',
        apiKey: 'of the vendor',
        models: [],
      });
      const webSearch = { kind: 'brave' as const, apiKey: 'of the search' };
      await host.settings.set(owner, { fetchAllow: [], webSearch });
      const box = await openSecretBox(host.store.db, place);
      const port = createCredentials(host.store, box);
      const at = { owner, serverId: server.id, kind: 'tokens' as const, name: 'x' };
      await port.write(at, { token: 'of the sign-in' });
      const sealed = box.seal('of the flow', 'sign-in-flow:state');
      const flow = {
        stateHash: 'state',
        browserHash: 'browser',
        expiresAt: Date.now() + 3_600_000,
      };
      await insertFlow(host.store.db, { ...flow, sealed }, Date.now());
      await host.close();
      return place;
    }

    /** Every secret in the clear, as a host with this key reads it. */
    async function secretsOf(place: StoreOptions & { secretKey?: string }): Promise<string> {
      const host = await openHost(place);
      onTestFinished(() => host.close());
      const { store } = host;
      const box = await openSecretBox(store.db, place);
      const servers = await listServers(store.db, box, owner);
      const serverId = servers.find(({ config }) => config.type === 'stdio')?.id ?? '';
      const at = { owner, serverId, kind: 'tokens' as const, name: 'x' };
      const flow = await store.db.selectFrom('sign_in_flows').selectAll().executeTakeFirst();
      const all = [
        servers,
        await listProvidersWithKeys(store.db, box, owner),
        await createCredentials(store, box).read(at),
        await host.settings.webSearch(),
        flow && box.open(flow.sealed, 'sign-in-flow:state'),
      ];
      await host.close();
      return JSON.stringify(all);
    }

    const expectAll = async (place: StoreOptions & { secretKey?: string }) => {
      const found = await secretsOf(place);
      expect(words.filter((word) => !found.includes(word))).toEqual([]);
    };

    /** All sealed values in the tables that have any. */
    async function sealedIn(store: Store): Promise<string[]> {
      const rows = [];
      for (const table of [
        'settings',
        'servers',
        'providers',
        'credentials',
        'sign_in_flows',
      ] as const)
        rows.push(await store.db.selectFrom(table).selectAll().execute());
      return JSON.stringify(rows).match(/v1\.[A-Za-z0-9_-]{38,}/g) ?? [];
    }

    const keyIn = async ({ home }: StoreOptions) =>
      (await readFile(join(home, 'secret.key'), 'utf8')).trim();

    it('given by a setting opens everything, and the old one nothing', async () => {
      const place = await furnish(oldKey);
      const before = await open(place);
      const old = await sealedIn(before);
      expect(old.length).toBe(8);
      await before.close();
      expect(await rotateSecrets(place, newKey)).toEqual({
        records: 6,
        keptIn: 'setting',
        wasDone: false,
      });
      const after = await open(place);
      expect((await sealedIn(after)).filter((sealed) => old.includes(sealed))).toEqual([]);
      await after.close();
      await expect(openHost(place)).rejects.toMatchObject({ code: 'wrong_key' });
      await expectAll({ ...place, secretKey: newKey });
      expect(await rotateSecrets(place, newKey)).toMatchObject({ wasDone: true });
      await expectAll({ ...place, secretKey: newKey });
    });

    it('in a new file takes the place of the old file', async () => {
      const place = await furnish();
      const old = await keyIn(place);
      expect(await rotateSecrets(place, undefined)).toMatchObject({ records: 6, keptIn: 'file' });
      expect(await keyIn(place)).not.toBe(old);
      expect(existsSync(join(place.home, 'secret.key.next'))).toBe(false);
      await expectAll(place);
      await expect(openHost(place, { secretKey: old })).rejects.toMatchObject({
        code: 'wrong_key',
      });
    });

    it('is refused with the wrong old key, a bad new one, and while a host runs', async () => {
      const place = await furnish(oldKey);
      await expect(
        rotateSecrets({ ...place, secretKey: newKey }, 'c'.repeat(64)),
      ).rejects.toMatchObject({
        code: 'wrong_key',
      });
      await expect(rotateSecrets(place, 'short')).rejects.toMatchObject({
        code: 'bad_setting',
        message: expect.stringContaining('CERISE_NEW_SECRET_KEY'),
      });
      const host = await openHost(place);
      await expect(rotateSecrets(place, newKey)).rejects.toMatchObject({ code: 'data_in_use' });
      await host.close();
      await expectAll(place);
    });

    it.each([
      ['before the data are sealed anew', 'before-commit', false],
      ['before the new file is in place', 'after-commit', true],
    ])('that is killed %s loses nothing', async (_, point, isSealed) => {
      const place = await furnish();
      const old = await keyIn(place);
      const env = {
        CERISE_HOME: place.home,
        ...(place.databaseUrl && { CERISE_DATABASE_URL: place.databaseUrl }),
        CERISE_ALLOW_FAULTS: '1',
        // The transaction that looks at the migrations comes before it.
        CERISE_FAULT: `${point}:2:kill`,
      };
      expect(await real.run(['secrets', 'rotate'], env)).toMatchObject({ code: 'SIGKILL' });
      expect(await keyIn(place)).toBe(old);
      expect(existsSync(join(place.home, 'secret.key.next'))).toBe(true);
      await expectAll(place);
      expect((await keyIn(place)) === old).toBe(!isSealed);
      expect(existsSync(join(place.home, 'secret.key.next'))).toBe(false);
      const again = await run(['secrets', 'rotate'], { ...env, CERISE_FAULT: '' });
      expect(again).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(hostSays('cli-rotated', 6)),
      });
      expect(await keyIn(place)).not.toBe(old);
      await expectAll(place);
    });
  });
});
