import type { Readable, Writable } from 'node:stream';

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
};
