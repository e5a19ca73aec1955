import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

/** What a command has of the process that it runs in. Tests run commands in their own, with one of theirs. */
export interface Io {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Writable & { isTTY?: boolean };
  readonly stderr: Writable;
  /** Where the lines of the log go, if not to standard error. */
  readonly log?: { write(line: string): void };
  /** Listens for a signal until the returned function is called. */
  onSignal(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): () => void;
  /** Ends the process at once. */
  exit(code: number): void;
  /** Stops the process until it is continued, as Ctrl-Z does; absent: the system cannot. */
  readonly suspend?: () => Promise<void>;
}

const stopMs = 50;

/**
 * Stops the whole group, as a terminal would: `npx` is part of it, and the shell takes over when all have stopped.
 * Where nobody could continue it the system lets it run on.
 */
async function suspend(): Promise<void> {
  process.kill(0, 'SIGTSTP');
  await setTimeout(stopMs);
}

/** The process itself; its streams are opened when they are used. */
export const processIo: Io = {
  env: process.env,
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  onSignal(signal, listener) {
    process.on(signal, listener);
    return () => void process.off(signal, listener);
  },
  exit: (code) => process.exit(code),
  ...(process.platform !== 'win32' && { suspend }),
};
