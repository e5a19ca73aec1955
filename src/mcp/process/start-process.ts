import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { StdioConfig } from '#shared/vocabulary/server.ts';
import { childEnvironment } from './environment.ts';
import { inheritedFiles } from './inherited-files.ts';
import type { LogRing } from './log-ring.ts';
import type { McpProcessTracker } from './process-tracker.ts';
import { type Launch, resolveCommand } from './resolve-command.ts';
import type { Confinement, Sandbox, Start } from './sandbox.ts';
import { startError } from './start-error.ts';

/** How a process ended: exactly one of the two is not null. */
export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A running server process. Its owner reads the streams and closes it when it has exited. */
export interface ServerProcess {
  /** Names it for the tracker. */
  readonly id: string;
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<ProcessExit>;
  /** End of input, SIGTERM, SIGKILL; resolves when it and its descendants are gone. Never throws. */
  close(): Promise<void>;
}

/** What starting a process needs from its surroundings. */
export interface StartDeps {
  tracker: McpProcessTracker;
  log: Pick<LogRing, 'push'>;
  /** Where the allow-listed variables come from; the host's own environment by default. */
  hostEnvironment?: NodeJS.ProcessEnv;
  /** Cancels the start as long as nothing was started. */
  signal?: AbortSignal;
  /** What confines it; absent: nothing does. */
  place?: StartPlace | undefined;
}

/** The sandbox of a process, its own folder, and what it may reach if not what its config says. */
export interface StartPlace extends Pick<Confinement, 'own' | 'access' | 'readable' | 'writable'> {
  sandbox: Sandbox;
}

/** Starts a server in a process group of its own. Throws CeriseError. */
export async function startProcess(
  config: StdioConfig,
  { tracker, log, hostEnvironment = process.env, signal, place }: StartDeps,
): Promise<ServerProcess> {
  assertFolder(config.cwd);
  const environment = childEnvironment(config, hostEnvironment);
  const launch = await resolveCommand(config, { environment, hostEnvironment });
  const start = await confined(launch, config, place);
  if (signal?.aborted)
    throw new CeriseError('cancelled', say('connecting-cancelled')`Connection cancelled.`);
  for (const note of [launch.note ?? [], start.notes].flat()) log.push('event', note);
  const id = randomUUID();
  const { child, started } = spawnTracked(id, config, start, tracker);
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => resolve(exitOf(start, { code, signal })));
  });
  // One that could not be started may have none of them.
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    stream?.on('error', (error) => log.push('event', error.message));
  }
  try {
    await started;
  } catch (error) {
    await tracker.closeConnection(id);
    throw startError(config.command, error as NodeJS.ErrnoException);
  }
  const { pid = 0, stdin, stdout, stderr } = child;
  const close = (): Promise<void> => tracker.closeConnection(id);
  return { id, pid, stdin, stdout, stderr, exited, close };
}

async function confined(launch: Launch, config: StdioConfig, place?: StartPlace): Promise<Start> {
  const { cwd, env } = config;
  if (!place) return { ...launch, cwd, isConfined: false, notes: [] };
  const { sandbox, access = config.access, ...folders } = place;
  return sandbox.confine(launch, { ...folders, access, cwd, env });
}

/** What watches over a confined process reports its signal as a code, as shells do. */
function exitOf({ isConfined }: Start, { code, signal }: ProcessExit): ProcessExit {
  const number = isConfined && code !== null ? code - 128 : 0;
  const name = Object.entries(constants.signals).find(([, each]) => each === number)?.[0];
  return name ? { code: null, signal: name as NodeJS.Signals } : { code, signal };
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Nothing is awaited between the announcement and `track`: the tracker never misses a process. Whatever
 * fails is heard from the first moment: an error of a child that nobody listens to would end the host.
 */
function spawnTracked(
  id: string,
  { command }: StdioConfig,
  { file, args, environment, verbatim, cwd }: Start,
  tracker: McpProcessTracker,
): { child: Child; started: Promise<void> } {
  const marker = tracker.announce(id, command);
  let child: Child | undefined;
  try {
    child = spawn(file, args, {
      cwd,
      env: { ...environment, ...marker },
      stdio: ['pipe', 'pipe', 'pipe', ...inheritedFiles()],
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
    }) as Child;
    const started = spawned(child);
    tracker.track(id, child);
    return { child, started };
  } catch (error) {
    child?.kill('SIGKILL');
    void tracker.closeConnection(id);
    throw startError(command, error as NodeJS.ErrnoException);
  }
}

function spawned(child: Child): Promise<void> {
  const started = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    // Later errors (a signal that could not be sent) change nothing: the tracker looks for itself.
    child.on('error', reject);
  });
  // Who gave up before waits for nothing.
  started.catch(() => undefined);
  return started;
}

function assertFolder(cwd: string | undefined): void {
  if (cwd === undefined || statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new CeriseError(
    'invalid_server',
    say('folder-missing')`The working directory ${cwd} doesn't exist.`,
    {
      hint: say('folder-missing-hint')`Fix the working directory in this server's settings.`,
    },
  );
}
