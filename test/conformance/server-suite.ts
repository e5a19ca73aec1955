import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createHost, type Host } from '#chat/host/host.ts';
import { createApp } from '#server/app.ts';
import { silentLogger } from '../fakes/mcp-servers.ts';
import { listen } from '../fakes/loopback.ts';
import { realServer } from '../real-servers.ts';
import { startServed } from './served.ts';
import { type Check, type PartOutcome, run, suiteVersion } from './suite.ts';

/** A part of the official suite for servers, and how many scenarios of it count. */
export interface ServerPart {
  name: string;
  required: number;
}

export const serverParts: ServerPart[] = [
  { name: '2025-11-25', required: 30 },
  { name: '2026-07-28', required: 37 },
];

/** What of a part needs no tool, prompt or resource of the suite's own, and so runs against a built-in server. */
export const builtinParts = [
  {
    name: '2025-11-25',
    scenarios: [
      'dns-rebinding-protection',
      'logging-set-level',
      'ping',
      'prompts-list',
      'resources-list',
      'resources-unsubscribe',
      'server-initialize',
      'server-session-lifecycle',
      'server-sse-multiple-streams',
      'server-sse-polling',
      'tools-list',
    ],
  },
  {
    name: '2026-07-28',
    scenarios: [
      'caching',
      'dns-rebinding-protection',
      'http-header-validation',
      'input-required-result-unsupported-methods',
      'input-required-result-validate-input',
      'prompts-list',
      'resources-list',
      'sep-2164-resource-not-found',
      'server-sse-multiple-streams',
      'tools-list',
    ],
  },
];

const scenarioTime = 60_000;
const owner = 'local';

/** Runs a part against `/mcp/SERVER` in front of a server that was made for the suite. */
export async function runServerPart(part: ServerPart): Promise<PartOutcome | undefined> {
  const served = await startServed();
  try {
    const outcome = await runAgainst(part.name, (host) => addServed(host, served.url));
    if (!outcome) return undefined;
    const scored = outcome.scenarios.filter(({ name }) => !outcome.unscored.has(name));
    return { scenarios: scored, required: scored.length };
  } finally {
    await served.close();
  }
}

/** Runs what can be run against a built-in server. */
export async function runBuiltinPart({
  name,
  scenarios: wanted,
}: (typeof builtinParts)[number]): Promise<PartOutcome | undefined> {
  const outcome = await runAgainst(name, async () => 'demo');
  const scenarios = outcome?.scenarios.filter((scenario) => wanted.includes(scenario.name));
  return scenarios && { scenarios, required: scenarios.length };
}

/** Runs all of a part against one server of a host. */
async function runAgainst(
  part: string,
  serverOf: (host: Host) => Promise<string>,
): Promise<(Pick<PartOutcome, 'scenarios'> & { unscored: ReadonlySet<string> }) | undefined> {
  const script = await realServer('@modelcontextprotocol/conformance', suiteVersion);
  if (script === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'cerise-conformance-'));
  const host = await createHost({ home: join(folder, 'home'), logger: silentLogger });
  await host.enter(owner);
  const gateway = await openGateway(host, await serverOf(host));
  try {
    const results = join(folder, 'results');
    const options = ['--requirements', part, `--timeout=${scenarioTime}`, '-o', results];
    const output = await run([script, 'server', '--url', gateway.url, ...options], {});
    return { scenarios: await readChecks(results), unscored: unscoredOf(output) };
  } finally {
    await gateway.close();
    await host.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function addServed({ servers }: Host, url: string): Promise<string> {
  const { id } = await servers.add(owner, {
    type: 'streamableHttp',
    name: 'served',
    baseUrl: url,
    autoApprove: ['*'],
    callerRoots: true,
  });
  return id;
}

/** The suite brings no key, so one is added on the way, as a proxy would. */
async function openGateway(
  host: Host,
  id: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const visitor = {
    owner,
    role: 'admin' as const,
    credential: { kind: 'token' as const, id: 'conformance' },
  };
  const { key } = await host.keys.create(visitor, {
    name: 'conformance',
    scopes: ['admin'],
    trusted: true,
  });
  let ownHost = '';
  const app = createApp(host, { allowedHosts: () => new Set([ownHost]) });
  const server = await listen((request) => {
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${key}`);
    return app.fetch(new Request(request, { headers }));
  });
  ownHost = new URL(server.url).host;
  await host.servers.connect(owner, id);
  return { url: `${server.url}/mcp/${id}`, close: () => server.close() };
}

/** What the suite wrote down of each scenario. */
export async function readChecks(folder: string): Promise<PartOutcome['scenarios']> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(({ name }) => name === 'checks.json')
    .map(({ parentPath }) => {
      const name = relative(folder, parentPath)
        .replace(/^server-/, '')
        .replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, '');
      const checks = JSON.parse(readFileSync(join(parentPath, 'checks.json'), 'utf8')) as Check[];
      return { name, complaints: complaintsOf(checks) };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Stricter than the suite: a warning counts too. */
function complaintsOf(checks: Check[]): string[] {
  return checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map((check) => `${check.status} ${check.name}: ${check.errorMessage ?? check.description}`);
}

/** The scenarios that the suite runs and does not count, as it lists them at the end. */
function unscoredOf(output: string): ReadonlySet<string> {
  const list = /^Not scored for [^\n]*\n((?:[ \t]+[^\n]*\n?)*)/m.exec(output)?.[1] ?? '';
  return new Set([...list.matchAll(/[\w-]+(?:\/[\w-]+)?/g)].map(([name]) => name));
}
