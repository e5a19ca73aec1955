import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** How long a process may take to end when asked to. */
const endTime = 5_000;

/** A process of the benchmark's own, ended when it is disposed. */
export interface Running extends AsyncDisposable {
  pid: number;
  /** The next line that matches; rejects if the process ends before. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
}

/**
 * Starts a script on this Node; what it writes to stderr is shown. Its stdin closes when this process
 * is gone, however that happened.
 */
export function start(script: URL, args: string[] = [], env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const lines = createInterface({ input: child.stdout });
  return {
    pid: child.pid ?? 0,
    line: (pattern) => waitForLine(lines, pattern),
    [Symbol.asyncDispose]: () => end(child),
  };
}

/** Cerise itself on a free port, with its own data folder. */
export async function startCerise(
  home: string,
  env: Record<string, string> = {},
): Promise<Running & { url: string }> {
  const cerise = start(new URL('../bin/built.mjs', import.meta.url), ['serve'], {
    CERISE_HOME: home,
    CERISE_PORT: '0',
    CERISE_HOST: '127.0.0.1',
    CERISE_TOKEN: benchToken,
    CERISE_DATABASE_URL: '',
    ...env,
  });
  const ready = await cerise.line(/Cerise is ready at (http:\/\/[^\s/]+)/);
  return { ...cerise, url: ready[1] ?? '' };
}

/** The token a benchmarked Cerise accepts. */
export const benchToken = 'bench-token-0123456789abcdef0123456789abcdef';

/** A folder that is removed when it is disposed, or at the latest when this process exits. */
export function temporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'cerise-bench-'));
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  process.once('exit', remove);
  return { path, [Symbol.dispose]: remove };
}

/** CPU time of another process in µs, all its threads together (Linux). */
export function cpuOf(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [running] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    nanoseconds += Number(running);
  }
  return nanoseconds / 1000;
}

/** The most memory another process had resident since its start or the last reset, in MB (Linux). */
export function peakMemoryOf(pid: number): number {
  return statusOf(pid, /^VmHWM:\s+(\d+) kB$/m) / 1024;
}

/** The memory another process has resident, in MB (Linux). */
export function memoryOf(pid: number): number {
  return statusOf(pid, /^VmRSS:\s+(\d+) kB$/m) / 1024;
}

/** From now on the peak is counted anew (Linux). */
export function resetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function statusOf(pid: number, field: RegExp): number {
  const found = field.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1] ?? NaN);
}

function waitForLine(lines: Interface, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const onLine = (line: string) => {
      const found = pattern.exec(line);
      if (!found) return;
      lines.off('line', onLine);
      lines.off('close', onClose);
      resolve(found);
    };
    const onClose = () => reject(new Error(`The process ended before it printed ${pattern}.`));
    lines.on('line', onLine);
    lines.on('close', onClose);
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const lastWord = setTimeout(() => child.kill('SIGKILL'), endTime);
  await exited;
  clearTimeout(lastWord);
}
