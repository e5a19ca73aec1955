// Starts processes.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { approved, callTool, testService } from '../../../test/fakes/mcp-servers.ts';
import { type NpmRegistry, startRegistry, tinyPackage } from '../../../test/fakes/npm-registry.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import { McpProcessTracker } from '../process/process-tracker.ts';
import type { McpService } from '../service/mcp-service.ts';
import type { ServerStatus } from '../service/server-status.ts';
import { withInstallLock } from './install-lock.ts';

// Real npm processes: how they are started, stopped and waited for is what is tested.
let registry: NpmRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.close());

const open: McpService[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()));
});

function serve(packagesFolder = mkdtempSync(join(tmpdir(), 'cerise-'))) {
  const tracker = new McpProcessTracker();
  const statuses: ServerStatus[] = [];
  const heard: { until: (status: ServerStatus) => boolean; resolve: () => void }[] = [];
  const service = testService({
    tracker,
    packagesFolder,
    onStatus: (_, status) => {
      statuses.push(status);
      for (const { until, resolve } of heard) if (until(status)) resolve();
    },
  });
  open.push(service);
  /** Resolves at the first status, of before or of later, that this is true of. */
  const status = async (until: (status: ServerStatus) => boolean): Promise<void> => {
    if (statuses.some(until)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    heard.push({ until, resolve });
    await promise;
  };
  return { service, tracker, statuses, status, packagesFolder };
}

function npx(args: string[], more: Record<string, unknown> = {}) {
  const cache = mkdtempSync(join(tmpdir(), 'cerise-'));
  return approved({
    type: 'stdio',
    command: 'npx',
    args,
    env: { npm_config_cache: cache, npm_config_fetch_retries: '0' },
    registryUrl: registry.url,
    ...more,
  });
}

describe('installing a package', () => {
  it('connects after a slow download, says so meanwhile, and starts at once the next time', async () => {
    const { service, statuses, status, packagesFolder } = serve();
    const record = npx(['-y', tinyPackage, 'one', 'two']);
    const release = registry.hold();
    await service.setServer(record);
    const connecting = service.initClient(record.id);
    await registry.held();
    await status(({ state, output }) => state === 'installing' && output !== undefined);
    expect(service.status(record.id)).toMatchObject({ state: 'installing' });
    release();
    await connecting;
    const states = statuses.map(({ state }) => state);
    expect(states.filter((state, at) => state !== states[at - 1])).toEqual([
      'idle',
      'connecting',
      'installing',
      'connecting',
      'connected',
    ]);
    const { content } = await callTool(service, record.id, 'echo', { a: 1 });
    expect(content).toEqual([{ type: 'text', text: '{"args":{"a":1},"argv":["one","two"]}' }]);
    const downloads = registry.downloads();
    const again = serve(packagesFolder);
    await again.service.setServer(record);
    await again.service.initClient(record.id);
    expect(registry.downloads()).toBe(downloads);
    expect(again.statuses.map(({ state }) => state)).not.toContain('installing');
  });

  it.each([
    ['stopped', 'cancelled', (service: McpService, id: string) => service.stopServer(id)],
    ['drained with the host', 'cancelled', (service: McpService) => service.close()],
  ] as const)(
    'leaves nothing behind when it is %s, and can be installed again',
    async (_, code, end) => {
      const { service, tracker, packagesFolder } = serve();
      const record = npx(['-y', `${tinyPackage}@1.0.0`]);
      const release = registry.hold();
      await service.setServer(record);
      const connecting = service.initClient(record.id).catch((error: unknown) => error);
      await registry.held();
      expect(tracker.tracked()).toHaveLength(1);
      await end(service, record.id);
      expect(await connecting).toMatchObject({ code });
      expect(tracker.tracked()).toEqual([]);
      expect(readdirSync(packagesFolder)).toEqual([]);
      release();
      const again = serve(packagesFolder);
      await again.service.setServer(record);
      await again.service.initClient(record.id);
      expect(readdirSync(packagesFolder)).toHaveLength(1);
    },
  );

  it('installs once for two hosts that start it at the same time', async () => {
    const one = serve();
    const two = serve(one.packagesFolder);
    const record = npx([tinyPackage]);
    const before = registry.downloads();
    const release = registry.hold();
    await Promise.all([one.service.setServer(record), two.service.setServer(record)]);
    const first = one.service.initClient(record.id);
    await registry.held();
    const second = two.service.initClient(record.id);
    await two.status(({ state }) => state === 'installing');
    release();
    await Promise.all([first, second]);
    expect(registry.downloads()).toBe(before + 1);
  });

  it('says which package does not exist, and does not try again', async () => {
    const { service } = serve();
    const record = npx(['-y', '@modelcontextprotocol/server-filesytem', '/tmp']);
    await service.setServer(record);
    await expect(service.initClient(record.id)).rejects.toMatchObject({
      message: expect.stringContaining("'@modelcontextprotocol/server-filesytem@*'"),
      hint: expect.stringContaining('Did you mean @modelcontextprotocol/server-filesystem?'),
    });
    expect(service.status(record.id)).toMatchObject({
      state: 'failed',
      fix: {
        kind: 'argument',
        from: '@modelcontextprotocol/server-filesytem',
        to: '@modelcontextprotocol/server-filesystem',
      },
    });
  });
});

/** The variables of a server that are npm's. */
function npmOnly({ config }: ServerRecord): Record<string, string> {
  return 'env' in config ? config.env : {};
}

/** A folder with an `npm` that runs these lines of shell. */
function fakeNpm(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'cerise-'));
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'npm'), 0o755);
  return `${folder}:${process.env['PATH']}`;
}

describe('an installation', () => {
  it('gets no variable of the server but those meant for npm', async () => {
    const { service, packagesFolder } = serve();
    const seen = join(mkdtempSync(join(tmpdir(), 'cerise-')), 'env');
    const env = {
      PATH: fakeNpm(`env > ${seen}; exit 1`),
      SECRET_TOKEN: 'hush-hush',
      npm_config_proxy: 'http://127.0.0.1:9/',
      PUPPETEER_SKIP_DOWNLOAD: 'yes',
    };
    const record = npx(['-y', tinyPackage], { env });
    await service.setServer(record);
    await expect(service.initClient(record.id)).rejects.toThrow();
    const text = readFileSync(seen, 'utf8');
    expect(text).toContain('npm_config_proxy=http://127.0.0.1:9/');
    expect(text).toContain(`npm_config_registry=${registry.url}`);
    expect(text).toContain('PUPPETEER_SKIP_DOWNLOAD=yes');
    expect(text).not.toContain('hush-hush');
    expect(readdirSync(packagesFolder)).toEqual([]);
  });

  it('that fails is made once', async () => {
    const { service } = serve();
    const counted = join(mkdtempSync(join(tmpdir(), 'cerise-')), 'count');
    const script = `echo "$1" >> ${counted}; echo 'npm error odd' >&2; exit 1`;
    const record = npx(['-y', tinyPackage], { env: { PATH: fakeNpm(script) } });
    await service.setServer(record);
    await expect(service.initClient(record.id)).rejects.toThrow('odd');
    expect(readFileSync(counted, 'utf8')).toBe('install\n');
  });

  it('names the script of a package that failed', async () => {
    const { service } = serve();
    const said = [
      'code 1',
      'command failed',
      'command sh -c playwright install --with-deps chromium',
      'Failed to install browsers',
    ].map((line) => `echo "npm error ${line}" >&2`);
    const script = `${said.join('; ')}; exit 1`;
    const record = npx(['-y', tinyPackage], { env: { PATH: fakeNpm(script) } });
    await service.setServer(record);
    await expect(service.initClient(record.id)).rejects.toMatchObject({
      message:
        'Installing the package failed with code 1. It reported: Failed to install browsers.',
      hint: expect.stringContaining('playwright install --with-deps chromium'),
    });
    expect(service.status(record.id).state).toBe('failed');
  });

  it('is over once it is stopped, whatever it still had to say', async () => {
    const { service, status } = serve();
    // There is always the beginning of a line on its way.
    const script = "while printf '\\none' >&2; do sleep 0.1; done";
    const record = npx(['-y', tinyPackage], { env: { PATH: fakeNpm(script) } });
    await service.setServer(record);
    const connecting = service.initClient(record.id).catch((error: unknown) => error);
    await status(({ output }) => output === 'one');
    await service.stopServer(record.id);
    expect(await connecting).toMatchObject({ code: 'cancelled' });
    expect(service.status(record.id).state).toBe('idle');
  });

  it('goes on while it works, and ends after the silence that is allowed', async () => {
    const { service } = serve();
    // Half a second of work, then silence.
    const script =
      'n=0; while [ $n -lt 5 ]; do echo step $n >&2; sleep 0.1; n=$((n+1)); done; exec sleep 60';
    const record = npx(['-y', tinyPackage], { env: { PATH: fakeNpm(script) }, startTimeout: 0.3 });
    await service.setServer(record);
    await expect(service.initClient(record.id)).rejects.toMatchObject({
      code: 'timed_out',
      message: expect.stringContaining('step 4'),
    });
  });

  it.skipIf(process.platform !== 'linux')('goes on while a download does', async () => {
    const slow = await startRegistry('slow-mcp', '1.0.0', 120_000);
    slow.trickle();
    const { service } = serve();
    const record = npx(['-y', 'slow-mcp'], { registryUrl: slow.url, startTimeout: 0.7 });
    await service.setServer(record);
    await service.initClient(record.id);
    expect(service.status(record.id).state).toBe('connected');
    await slow.close();
  });

  it('that is silent is taken for no server that prints an address', async () => {
    const { service } = serve();
    const line =
      'npm http fetch GET http://127.0.0.1:9/x/-/x.tgz attempt 1 failed with FETCH_ERROR';
    const record = npx(['-y', tinyPackage], {
      env: { PATH: fakeNpm(`echo "${line}" >&2; exec sleep 60`) },
      startTimeout: 0.3,
    });
    await service.setServer(record);
    await expect(service.initClient(record.id)).rejects.toMatchObject({ code: 'timed_out' });
    const { fix, reason } = service.status(record.id);
    expect(fix).toBeUndefined();
    expect(reason).toContain('Check the network');
  });

  it('takes a tag for the version it meant last where nobody can be asked', async () => {
    const { service, packagesFolder } = serve();
    const record = npx(['-y', `${tinyPackage}@latest`]);
    await service.setServer(record);
    await service.initClient(record.id);
    await service.close();
    const offline = serve(packagesFolder);
    const same = approved({
      ...record.config,
      env: { ...npmOnly(record), PATH: fakeNpm('exit 1') },
    });
    await offline.service.setServer(same);
    await offline.service.initClient(same.id);
    expect(offline.service.logs(same.id).join('\n')).toContain(`using ${tinyPackage}@1.0.0`);
  });

  it('finds a program whose name has the scope of the package', async () => {
    const { service, packagesFolder } = serve();
    const server = join(import.meta.dirname, '../../../test/fakes/hostile-server.mjs');
    const script = [
      'while [ $# -gt 0 ]; do [ "$1" = --prefix ] && folder=$2; shift; done',
      'mkdir -p "$folder/node_modules/@acme/mcp" "$folder/node_modules/.bin"',
      `echo '{"name":"@acme/mcp","bin":{"@acme/mcp":"server.js"}}' > "$folder/node_modules/@acme/mcp/package.json"`,
      `printf '#!/bin/sh\\nexec ${process.execPath} ${server} {}\\n' > "$folder/node_modules/.bin/mcp"`,
      'chmod +x "$folder/node_modules/.bin/mcp"',
    ].join('\n');
    const env = { PATH: fakeNpm(script) };
    const record = npx(['-y', '@acme/mcp@1.0.0'], { env });
    await service.setServer(record);
    await service.initClient(record.id);
    expect(service.status(record.id).state).toBe('connected');
    expect(readdirSync(packagesFolder)).toHaveLength(1);
  });

  it('says that a package is a library', async () => {
    const { service } = serve();
    const script = [
      'while [ $# -gt 0 ]; do [ "$1" = --prefix ] && folder=$2; shift; done',
      `mkdir -p "$folder/node_modules/${tinyPackage}"`,
      `echo '{"name":"${tinyPackage}"}' > "$folder/node_modules/${tinyPackage}/package.json"`,
    ].join('\n');
    const record = npx(['-y', tinyPackage], { env: { PATH: fakeNpm(script) } });
    await service.setServer(record);
    await expect(service.initClient(record.id)).rejects.toMatchObject({
      code: 'invalid_server',
      message: `The package ${tinyPackage} has no program to run.`,
    });
  });
});

describe('a command that downloads by itself', () => {
  it.each([
    ['uvx', ['mcp-server-time'], 'Downloading part'],
    ['docker', ['run', '-i', '--rm', 'mcp/time'], 'Pulling layer'],
  ])(
    '%s may take longer than a start while it writes, and is shown as installing',
    async (command, args, doing) => {
      const { service, statuses } = serve();
      const folder = mkdtempSync(join(tmpdir(), 'cerise-'));
      mkdirSync(join(folder, 'bin'));
      // A stand-in: it downloads for a while, then runs the server.
      const server = join(import.meta.dirname, '../../../test/fakes/hostile-server.mjs');
      writeFileSync(
        join(folder, 'bin', command),
        `#!/bin/sh\nn=0; while [ $n -lt 12 ]; do echo ${doing} $n >&2; sleep 0.2; n=$((n+1)); done\nexec ${process.execPath} ${server} '{}'\n`,
      );
      chmodSync(join(folder, 'bin', command), 0o755);
      const record = npx(args, {
        command,
        env: { PATH: `${folder}/bin:${process.env['PATH']}` },
        startTimeout: 1,
      });
      await service.setServer(record);
      await service.initClient(record.id);
      const installing = statuses.find(({ state }) => state === 'installing');
      expect(installing?.output).toMatch(new RegExp(`^${doing} \\d+$`));
      expect(service.status(record.id).state).toBe('connected');
    },
  );
});

describe('withInstallLock', () => {
  it('takes over from a holder that died', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'cerise-')), 'a.lock');
    const dead = { host: hostname(), pid: 2 ** 22 + 1, startTime: 1 };
    writeFileSync(file, JSON.stringify(dead));
    const { signal } = new AbortController();
    const onWait = () => expect.unreachable();
    expect(await withInstallLock(file, async () => 'done', { signal, onWait })).toBe('done');
    expect(readdirSync(join(file, '..'))).toEqual([]);
  });
});
