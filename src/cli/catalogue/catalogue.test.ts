import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { helloBundle, settings } from '../../../test/fixtures/bundles.ts';
import { listed, npm, serverRegistry } from '../../../test/fakes/server-registry.ts';
import { run, startServer } from '../../../test/fixtures/cerise-in-process.ts';
import { freshPlace } from '../../../test/fixtures/http.ts';

const weather = (version: string, more: object = {}) =>
  listed('io.test/weather', {
    version,
    title: 'Weather',
    packages: [
      npm('weather', {
        version,
        packageArguments: [{ type: 'positional', valueHint: 'city', isRequired: true }],
        environmentVariables: [{ name: 'API_KEY', isSecret: true, isRequired: true }],
        ...more,
      }),
    ],
    remotes: [{ type: 'sse', url: 'https://weather.example.com/sse' }],
  });

async function start(all = [weather('1.0.0')], more: Record<string, string> = {}) {
  const { home } = await freshPlace();
  const env = { CERISE_HOME: home, CERISE_DEMO_PACE: '0', API_KEY: 'canary-key', ...more };
  const registry = await serverRegistry(all);
  const server = await startServer(env);
  await server.json('PUT', '/api/registry', { registries: [] });
  return { home, registry, server, mcp: (...args: string[]) => run(['mcp', ...args], env) };
}

describe('the catalogue in the terminal', () => {
  it('asks for settings by the names that they are set by', async () => {
    const dir = { type: 'named', name: '--dir', isRequired: true };
    const variables = { token: { isSecret: true, isRequired: true } };
    const header = { type: 'named', name: '-e', value: 'TOKEN={token}', variables };
    const { registry, mcp } = await start([weather('1.0.0', { packageArguments: [dir, header] })]);
    await mcp('registries', 'add', 'Test', registry.url);
    await mcp('registries', 'check');
    const open = await mcp('install', 'io.test/weather');
    expect(open.stdout).toContain('--dir=<dir>');
    expect(open.stderr).toContain('Missing values: dir, token, API_KEY.');
    expect(open.stderr).toContain('--set dir=… --set token=… --set API_KEY=…');
    const words = ['--set', 'dir=/srv', '--set', 'token=t', '--set', 'API_KEY=k'];
    const done = await mcp('install', 'io.test/weather', ...words, '--name', 'My Weather');
    expect(done.stdout).toContain('mcp approve "My Weather"');
  });

  it('finds an entry by its whole name among more than a page of longer ones', async () => {
    const all = Array.from({ length: 300 }, (_, at) =>
      listed(`io.test/weather-${at}`, { title: 'New' }),
    );
    const old = listed('io.test/weather', { title: 'Old' }, { status: 'deprecated' });
    const { registry, mcp } = await start([...all, old]);
    await mcp('registries', 'add', 'Test', registry.url);
    await mcp('registries', 'check');
    const { code, stderr } = await mcp('install', 'io.test/weather');
    expect(code, stderr).toBe(0);
  });

  it('keeps registries: added by URL and by file, fetched when told to, removed', async () => {
    const { home, registry, mcp } = await start();
    const added = await mcp('registries', 'add', 'My Company', registry.url);
    expect(added.code, added.stderr).toBe(0);
    expect(added.stdout).toMatch(/my-company\s+My Company\s+0/);
    const path = join(home, 'list.json');
    await writeFile(path, JSON.stringify({ servers: [listed('io.test/from-file')] }));
    expect((await mcp('registries', 'add', 'My Company', path)).stdout).toContain('my-company-2');
    const before = await mcp('search', 'from-file');
    expect(before.stdout).toContain('io.test/from-file');
    expect(before.stdout).toContain('mcp registries check');
    expect(registry.asked).toEqual([]);
    const checked = await mcp('registries', 'check');
    expect(checked.code).toBe(0);
    expect(checked.stdout).toMatch(/my-company\s+My Company\s+1/);
    registry.state.answer = () => 'broken';
    const failed = await mcp('registries', 'check', 'my-company');
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain("didn't respond with a list of servers");
    expect((await mcp('search', 'weather')).stdout).toContain('io.test/weather');
    const removed = await mcp('registries', 'remove', 'my-company');
    expect(removed.stdout).not.toMatch(/my-company /);
    for (const wrong of [['remove', 'x'], ['add', 'x'], ['drop'], ['add', 'x', '/none.json']])
      expect((await mcp('registries', ...wrong)).code).not.toBe(0);
  });

  it('finds a server, installs a version of it, and updates it after showing what changes', async () => {
    const old = weather('0.9.0');
    old._meta['io.modelcontextprotocol.registry/official'] = {
      isLatest: false,
      status: 'deprecated',
    };
    const { registry, mcp } = await start([weather('1.0.0'), old]);
    await mcp('registries', 'add', 'own', registry.url);
    expect((await mcp('search', 'weather', '--check')).stdout).toMatch(
      /io\.test\/weather\s+1\.0\.0\s+npm, sse\s+own/,
    );
    const missing = await mcp('install', 'weather');
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('city');
    const set = ['--set', 'city=Bern', '--set', 'API_KEY'];
    const { code, stdout, stderr } = await mcp('install', 'io.test/weather@0.9.0', ...set);
    expect(code, stderr).toBe(0);
    for (const part of ['deprecated', 'weather@0.9.0', 'io.test/weather (own)', 'remotes[0]'])
      expect(stdout).toContain(part);
    expect(stdout).not.toContain('canary');
    expect((await mcp('install', 'weather', '--set', 'zip=1')).stderr).toContain('city, API_KEY');
    const updates = await mcp('updates');
    expect(updates.stdout).toContain('0.9.0 → 1.0.0');
    expect(updates.stdout).toContain('["-y","weather@0.9.0","Bern"]');
    const updated = await mcp('install', 'io.test/weather@1.0.0', '--update', 'Weather');
    expect(updated.code, updated.stderr).toBe(0);
    expect(updated.stdout).toContain('mcp approve Weather');
    expect((await mcp('updates')).stdout).toContain('up to date');
    expect((await mcp('list', '--json')).stdout).toContain('"weather@1.0.0"');
    const remote = await mcp('install', 'weather', '--way', 'remotes[0]', '--name', 'far');
    expect(remote.code, remote.stderr).toBe(0);
    expect((await mcp('list')).stdout).toContain('https://weather.example.com/sse');
    expect((await mcp('install', 'wether')).code).toBe(1);
    expect((await mcp('install', 'weather', '--way', 'packages[7]')).stderr).toContain(
      'remotes[0]',
    );
  });

  it('lists requests, and approves or denies them', async () => {
    const { registry, server, mcp } = await start();
    await mcp('registries', 'add', 'own', registry.url);
    await mcp('registries', 'check');
    const requested = await mcp('install', 'weather', '--request');
    expect(requested.stdout).toContain('Requested Weather');
    const { requests } = await server.json<{ requests: { id: string }[] }>(
      'GET',
      '/api/registry/requests',
    );
    const id = requests[0]?.id ?? '';
    expect((await mcp('requests')).stdout).toContain(id);
    const set = ['--set', 'city=Bern', '--set', 'API_KEY'];
    expect((await mcp('install', 'weather', ...set, '--for', 'none')).code).toBe(1);
    expect((await mcp('install', 'weather', ...set, '--for', id)).code).toBe(0);
    expect((await mcp('requests')).stdout).toContain('approved');
    expect((await mcp('requests', 'deny', id)).code).toBe(1);
    expect((await mcp('requests', 'withdraw', id)).stdout).not.toContain(id);
    expect((await mcp('requests', 'other')).code).toBe(2);
  });

  it('installs a bundle of the catalogue only with the bytes that its entry names', async () => {
    const bytes = helloBundle('node', settings);
    const site = createServer((_, response) => response.end(bytes)).listen(0, '127.0.0.1');
    onTestFinished(() => void site.close());
    await new Promise((resolve) => site.once('listening', resolve));
    const at = `127.0.0.1:${(site.address() as AddressInfo).port}`;
    const bundle = (name: string, fileSha256?: string) =>
      listed(name, {
        packages: [{ registryType: 'mcpb', identifier: `http://${at}/hello.mcpb`, fileSha256 }],
      });
    const all = [bundle('io.test/right'), bundle('io.test/wrong', 'a'.repeat(64))];
    const { registry, mcp } = await start(all, { CERISE_FETCH_ALLOW: at });
    await mcp('registries', 'add', 'own', registry.url);
    await mcp('registries', 'check');
    const wrong = await mcp('install', 'io.test/wrong', '--set', 'api_key=k');
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('SHA-256');
    const right = await mcp('install', 'io.test/right', '--set', 'api_key=k');
    expect(right.code, right.stderr).toBe(0);
    const { stdout } = await mcp('list', '--json');
    expect(stdout).toContain('"io.test/right"');
  });
});
