import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sandbox } from '#mcp/process/sandbox.ts';
import type { McpService } from '#mcp/service/mcp-service.ts';
import { canConfine } from './bubblewrap.ts';
import { approved, testService } from './fakes/mcp-servers.ts';
import { type NpmRegistry, startRegistry, tinyPackage } from './fakes/npm-registry.ts';

// Starts processes: what an installation sees can only be told from inside one.
const root = mkdtempSync(join(tmpdir(), 'cerise-install-'));
const [home, data] = [join(root, 'home'), join(root, 'data')];
let registry: NpmRegistry;
let service: McpService;

beforeAll(async () => {
  registry = await startRegistry();
  for (const folder of [join(home, '.ssh'), join(data, 'packages')])
    mkdirSync(folder, { recursive: true });
  for (const file of [join(home, '.ssh/id'), join(home, 'notes'), join(data, 'secret.key')])
    writeFileSync(file, 'the-secret-of-this-host');
  const token = '//npm.test/:_authToken=the-secret-of-this-host';
  writeFileSync(join(home, 'settings'), `registry=${registry.url}\n${token}\ncache=~/kept\n`);
  // As people do who keep their settings elsewhere.
  symlinkSync(join(home, 'settings'), join(home, '.npmrc'));
  const sandbox = new Sandbox({ dataFolder: data });
  service = testService({ sandbox, packagesFolder: join(data, 'packages') });
});
afterAll(async () => {
  await service.close();
  await registry.close();
  rmSync(root, { recursive: true, force: true });
});

/** Of the places of the host, those that somebody wrote to. */
const written = () =>
  ['home/new', 'home/.cache/new', 'home/kept/new', 'data/new'].filter((place) =>
    existsSync(join(root, place)),
  );

const npx = (env: Record<string, string>) =>
  approved({ type: 'stdio', command: 'npx', args: ['-y', tinyPackage], env });

describe.skipIf(!canConfine())('an installation in the sandbox', () => {
  it('installs with the settings and the cache of the person', async () => {
    const record = npx({ HOME: home });
    await service.setServer(record);
    await service.initClient(record.id);
    expect(service.status(record.id).state).toBe('connected');
    expect(registry.downloads()).toBe(1);
  });

  it('sees nothing else of them, nor of the host, and writes only to its folder and caches', async () => {
    const bin = join(root, 'bin');
    mkdirSync(bin);
    const script = `#!/bin/sh
      for each in .ssh/id notes ../data/secret.key; do cat "$HOME/$each" >&2; done
      ls -A "$HOME" >&2
      echo settings: $(grep -v Token "$npm_config_userconfig") >&2
      for each in home/new home/.cache/new home/kept/new data/new; do
        (echo x > "$HOME/../$each") 2>/dev/null && echo wrote $each >&2
      done
      echo x > here && echo wrote here >&2
      exit 1\n`;
    writeFileSync(join(bin, 'npm'), script);
    chmodSync(join(bin, 'npm'), 0o755);
    const record = npx({ HOME: home, PATH: `${bin}:${process.env['PATH']}` });
    const other = { ...record.config, args: ['-y', 'another'] };
    const prying = approved(other);
    await service.setServer(prying);
    await expect(service.initClient(prying.id)).rejects.toThrow();
    const seen = service.logs(prying.id).join('\n');
    expect(seen).not.toContain('the-secret-of-this-host');
    expect(seen).toContain(`settings: registry=${registry.url}`);
    expect(seen).toContain('wrote here');
    // Anything else that it could write was its own, and is gone with it.
    expect(written()).toEqual(['home/kept/new']);
    await service.stopServer(prying.id);
  });

  it('runs the scripts of packages without credentials, cache and files, and keeps what they made', async () => {
    // Its output is shown nowhere: it keeps what it saw.
    const script = `{ cat ${home}/.npmrc $npm_config_userconfig ${home}/notes; env;
      ls -A ${home}; for each in home/new home/.cache/new home/kept/new data/new; do
      echo x > ${root}/$each; done; } > seen 2>&1; true`;
    const other = await startRegistry('with-script', '1.0.0', 0, script.replaceAll('\n', ' '));
    rmSync(join(home, 'kept/new'), { force: true });
    const env = { HOME: home, npm_config__auth: 'another-secret-of-it', OTHER_MIRROR: other.url };
    const { config } = npx(env);
    const record = approved({ ...config, args: ['-y', 'with-script'], registryUrl: other.url });
    await service.setServer(record);
    await service.initClient(record.id);
    await other.close();
    const folder = readdirSync(join(data, 'packages')).find((name) =>
      /^with-script-\w+$/.test(name),
    );
    const place = join(data, 'packages', folder ?? '');
    const seen = readFileSync(join(place, 'node_modules/with-script/seen'), 'utf8');
    expect(seen).not.toMatch(/secret-of/);
    expect(seen).toContain(`registry=${registry.url}`);
    expect(seen).toContain(`OTHER_MIRROR=${other.url}`);
    expect(written()).toEqual([]);
    expect(readdirSync(place)).not.toContain('.scripts');
  });
});
