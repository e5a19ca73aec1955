// Starts processes.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { describeSurface } from '../scripts/public-surface.ts';
import { openPackedApp, type PackedApp } from './fixtures/packed-app.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const doors = ['cerise', 'cerise/shared', 'cerise/client', 'cerise/mcp', 'cerise/stream'];
const MiB = 1024 ** 2;

let app: PackedApp;
beforeAll(async () => {
  app = await openPackedApp();
});
afterAll(() => app.remove());

/** What a failed test left running. */
function endGroup(pid = 0): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Needs processes: npm packs and installs, and the installed program runs where no clone is near. */
describe('the package', () => {
  it('is small, and has nothing that runs or is fetched on install', async () => {
    expect(app.archiveBytes).toBeLessThan(8 * MiB);
    const manifest = JSON.parse(await readFile(app.installed('package.json'), 'utf8')) as object;
    for (const field of ['scripts', 'devDependencies', 'optionalDependencies'])
      expect(manifest).not.toHaveProperty(field);
    const lock = await readFile(join(app.folder, 'node_modules/.package-lock.json'), 'utf8');
    const { packages } = JSON.parse(lock) as {
      packages: Record<string, { hasInstallScript?: true }>;
    };
    expect(Object.keys(packages).length).toBeLessThanOrEqual(80);
    expect(Object.values(packages).filter(({ hasInstallScript }) => hasInstallScript)).toEqual([]);
    const files = globSync('node_modules/**', { cwd: app.folder, withFileTypes: true });
    const sizes = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name))),
    );
    expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(90 * MiB);
  });

  it('has JavaScript, types and the page, and no TypeScript to run', () => {
    const sources = globSync('**/*.{ts,tsx,map}', { cwd: app.installed() });
    expect(sources.filter((name) => !name.endsWith('.d.ts'))).toEqual([]);
    expect(globSync('dist/web/index.html', { cwd: app.installed() })).toHaveLength(1);
    const licenses = readFileSync(app.installed('dist/web/third-party-licenses.md'), 'utf8');
    for (const name of ['react', 'mermaid', 'katex']) expect(licenses).toContain(`\n## ${name} - `);
  });

  it('exports what docs/library-surface.md says, each with a comment and a type', async () => {
    const { report, problems } = describeSurface(app.installed());
    expect(problems).toEqual([]);
    await expect(report).toMatchFileSnapshot('../docs/library-surface.md');
  });

  it('has types that a strict program can check without leaving any out', async () => {
    const lines = doors.map((door, n) => `export * as door${n} from '${door}';`);
    await writeFile(join(app.folder, 'doors.ts'), lines.join('\n'));
    const compilerOptions = {
      strict: true,
      skipLibCheck: false,
      exactOptionalPropertyTypes: true,
      module: 'nodenext',
      target: 'esnext',
      lib: ['esnext'],
      noEmit: true,
      allowImportingTsExtensions: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    };
    const config = { compilerOptions, include: ['doors.ts', 'library/*.ts'] };
    await writeFile(join(app.folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const printed = await app
      .node(tsc, '-p', '.')
      .catch((error: { stdout: string }) => error.stdout);
    expect(printed).toBe('');
  });

  it('opens every door to other programs', async () => {
    const code = `console.log(JSON.stringify(await Promise.all(${JSON.stringify(doors)}
      .map(async (door) => Object.keys(await import(door)).length > 0))))`;
    expect(await app.node('--input-type=module', '-e', code)).toBe('[true,true,true,true,true]');
  });

  it('opens cerise/shared and cerise/client to browsers, which have no packages', () => {
    const reached = new Set<string>();
    const walk = (file: string): void => {
      if (reached.has(file)) return;
      reached.add(file);
      const text = readFileSync(app.installed(`lib/library/${file}`), 'utf8');
      for (const [, name = ''] of text.matchAll(/^(?:import|export)\b[^;"']*["']([^"']+)["'];?$/gm))
        walk(name.startsWith('./') ? name.slice(2) : name);
    };
    for (const door of ['shared.js', 'client.js']) walk(door);
    expect(reached.size).toBeGreaterThan(3);
  });

  it('answers a question', async () => {
    const printed = await app.node(app.installed('bin/cerise.cjs'), 'chat', 'What is 6*7?');
    expect(printed).toMatch(/✓ calculator · calculate[^]*42/);
  });

  it.each([
    ['it', [process.execPath, 'node_modules/.bin/cerise'], [0, null]],
    // npm passes no signal on, and is gone before the program is.
    ['npx', ['npx', '--no', 'cerise'], [null, 'SIGTERM']],
  ])('serves its page until %s is told to stop', async (_name, [file = '', ...args], exit) => {
    const env = { ...app.env, CERISE_PORT: '0' };
    const child = spawn(file, [...args, 'serve'], { cwd: app.folder, env, detached: true });
    onTestFinished(() => endGroup(child.pid));
    const ended = once(child, 'close');
    let url: string | undefined;
    for await (const line of createInterface({ input: child.stdout })) {
      url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (url !== undefined) break;
    }
    expect(await (await fetch(url ?? '')).text()).toContain('<div id="root">');
    child.kill('SIGTERM');
    expect(await ended).toEqual(exit);
    await expect(fetch(url ?? '')).rejects.toThrow('fetch failed');
  });
});

/** Programs in TypeScript that use all of the doors. */
describe('the programs of test/library', () => {
  it.each(['streams', 'servers', 'tools', 'agent'])('%s runs to its end', async (name) => {
    expect(await app.node(`library/${name}.ts`)).toBe('ok');
  });
});

const outputs: Record<string, string> = {
  agent: 'tool,main_text\nThe tool says: Hello Ada',
  'ask-once': 'success true',
  'http-route': '200 success',
  'durable-host': 'true success',
  'streaming-callbacks':
    'thought: A greeting is due.\ntext: Hello \ntext: there\nsuccess thinking,main_text',
  'own-block-store': 'answer-1.0 main_text success Kept by you.',
  'server-in-memory': 'Hello Ada',
  'convert-tools': "mcp__greeter__greet\n[ 'name' ]\n1\nHello Ada",
  approval: 'files idle\nstranger draft',
  'page-state': 'true Hello',
  client: 'success true',
};
/** What examples import of each other. */
const helpers = ['ask', 'greeter', 'model', 'serve'];
/** These need another package: `npm run package:check` installs it and runs them. */
const elsewhere = ['express-route', 'next-page'];

describe('the examples', () => {
  it('are all run', () => {
    const names = globSync('examples/*', { cwd: root }).map((file) => basename(file, '.mjs'));
    const known = [...Object.keys(outputs), ...helpers, ...elsewhere];
    expect(names.toSorted()).toEqual(known.toSorted());
  });

  it.each(Object.entries(outputs))('%s prints what it should', async (name, output) => {
    expect(await app.node(`examples/${name}.mjs`)).toBe(output);
  });
});

describe('the code in docs/library.md', () => {
  const text = readFileSync(`${root}/docs/library.md`, 'utf8');
  const blocks = [...text.matchAll(/^```js\n([^]*?)^```/gm)].map(([, code = '']) => code);

  it('is there', () => expect(blocks.length).toBeGreaterThanOrEqual(4));

  it.each(blocks)('prints what its last lines say: %#', async (code) => {
    const printed = [...code.matchAll(/^\/\/ (.*)$/gm)].map(([, line]) => line).join('\n');
    expect(printed).not.toBe('');
    expect(await app.node('--input-type=module', '-e', code)).toBe(printed);
  });
});

describe('the commands in docs/cli.md', () => {
  it('print something and end well', async () => {
    const text = readFileSync(`${root}/docs/cli.md`, 'utf8');
    const [, code = ''] = /^```sh\n([^]*?)^```/m.exec(text) ?? [];
    const programs = [join(app.folder, 'node_modules/.bin'), dirname(process.execPath)];
    const PATH = [...programs, app.env['PATH']].join(delimiter);
    const shell = async (line: string) => {
      const options = { cwd: app.folder, env: { ...app.env, PATH } };
      return (await execute('sh', ['-c', line], options)).stdout;
    };
    for (const line of code.trim().split('\n')) {
      const { topics } = JSON.parse(await shell('cerise topics --json')) as {
        topics: { id: string }[];
      };
      expect(await shell(line.replace(/\bID\b/, topics[0]?.id ?? ''))).not.toBe('');
    }
  });
});
