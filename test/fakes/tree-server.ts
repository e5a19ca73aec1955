/**
 * A stdio server that is as hard to end as a program can be: it ignores SIGTERM and the end of its
 * input, and so do its descendants, each of which has left something behind that it could be found by.
 * Its argument is a file for its findings: the pids, its environment and its parent's, and its open files.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, renameSync, writeFileSync } from 'node:fs';

const [, , report = '', manners = 'stubborn'] = process.argv;
const stubborn = "trap '' TERM HUP INT; while :; do sleep 1; done";

if (manners === 'stubborn') {
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => undefined);
  setInterval(() => undefined, 1000);
}
process.stdin.resume();

/** In the group of the server. */
const inGroup = start(stubborn, {});
/** In a session of its own, as a daemon. */
const ownSession = start(stubborn, { detached: true });
/** In a session of its own and without our environment. */
const ownEnvironment = start(stubborn, { detached: true, env: { PATH: process.env['PATH'] } });
/** In a session of its own, its parent having ended: says its pid itself. */
const middle = spawn('sh', ['-c', `sh -c "echo \\$\\$; exec >/dev/null; ${stubborn}" & exit`], {
  detached: true,
  stdio: ['ignore', 'pipe', 'ignore'],
});
middle.stdout.once('data', (line: Buffer) => {
  const pids = { server: process.pid, inGroup, ownSession, ownEnvironment, orphan: Number(line) };
  const parent = environmentOf(process.ppid);
  const files = openFiles();
  writeFileSync(`${report}.new`, JSON.stringify({ pids, own: process.env, parent, files }));
  renameSync(`${report}.new`, report);
});

function start(script: string, options: { detached?: boolean; env?: NodeJS.ProcessEnv }) {
  return spawn('sh', ['-c', script], { ...options, stdio: 'ignore' }).pid;
}

function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      // The one that the list was read by.
      return [];
    }
  });
}

function environmentOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    return undefined;
  }
}
