import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { CeriseError } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import type { StdioConfig } from '#shared/server.ts';
import { truncate } from '#shared/text.ts';
import { childEnvironment } from './environment.ts';
import { type Line, LineReader } from './line-reader.ts';
import type { LogRing } from './log-ring.ts';
import { oversized } from './oversized.ts';
import type { McpProcessTracker } from './process-tracker.ts';

/** A line that never ends: beyond this the connection is closed. */
const endlessLine = 8 * limits.mcpMessage;
/** What may wait for a child that does not read. */
const maxUnsent = 2 * limits.mcpMessage;
const longestLogLine = 4096;
const lastWordsTime = 250;

/** What a stdio connection needs from its surroundings. */
export interface StdioDependencies {
  tracker: McpProcessTracker;
  log: LogRing;
}

/**
 * MCP over the standard input and output of a process of its own group. What is not a message on
 * stdout is skipped and noted; an oversized answer fails its own call only.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  /** Marks the transport as stdio for the SDK's negotiation; stderr goes to the log ring. */
  readonly stderr = null;
  readonly #config: StdioConfig;
  readonly #tracker: McpProcessTracker;
  readonly #log: LogRing;
  readonly #id = randomUUID();
  #child: ChildProcess | undefined;
  #closed = false;

  constructor(config: StdioConfig, { tracker, log }: StdioDependencies) {
    this.#config = config;
    this.#tracker = tracker;
    this.#log = log;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async start(): Promise<void> {
    const { command, args, cwd } = this.#config;
    if (this.#closed) throw new CeriseError('cancelled', 'Connecting was cancelled.');
    assertFolder(cwd);
    const child = spawn(command, args, {
      cwd,
      env: childEnvironment(this.#config),
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    if (child.pid !== undefined) this.#tracker.track(this.#id, child);
    this.#listen(child);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => reject(startError(command, error)));
    });
    this.#log.push('event', `started process ${child.pid}`);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (this.#closed || !stdin?.writable) {
      throw new CeriseError('connection_lost', 'The server process has ended.');
    }
    if (stdin.writableLength > maxUnsent) {
      throw new CeriseError('connection_lost', 'The server has stopped reading its input.');
    }
    stdin.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#end();
    await this.#tracker.closeConnection(this.#id);
  }

  #listen(child: ChildProcess): void {
    const stdout = new LineReader(limits.mcpMessage);
    const stderr = new LineReader(longestLogLine);
    const logLine = (line: Line): void =>
      this.#log.push('stderr', 'text' in line ? line.text : `${line.head}…`);
    child.stdout?.on('data', (chunk: Buffer) => {
      for (const line of stdout.push(chunk)) this.#receive(line);
      if (stdout.pendingBytes > endlessLine) this.#abandon('The server sent a line without end.');
    });
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk).forEach(logLine));
    child.stdin?.on('error', (error) => this.onerror?.(error));
    child.stdout?.on('error', (error) => this.onerror?.(error));
    child.stderr?.on('error', (error) => this.onerror?.(error));
    child.stderr?.once('end', () => stderr.flush().forEach(logLine));
    child.once('close', () => void this.close());
    // What the process wrote last may still be in its pipes, and a descendant may hold them open, so
    // `close` gets a moment. A server that only closes its output cannot answer any more either.
    const closeSoon = (): unknown => setTimeout(() => void this.close(), lastWordsTime).unref();
    child.stdout?.once('end', closeSoon);
    child.once('exit', (code, signal) => {
      this.#log.push('event', `process ended with ${signal ?? `code ${code}`}`);
      closeSoon();
    });
    child.on('error', (error) => this.onerror?.(error));
  }

  #receive(line: Line): void {
    const messages = 'text' in line ? this.#parse(line.text) : this.#tooLarge(line);
    for (const message of messages) {
      if (this.#closed) return;
      try {
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  #parse(text: string): JSONRPCMessage[] {
    if (text.trim() === '') return [];
    try {
      const value: unknown = JSON.parse(text);
      const list = Array.isArray(value) ? value : [value];
      if (list.every(isMessage)) return list;
    } catch {
      // Falls through: a line that is no JSON is noted like any other line that is no message.
    }
    this.#log.push('stdout', `skipped, not a message: ${truncate(text, 300)}`);
    return [];
  }

  #tooLarge(line: Extract<Line, { head: string }>): JSONRPCMessage[] {
    const text = `The server sent a message of ${line.bytes} bytes; the limit is ${limits.mcpMessage}.`;
    this.#log.push('event', text);
    const id = answerId(line);
    if (id === undefined) return [];
    const error = { code: -32000, message: text, data: oversized };
    return [{ jsonrpc: '2.0', id, error }];
  }

  #abandon(reason: string): void {
    if (this.#closed) return;
    this.#log.push('event', reason);
    this.onerror?.(new CeriseError('unreadable_response', reason));
    this.#child?.stdout?.destroy();
    void this.close();
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }
}

/** The request an oversized answer belongs to; writers put the id first or last. */
function answerId({ head, tail }: { head: string; tail: string }): number | undefined {
  const found =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*,/.exec(head) ??
    /"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail);
  return found ? Number(found[1]) : undefined;
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return (
    typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0'
  );
}

function assertFolder(cwd: string | undefined): void {
  if (cwd === undefined || statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new CeriseError('invalid_server', `The working folder ${cwd} does not exist.`, {
    hint: 'Correct the working folder in the settings of this server.',
  });
}

function startError(command: string, error: NodeJS.ErrnoException): CeriseError {
  const missing = error.code === 'ENOENT';
  const message = missing
    ? `The command ${command} was not found.`
    : `The command ${command} could not be started: ${error.message}.`;
  return new CeriseError('command_not_found', message, {
    hint: missing ? installHint(command) : 'Check that the file is a program you may run.',
    cause: error,
  });
}

function installHint(command: string): string {
  if (/^(npx|npm|node)$/.test(command)) return 'Install Node.js from https://nodejs.org.';
  if (/^uvx?$/.test(command)) return 'Install uv: https://docs.astral.sh/uv/getting-started.';
  if (/^(python3?|pipx?)$/.test(command)) return 'Install Python from https://www.python.org.';
  if (command === 'docker') return 'Install Docker: https://docs.docker.com/get-docker.';
  return 'Install the program, or give its full path.';
}
