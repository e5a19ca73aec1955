import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { reapOrphans } from '#mcp/process/ledger.ts';
import {
  isRunning,
  type ProcessIdentity,
  readProcess,
  readProcesses,
} from '#mcp/process/process-table.ts';
import { McpProcessTracker } from '#mcp/process/process-tracker.ts';
import { hostSays } from '../e2e/texts.ts';
import { startProcess } from '#mcp/process/start-process.ts';
import { canConfine } from '../bubblewrap.ts';

const isLinux = process.platform === 'linux';
if (!isLinux)
  process.stderr.write('Not tried: ends of process trees. They are seen on Linux only.\n');

const hostScript = join(import.meta.dirname, '../fixtures/process-host.ts');
const pathOnly = { PATH: process.env['PATH'] };

const leftovers: (() => void)[] = [];
afterAll(() => leftovers.forEach((end) => end()));

interface Report {
  pids: Record<'server' | 'inGroup' | 'ownSession' | 'ownEnvironment' | 'orphan', number>;
  own: Record<string, string>;
  parent?: string[];
  files: string[];
}

interface RunningHost {
  child: ChildProcess;
  report: Report;
  /** Everything the server started, and the shell that watches the host. */
  tree: ProcessIdentity[];
  watch: ProcessIdentity | undefined;
  folder: string;
}

type How = 'unconfined' | 'confined';

/** Starts a host whose one server and descendants run. All of it is killed in the end. */
async function startHost(
  behaviour: string,
  {
    env = {},
    how = 'unconfined',
    files = [],
  }: { env?: NodeJS.ProcessEnv; how?: How; files?: ('ignore' | number)[] } = {},
): Promise<RunningHost> {
  const folder = mkdtempSync(join(tmpdir(), 'cerise-processes-'));
  const file = join(folder, 'own/report');
  mkdirSync(dirname(file));
  const reported = appears(file);
  const words = [hostScript, behaviour, join(folder, 'ledger'), file, how];
  const child = spawn(process.execPath, words, {
    env: { ...pathOnly, ...env },
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore', ...files],
  });
  const died = once(child, 'exit').then(([code, signal]) => `the host ended: ${code ?? signal}`);
  // What it has started may report before or after its end.
  if (behaviour === 'dies-while-connecting') await died;
  else expect(await Promise.race([reported, died])).toBe('reported');
  await reported;
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const watch = readProcesses().find(
    (entry) => entry.parent === child.pid && entry.command === 'sh',
  );
  // A namespace has numbers of its own: from outside they are other ones.
  const tree =
    how === 'confined'
      ? descendants(child.pid ?? 0, watch)
      : Object.values(report.pids).map((pid) => readProcess(pid) ?? { pid, startTime: -1 });
  leftovers.push(() => {
    for (const identity of tree) if (isRunning(identity)) process.kill(identity.pid, 'SIGKILL');
    child.kill('SIGKILL');
  });
  return { child, report, tree, watch, folder };
}

function descendants(of: number, except: ProcessIdentity | undefined): ProcessIdentity[] {
  const entries = readProcesses().filter(({ pid }) => pid !== except?.pid);
  const pids = new Set([of]);
  for (let before = 0; before !== pids.size;) {
    before = pids.size;
    for (const { pid, parent } of entries) if (pids.has(parent)) pids.add(pid);
  }
  return entries.filter(({ pid }) => pid !== of && pids.has(pid));
}

function appears(file: string): Promise<'reported'> {
  return new Promise((resolve) => {
    const watcher = watch(dirname(file), (_event, name) => {
      if (name !== basename(file)) return;
      watcher.close();
      resolve('reported');
    });
  });
}

/** How long it took until none of them ran, in milliseconds. */
async function allEnd(processes: ProcessIdentity[], within: number): Promise<number> {
  const started = performance.now();
  const look = (): void => expect(processes.filter(isRunning)).toEqual([]);
  await vi.waitFor(look, { timeout: within, interval: 20 });
  return performance.now() - started;
}

function alive({ tree }: RunningHost): number {
  return tree.filter(isRunning).length;
}

const ways: How[] = isLinux && canConfine() ? ['unconfined', 'confined'] : ['unconfined'];

describe.skipIf(!isLinux).concurrent.each(ways)(
  'the end of a server, %s, with everything it started',
  (how) => {
    it('T62 comes when the server is stopped, while the host goes on', async () => {
      const host = await startHost('stops-server', { how });
      expect(alive(host)).toBeGreaterThanOrEqual(5);
      host.child.stdin?.write('go');
      const [said] = (await once(host.child.stdout!, 'data')) as [Buffer];
      expect(String(said)).toBe('stopped');
      expect(alive(host)).toBe(0);
      expect(host.child.exitCode).toBeNull();
      // Nothing is left to watch for, nor to remember.
      await allEnd([host.watch!], 3000);
      expect(readdirSync(join(host.folder, 'ledger'))).toEqual([]);
    });

    it('T62 comes when the host drains on SIGTERM', async () => {
      const host = await startHost('drains', { how });
      expect(alive(host)).toBeGreaterThanOrEqual(5);
      const ended = once(host.child, 'exit');
      host.child.kill('SIGTERM');
      await allEnd([...host.tree, host.watch!], 6000);
      expect(await ended).toEqual([0, null]);
    });

    it('T62 comes when SIGTERM ends a host that does not handle it', async () => {
      const host = await startHost('waits', { how });
      host.child.kill('SIGTERM');
      await allEnd([...host.tree, host.watch!], 5000);
    });

    it('T62 comes when the host is killed', async () => {
      const host = await startHost('waits', { how });
      expect(alive(host)).toBeGreaterThanOrEqual(5);
      host.child.kill('SIGKILL');
      expect(await allEnd([...host.tree, host.watch!], 5000)).toBeLessThan(4000);
    });

    it('T62 comes when the host and all of its group get a signal from the terminal', async () => {
      const host = await startHost('waits', { how });
      process.kill(-host.child.pid!, 'SIGINT');
      await allEnd([...host.tree, host.watch!], 5000);
    });

    it('T62 comes at once when the host throws what nobody catches, or exits', async () => {
      for (const behaviour of ['throws', 'ends']) {
        const host = await startHost(behaviour, { how });
        expect(alive(host)).toBeGreaterThanOrEqual(5);
        const ended = once(host.child, 'exit');
        host.child.stdin?.write('go');
        expect(await ended).toEqual([behaviour === 'throws' ? 1 : 0, null]);
        await allEnd(host.tree, 1000);
        await allEnd([host.watch!], 3000);
      }
    });
  },
);

describe.skipIf(!isLinux).concurrent('the end of a server when least expected', () => {
  it('T62 comes when the host is killed while it connects', async () => {
    const host = await startHost('dies-while-connecting');
    expect(host.child.signalCode).toBe('SIGKILL');
    await allEnd(host.tree, 5000);
  });

  it('T62 comes at the next start if nothing else could do it', async () => {
    const host = await startHost('waits');
    const ledger = join(host.folder, 'ledger');
    expect(await reapOrphans(ledger)).toEqual([]);
    expect(alive(host)).toBe(5);
    process.kill(host.watch!.pid, 'SIGKILL');
    await allEnd([host.watch!], 3000);
    const ended = once(host.child, 'exit');
    host.child.kill('SIGKILL');
    await ended;
    expect(alive(host)).toBe(5);
    const reaped = (await reapOrphans(ledger)).map(({ pid }) => pid);
    expect(reaped).toEqual(expect.arrayContaining(Object.values(host.report.pids)));
    expect(alive(host)).toBe(0);
    expect(readdirSync(ledger)).toEqual([]);
  });
});

describe.skipIf(!isLinux)('a process that is not ours', () => {
  it('T62 is left alone, though it has the pid of one that was', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cerise-processes-'));
    const foreign = spawn('sleep', ['60'], { stdio: 'ignore' });
    leftovers.push(() => void foreign.kill('SIGKILL'));
    const { pid, startTime } = readProcess(foreign.pid!)!;
    const scope = await ownScope();
    const host = { pid: await endedPid(), startTime: 1 };
    const notes = [
      { leader: { pid, startTime: startTime - 1 } },
      { leader: { pid, startTime } },
      { leader: { pid: process.pid, startTime: readProcess(process.pid)!.startTime } },
      { leader: { pid, startTime }, scope: 'another boot' },
    ].map((more) => ({ marker: randomUUID(), command: 'sleep', scope, host, ...more }));
    for (const note of notes)
      writeFileSync(join(folder, `${note.marker}.json`), JSON.stringify(note));
    writeFileSync(join(folder, 'broken.json'), '{"marker": "x", "leader": {"pid": 1');
    expect(await reapOrphans(folder)).toEqual([]);
    expect(isRunning({ pid, startTime })).toBe(true);
    // What another machine or container noted may be true there.
    expect(readdirSync(folder)).toEqual([`${notes[3]!.marker}.json`]);
  });
});

/** The scope this machine writes into its notes. */
async function ownScope(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cerise-processes-'));
  const tracker = new McpProcessTracker({ ledgerFolder: folder });
  tracker.announce('a', 'sleep');
  const [name = ''] = readdirSync(folder);
  const { scope } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { scope: string };
  await tracker.closeAll();
  return scope;
}

async function endedPid(): Promise<number> {
  const child = spawn('true', { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid!;
}

describe.skipIf(!isLinux)('the environment of a server', () => {
  it('T25 holds the allow-list only, and so does what it can read of the host', async () => {
    const secrets = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`SECRET_${index}`, `hidden-value-${index}`]),
    );
    const host = await startHost('hides-environment', {
      env: { ...secrets, LANG: 'C.UTF-8', HOME: '/' },
    });
    const { own, parent = [] } = host.report;
    expect(Object.keys(own).toSorted()).toEqual(['CERISE_SERVER', 'HOME', 'LANG', 'PATH']);
    expect(parent.filter((line) => line !== '').map((line) => line.split('=')[0])).toEqual(
      expect.arrayContaining(['HOME', 'LANG', 'PATH']),
    );
    expect(JSON.stringify([own, parent])).not.toMatch(/SECRET_|hidden-value/);
    // The host itself still has them.
    host.child.stdin?.write('go');
    const [said] = (await once(host.child.stdout!, 'data')) as [Buffer];
    expect(String(said)).toBe('hidden-value-7');
  });
});

describe.skipIf(!isLinux).each(ways)('the open files of a server, %s,', (how) => {
  it('hold nothing that whoever started the host had open', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cerise-processes-'));
    const secret = join(folder, 'secret.key');
    writeFileSync(secret, 'secret');
    const open = openSync(secret, 'r');
    leftovers.push(() => closeSync(open));
    // Far behind what Node closes by itself at its start.
    const { child, report } = await startHost('waits', {
      how,
      files: [...Array.from({ length: 60 }, () => 'ignore' as const), open],
    });
    expect(readdirSync(`/proc/${child.pid}/fd`)).toContain('63');
    expect(readlinkSync(`/proc/${child.pid}/fd/63`)).toBe(secret);
    expect(report.files).not.toContain(secret);
  });
});

describe.skipIf(!isLinux)('a command that cannot be started', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cerise-processes-'));
  const file = join(folder, 'no-program');
  writeFileSync(file, 'text');
  chmodSync(file, 0o644);

  it.each([
    [
      'T69 is reported when it does not exist (ENOENT)',
      { command: 'no-such-command' },
      hostSays('command-missing'),
    ],
    [
      'T69 is reported when its path does not exist',
      { command: join(folder, 'gone') },
      hostSays('command-missing'),
    ],
    [
      'T69 is reported when it is no program (EACCES)',
      { command: file },
      hostSays('permission-denied'),
    ],
    [
      'T69 is reported when it is found but no program',
      { command: 'no-program', env: { PATH: folder } },
      hostSays('permission-denied'),
    ],
  ])('%s', async (_title, config, message) => {
    const { tracker, started } = start(config);
    await expect(started).rejects.toMatchObject({
      code: 'command_not_found',
      message: expect.stringMatching(message),
      hint: expect.any(String),
    });
    expect(tracker.tracked()).toEqual([]);
  });
});

describe.skipIf(!isLinux).concurrent('a server that does not do its part', () => {
  it.each([
    ['T70 is ended though it never reads', 'setInterval(() => {}, 1000); console.log(1)'],
    [
      'T70 is ended though it closed its output',
      "setInterval(() => {}, 1000); console.log(1); require('fs').closeSync(1)",
    ],
    ['T70 is ended though it is stopped', "console.log(1); process.kill(process.pid, 'SIGSTOP')"],
  ])('%s', async (_title, code) => {
    const { tracker, started } = start({ command: process.execPath, args: ['-e', code] });
    const server = await started;
    const identity = readProcess(server.pid)!;
    await once(server.stdout, 'data');
    server.stdin.write('x'.repeat(1024 * 1024));
    expect(server.stdin.writableLength).toBeGreaterThan(0);
    await server.close();
    expect(isRunning(identity)).toBe(false);
    expect(await server.exited).toMatchObject({ code: null });
    expect(tracker.tracked()).toEqual([]);
  });
});

function start(config: { command: string; args?: string[]; env?: Record<string, string> }) {
  const tracker = new McpProcessTracker();
  const server = { type: 'stdio' as const, name: 'test', args: [], env: {}, ...config };
  const started = startProcess(server, {
    tracker,
    log: { push: () => undefined },
    hostEnvironment: { ...pathOnly },
  });
  return { tracker, started };
}
