import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { realServer } from '../real-servers.ts';
import { serveClients } from './clients.ts';

const root = resolve(import.meta.dirname, '../..');
const client = fileURLToPath(import.meta.resolve('./client.mjs'));
/** The version of the suite. */
export const suiteVersion = '0.2.0-alpha.12';
/** Clients wait for their turn in it. */
const scenarioTime = 120_000;

/** Scenarios in which a client has to refuse to go on. All others it has to see through. */
const refusals: ReadonlySet<string> = new Set([
  'auth/resource-mismatch',
  'auth/scope-retry-limit',
  'auth/iss-supported-missing',
  'auth/iss-wrong-issuer',
  'auth/iss-unexpected',
  'auth/iss-normalized',
  'auth/metadata-issuer-mismatch',
  'sep-2640-client-verify-digest',
  'sep-2640-client-verify-size',
  'sep-2640-client-verify-frontmatter',
]);

/** A part of the official suite, and how many scenarios of it count. */
export interface SuitePart {
  name: string;
  options: string[];
  required: number;
}

export const suiteParts: SuitePart[] = [
  { name: '2025-11-25', options: ['--requirements', '2025-11-25'], required: 18 },
  { name: '2026-07-28', options: ['--requirements', '2026-07-28'], required: 32 },
  { name: 'all', options: ['--suite', 'all'], required: 48 },
];

/** One check of a scenario. */
export interface Check {
  name: string;
  status: string;
  description: string;
  errorMessage?: string;
}

/** How one scenario ended: what it has against us, nothing if it passed. */
interface ScenarioOutcome {
  name: string;
  complaints: string[];
}

export interface PartOutcome {
  scenarios: ScenarioOutcome[];
  /** Scenarios that count for this part. */
  required: number;
}

/** Runs a part of the suite. Undefined, with one visible line, if the suite cannot be had. */
export async function runPart(part: SuitePart): Promise<PartOutcome | undefined> {
  const script = await realServer('@modelcontextprotocol/conformance', suiteVersion);
  if (script === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'cerise-conformance-'));
  const results = join(folder, 'results');
  const clients = await serveClients(folder);
  try {
    const args = [script, 'client', ...part.options, ...common, '-o', results];
    const output = await run(args, clients.env);
    const scenarios = await readResults(results);
    const unscored = Number(/^Not scored for .*?: (\d+) scenario/m.exec(output)?.[1] ?? 0);
    return { scenarios, required: scenarios.length - unscored };
  } finally {
    clients.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const common = [`--command=node ${relative(root, client)}`, `--timeout=${scenarioTime}`];

/** Runs the suite and gives what it printed; `onLine` hears of each line at once. */
export async function run(
  args: string[],
  env: Record<string, string>,
  onLine: (line: string) => void = () => undefined,
): Promise<string> {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const child = spawn(process.execPath, ['--no-deprecation', ...args], {
    cwd: root,
    env: { ...process.env, ...env, PATH: path },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  for await (const line of createInterface(child.stdout)) {
    output += `${line}\n`;
    onLine(line);
  }
  return output;
}

async function readResults(folder: string): Promise<ScenarioOutcome[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(({ name }) => name === 'checks.json')
    .map(({ parentPath }) => {
      const name = relative(folder, parentPath).replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, '');
      const checks = JSON.parse(readFileSync(join(parentPath, 'checks.json'), 'utf8')) as Check[];
      const ending = readFileSync(join(parentPath, 'stdout.txt'), 'utf8').trim();
      const words = readFileSync(join(parentPath, 'stderr.txt'), 'utf8').trim();
      return { name, complaints: complaintsOf(name, checks, ending, words) };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Stricter than the suite: a warning, a check that saw nothing and a client that failed count too. */
function complaintsOf(name: string, checks: Check[], ending: string, words: string): string[] {
  const complaints = checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map((check) => `${check.name}: ${check.errorMessage ?? check.description}`);
  if (!checks.some(({ status }) => status === 'SUCCESS')) complaints.push('nothing was checked');
  const expected = refusals.has(name) ? 'refused' : 'done';
  if (ending !== expected) {
    complaints.push(
      `the client should have ended as ${expected}: ${ending || 'nothing'}\n${words}`,
    );
  }
  return complaints;
}
