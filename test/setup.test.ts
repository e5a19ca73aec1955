import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { build, isBuilt, program, webApp } from '../scripts/build.mjs';
import { findChromium } from '../scripts/chromium.mjs';
import { withLock } from '../scripts/lock.mjs';
import { arePackagesInstalled } from '../scripts/packages.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cerise-setup-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, content: unknown): void {
  const path = join(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
}

/** The id of a process that has just ended. */
function deadProcess(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

describe('the lock of the set-up', () => {
  it('lets one in at a time, and tells the other that it waits', async () => {
    const lock = join(root, '.cache/lock');
    const entered = Promise.withResolvers<void>();
    const mayLeave = Promise.withResolvers<void>();
    const order: string[] = [];
    const first = withLock(lock, async () => {
      entered.resolve();
      await mayLeave.promise;
      order.push('first');
    });
    await entered.promise;
    const second = withLock(
      lock,
      async () => void order.push('second'),
      () => mayLeave.resolve(),
    );
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
    expect(existsSync(lock)).toBe(false);
  });

  it('takes over from a process that died', async () => {
    write('lock/owner', `${hostname()} ${deadProcess()}`);
    expect(await withLock(join(root, 'lock'), async () => 'in')).toBe('in');
  });

  it('takes over from a holder on another machine that has not been heard of for long', async () => {
    write('lock/owner', 'elsewhere 1');
    const longAgo = new Date(Date.now() - 600_000);
    utimesSync(join(root, 'lock'), longAgo, longAgo);
    expect(await withLock(join(root, 'lock'), async () => 'in')).toBe('in');
  });

  it('is given back when the work fails', async () => {
    const lock = join(root, 'lock');
    const fail = async () => {
      throw new Error('no network');
    };
    await expect(withLock(lock, fail)).rejects.toThrow('no network');
    expect(existsSync(lock)).toBe(false);
  });
});

describe('the check of node_modules', () => {
  const here = { optional: true, os: [process.platform], cpu: [process.arch] };
  const elsewhere = { optional: true, os: ['plan9'], cpu: [process.arch] };
  const lockFile = {
    packages: {
      '': { name: 'cerise' },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/here': { version: '1.0.0', ...here },
      'node_modules/elsewhere': { version: '1.0.0', ...elsewhere },
    },
  };
  const installed = {
    packages: { 'node_modules/a': { version: '1.0.0' }, 'node_modules/here': { version: '1.0.0' } },
  };

  it('wants an install when there is nothing', () => {
    write('package-lock.json', lockFile);
    expect(arePackagesInstalled(root)).toBe(false);
  });

  it('accepts what somebody installed by hand, without packages of other platforms', () => {
    write('package-lock.json', lockFile);
    write('node_modules/.package-lock.json', installed);
    expect(arePackagesInstalled(root)).toBe(true);
    expect(arePackagesInstalled(root)).toBe(true);
  });

  it.each([
    ['another version', { 'node_modules/a': { version: '2.0.0' } }],
    ['no package for this platform', { 'node_modules/here': undefined }],
  ])('wants an install when node_modules has %s', (_, change) => {
    write('package-lock.json', lockFile);
    write('node_modules/.package-lock.json', { packages: { ...installed.packages, ...change } });
    expect(arePackagesInstalled(root)).toBe(false);
  });

  it('wants an install when the lock file changed since the last one', () => {
    write('package-lock.json', lockFile);
    write('node_modules/.package-lock.json', installed);
    expect(arePackagesInstalled(root)).toBe(true);
    const packages = { ...lockFile.packages, 'node_modules/new': { version: '1.0.0' } };
    write('package-lock.json', { packages });
    expect(arePackagesInstalled(root)).toBe(false);
  });
});

describe('the build', () => {
  /** Stands in for Vite: writes what proves a build to the folder it is given. */
  const fakeVite = `const { mkdirSync, writeFileSync } = require('node:fs');
    const out = process.argv[process.argv.indexOf('--outDir') + 1];
    mkdirSync(out, { recursive: true });
    for (const name of ['/index.html', '/cerise.mjs']) writeFileSync(out + name, 'built');`;

  beforeEach(() => {
    write('package.json', {});
    write('package-lock.json', {});
    write('src/client/http/key.ts', 'one');
    write('src/web/app/main.tsx', 'one');
    write('src/shared/vocabulary/reduce.ts', 'one');
    write('node_modules/vite/bin/vite.js', fakeVite);
  });

  it('is wanted at first, and not again until a source changes', async () => {
    expect(isBuilt(root, webApp)).toBe(false);
    await build(root, process.execPath, webApp);
    expect(isBuilt(root, webApp)).toBe(true);
    write('src/web/main.test.ts', 'a test');
    write('src/web/app/main.tsx', 'one');
    expect(isBuilt(root, webApp)).toBe(true);
    write('src/client/http/key.ts', 'two');
    expect(isBuilt(root, webApp)).toBe(false);
    await build(root, process.execPath, webApp);
    write('src/shared/vocabulary/reduce.ts', 'two');
    expect(isBuilt(root, webApp)).toBe(false);
  });

  it('leaves what earlier builds made for those that still run, for a day', async () => {
    await build(root, process.execPath, program);
    write('dist/host/chunk-1.mjs', 'one');
    write('dist/host/chunk-0.mjs', 'zero');
    const longAgo = new Date(Date.now() - 25 * 60 * 60_000);
    utimesSync(join(root, 'dist/host/chunk-0.mjs'), longAgo, longAgo);
    write('dist/host/cerise.mjs', 'of before');
    write('src/new/file.ts', 'one');
    await build(root, process.execPath, program);
    expect(readdirSync(join(root, 'dist/host')).toSorted()).toEqual([
      'cerise.mjs',
      'chunk-1.mjs',
      'index.html',
    ]);
    expect(readFileSync(join(root, 'dist/host/cerise.mjs'), 'utf8')).toBe('built');
  });

  it('of the program is one of everything but the page', async () => {
    expect(isBuilt(root, program)).toBe(false);
    await build(root, process.execPath, program);
    write('src/web/app/main.tsx', 'two');
    expect(isBuilt(root, program)).toBe(true);
    write('src/new/file.ts', 'one');
    expect(isBuilt(root, program)).toBe(false);
  });

  it('keeps the present app when the build fails, and says why', async () => {
    await build(root, process.execPath, webApp);
    write('node_modules/vite/bin/vite.js', `console.error('bad import'); process.exit(3);`);
    write('src/web/app/main.tsx', 'broken');
    await expect(build(root, process.execPath, webApp)).rejects.toThrow('bad import');
    expect(existsSync(join(root, 'dist/web/index.html'))).toBe(true);
    expect(isBuilt(root, webApp)).toBe(false);
  });
});

describe('the search for a Chromium', () => {
  it.skipIf(process.platform !== 'linux')('looks along PATH', () => {
    write('bin/google-chrome', '');
    const env = { PATH: `/nowhere:${join(root, 'bin')}` };
    expect(findChromium(env)).toBe(join(root, 'bin/google-chrome'));
    write('bin/chromium-headless-shell', '');
    expect(findChromium(env)).toBe(join(root, 'bin/chromium-headless-shell'));
  });

  it('takes the one that is named, or none', () => {
    write('my-chromium', '');
    expect(findChromium({ CERISE_CHROMIUM: join(root, 'my-chromium') })).toBe(
      join(root, 'my-chromium'),
    );
    expect(findChromium({ ...process.env, CERISE_CHROMIUM: join(root, 'none') })).toBeUndefined();
  });
});
