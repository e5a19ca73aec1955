// Starts processes.
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pack } from '../scripts/pack.mjs';

const run = promisify(execFile);
const doors = ['cerise', 'cerise/shared', 'cerise/client', 'cerise/mcp', 'cerise/stream'];

/** Needs processes: npm packs and installs, and the installed program runs where no clone is near. */
describe('the package', () => {
  let folder = '';
  let app = '';
  let env: NodeJS.ProcessEnv = {};

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cerise-package-'));
    app = join(folder, 'app');
    const home = join(folder, 'home');
    env = { PATH: process.env['PATH'], HOME: home, CERISE_HOME: join(folder, 'data') };
    await Promise.all([mkdir(app), mkdir(home)]);
    const archive = await pack(folder);
    expect((await stat(archive)).size).toBeLessThan(8 * 1024 ** 2);
    await writeFile(join(app, 'package.json'), '{"private": true, "type": "module"}');
    // npm's own settings and cache, as anyone who installs has them.
    const npm = ['install', '--no-audit', '--no-fund', '--prefer-offline', archive];
    await run('npm', npm, { cwd: app, env: process.env });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const installed = (name = '') => join(app, 'node_modules/cerise', name);
  const cerise = (...args: string[]) =>
    run(process.execPath, [installed('bin/cerise.cjs'), ...args], {
      cwd: app,
      env: { ...env, CERISE_DISCOVER: '0', CERISE_DEMO_PACE: '0' },
    });

  it('has JavaScript, types and the page, and nothing that runs or is fetched on install', async () => {
    const manifest = JSON.parse(await readFile(installed('package.json'), 'utf8')) as object;
    for (const field of ['scripts', 'devDependencies', 'optionalDependencies'])
      expect(manifest).not.toHaveProperty(field);
    const sources = globSync('**/*.{ts,tsx,map}', { cwd: installed() });
    expect(sources.filter((name) => !name.endsWith('.d.ts'))).toEqual([]);
    expect(globSync('dist/web/index.html', { cwd: installed() })).toHaveLength(1);
    const lock = await readFile(join(app, 'node_modules/.package-lock.json'), 'utf8');
    const { packages } = JSON.parse(lock) as {
      packages: Record<string, { hasInstallScript?: true }>;
    };
    expect(Object.keys(packages).length).toBeLessThanOrEqual(80);
    expect(Object.values(packages).filter(({ hasInstallScript }) => hasInstallScript)).toEqual([]);
  });

  it('answers a question', async () => {
    const { stdout } = await cerise('chat', 'What is 6*7?');
    expect(stdout).toMatch(/✓ calculator · calculate[^]*42/);
  });

  it('opens every door to other programs', async () => {
    const script = `${JSON.stringify(doors)}.map((door) => import(door))`;
    const code = `console.log((await Promise.all(${script})).map((all) => Object.keys(all).length))`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], {
      cwd: app,
      env,
    });
    expect(stdout).toMatch(/^\[( \d+,?){5} \]$/m);
  });
});
