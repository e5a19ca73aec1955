/**
 * Tries real MCP servers from npm, each installed in a folder of its own, and prints a table of what came of
 * it with the words that a person would see. `npm run servers`, or `npm run servers -- NAME…` for some: of the
 * list, or any other package.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { launchHash } from '#mcp/connection/launch-hash.ts';
import { Sandbox } from '#mcp/process/sandbox.ts';
import { McpService } from '#mcp/service/mcp-service.ts';
import type { ServerStatus } from '#mcp/service/server-status.ts';
import { serverConfigSchema, type ServerRecord } from '#shared/vocabulary/server.ts';
import { folder, type Subject, subjects } from './real-servers.ts';

const silent = (): void => undefined;
const returnMs = 30_000;
const root = mkdtempSync(join(tmpdir(), 'cerise-servers-'));

interface Row {
  server: string;
  cold: string;
  warm: string;
  era: string;
  tools: string;
  resources: string;
  call: string;
  returned: string;
  /** The least access that it starts with. */
  access: string;
  /** What was read where something was missing or wrong, by what that was. */
  words: [what: string, words: string, actionable: boolean][];
}

function record(command: object): ServerRecord {
  const config = serverConfigSchema.parse({ name: 'server', type: 'stdio', ...command });
  const at = Date.now();
  return {
    id: randomUUID(),
    owner: 'local',
    config,
    approvedHash: launchHash(config),
    createdAt: at,
    updatedAt: at,
  };
}

class Trial {
  readonly #heard = new Set<(status: ServerStatus) => void>();
  readonly service: McpService;
  readonly id: string;

  private constructor(server: ServerRecord, packagesFolder: string, sandbox?: Sandbox) {
    this.id = server.id;
    this.service = new McpService({
      builtin: () => Promise.reject(new Error('none')),
      logger: { debug: silent, info: silent, warn: silent, error: silent },
      packagesFolder,
      ...(sandbox && { sandbox }),
      onStatus: (_, status) => this.#heard.forEach((hear) => hear(status)),
    });
  }

  static async open(command: object, packagesFolder: string, sandbox?: Sandbox): Promise<Trial> {
    const server = record(command);
    const trial = new Trial(server, packagesFolder, sandbox);
    await trial.service.setServer(server);
    return trial;
  }

  /** Seconds until it was connected, or the words that say why not. */
  async connect(): Promise<{ seconds?: string; words?: string; status: ServerStatus }> {
    const started = performance.now();
    try {
      await this.service.initClient(this.id);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      return { seconds: `${seconds} s`, status: this.service.status(this.id) };
    } catch {
      const status = this.service.status(this.id);
      return { words: status.reason ?? status.state, status };
    }
  }

  until(state: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('not in time')), returnMs);
      this.#heard.add((status) => {
        if (status.state !== state) return;
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

async function tryServer(subject: Subject, place: string): Promise<Row> {
  const { name, args = [], env = {} } = subject;
  const npm = { npm_config_cache: join(place, 'npm'), PUPPETEER_SKIP_DOWNLOAD: '1' };
  const packages = join(place, 'packages');
  const command = (extra: string[], own: Record<string, string>) => ({
    command: 'npx',
    args: ['-y', name, ...extra],
    env: { ...npm, ...own },
    cwd: place,
  });
  const row: Row = {
    server: name,
    cold: '',
    warm: '',
    era: '',
    tools: '',
    resources: '',
    call: '',
    returned: '',
    access: '',
    words: [],
  };
  const cold = await Trial.open(command(args, env), packages);
  const first = await cold.connect();
  row.cold = first.seconds ?? 'no';
  if (first.words !== undefined) row.words.push(['start', first.words, canAct(first.status)]);
  else await examine(cold, subject, row);
  await cold.service.close();
  const warm = await Trial.open(command(args, env), packages);
  row.warm = (await warm.connect()).seconds ?? 'no';
  await warm.service.close();
  if (row.warm !== 'no') row.access = await leastAccess(subject, command(args, env), place);
  const others: [string, object][] = [
    ...(Object.keys(env).length > 0 ? [['without its variables', command(args, {})] as const] : []),
    ...(subject.needsArgs ? [['without its arguments', command([], env)] as const] : []),
    ['with a wrong argument', command([...args, '--no-such-option'], env)],
  ].map(([what, each]) => [what as string, { ...(each as object), startTimeout: 15 }]);
  for (const [what, wrong] of others) {
    const trial = await Trial.open(wrong, packages);
    const { words = 'starts anyway', seconds, status } = await trial.connect();
    row.words.push([what, words, seconds !== undefined || canAct(status)]);
    await trial.service.close();
  }
  return row;
}

/** Tries one access after the other, from the narrowest on; empty where nothing can be confined. */
async function leastAccess(
  { args = [], env = {} }: Subject,
  { cwd: _, ...command }: { cwd: string } & object,
  place: string,
): Promise<string> {
  const sandbox = new Sandbox({ dataFolder: join(place, 'data') });
  mkdirSync(join(place, 'data'), { recursive: true });
  if ('reason' in (await sandbox.state())) return '';
  const needsFolder = [...args, ...Object.values(env)].some((word) => word.startsWith(folder));
  const files = needsFolder ? { folders: [{ path: folder, write: true }] } : 'own';
  const named = needsFolder ? 'its folder' : 'own';
  for (const network of [false, true]) {
    const wanted = { ...command, access: { files, network } };
    const trial = await Trial.open(wanted, join(place, 'packages'), sandbox);
    const { seconds } = await trial.connect();
    await trial.service.close();
    if (seconds !== undefined) return `${named}${network ? ', network' : ''}`;
  }
  return 'everything';
}

async function examine(trial: Trial, { call }: Subject, row: Row): Promise<void> {
  const { service, id } = trial;
  const { era, protocolVersion, processes } = await service.diagnose(id);
  row.era = `${era} ${protocolVersion}`;
  row.tools = await counted(service.listTools(id));
  row.resources = await counted(service.listResources(id));
  if (call) {
    const [name, args] = call;
    row.call = await service.callTool({ serverId: id, name, arguments: args, callId: 'c' }).then(
      ({ isError, content }) => (isError ? `error: ${JSON.stringify(content).slice(0, 80)}` : 'ok'),
      (error: unknown) => String(error).slice(0, 120),
    );
  }
  const returned = trial.until('connected');
  for (const { pid } of processes) kill(pid);
  row.returned = await returned.then(
    () => 'yes',
    () => `no: ${service.status(id).reason ?? ''}`,
  );
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended with its parent.
  }
}

async function counted(list: Promise<unknown[]>): Promise<string> {
  return list.then(
    ({ length }) => String(length),
    (error: unknown) => String(error).slice(0, 120),
  );
}

/** Whether somebody who reads it knows what to do: there is a fix or a hint beside the plain fact. */
function canAct({ fix, reasonSaid }: ServerStatus): boolean {
  return fix !== undefined || reasonSaid?.id === 'one-after-other';
}

/** What is wrong with a package itself rather than with a server. */
async function tryPackages(place: string): Promise<[string, string, boolean][]> {
  const wrong: [string, object][] = [
    ['a name that does not exist', { args: ['-y', '@modelcontextprotocol/server-filesytem'] }],
    ['a version that does not exist', { args: ['-y', 'mcp-hello-world@99.0.0'] }],
    ['a library', { args: ['-y', 'left-pad'] }],
    [
      'a registry that is not there',
      { args: ['-y', 'mcp-hello-world'], registryUrl: 'http://127.0.0.1:9/' },
    ],
    ['a command that does not exist', { command: 'no-such-command', args: [] }],
    ['a script that does not exist', { command: 'node', args: ['no/such/script.js'] }],
    ['text instead of messages', { command: 'echo', args: ['hello'] }],
  ];
  const rows: [string, string, boolean][] = [];
  for (const [what, command] of wrong) {
    const env = { npm_config_cache: join(place, 'npm') };
    const trial = await Trial.open({ command: 'npx', env, ...command }, join(place, 'packages'));
    const { words = 'it connected', status } = await trial.connect();
    rows.push([what, words, canAct(status)]);
    await trial.service.close();
  }
  return rows;
}

function cells(...values: string[]): string {
  return `| ${values.map((value) => value.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  const known = new Map(subjects.map((subject) => [subject.name, subject]));
  const chosen = wanted.length === 0 ? subjects : wanted.map((name) => known.get(name) ?? { name });
  const rows: Row[] = [];
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  write(
    cells(
      'Server',
      'Cold',
      'Warm',
      'Era',
      'Tools',
      'Resources',
      'Call',
      'Back after kill',
      'Access',
    ),
  );
  write(cells(...Array.from({ length: 9 }, () => '---')));
  for (const [at, subject] of chosen.entries()) {
    const place = join(root, String(at));
    await prepareFolder(place);
    const row = await tryServer(subject, place);
    rows.push(row);
    const { server, cold, warm, era, tools, resources, call, returned, access } = row;
    write(cells(server, cold, warm, era, tools, resources, call, returned, access));
    rmSync(place, { recursive: true, force: true });
  }
  const place = join(root, 'packages');
  await prepareFolder(place);
  const packages = wanted.length === 0 ? await tryPackages(place) : [];
  const words = [
    ...rows.flatMap(({ server, words: own }) => own.map((each) => [server, ...each] as const)),
    ...packages.map((each) => ['(package)', ...each] as const),
  ];
  write(`\n${cells('Server', 'What', 'Words')}\n${cells('---', '---', '---')}`);
  for (const [server, what, text] of words) write(cells(server, what, text));
  const unclear = words.filter(([, , , actionable]) => !actionable);
  write(`\n${words.length} endings, ${unclear.length} without a word on what to do.`);
  for (const each of [root, folder]) rmSync(each, { recursive: true, force: true });
  if (unclear.length > 0) process.exitCode = 1;
}

async function prepareFolder(place: string): Promise<void> {
  const { mkdir } = await import('node:fs/promises');
  await mkdir(place, { recursive: true });
  writeFileSync(join(place, '.keep'), '');
}

await main();
