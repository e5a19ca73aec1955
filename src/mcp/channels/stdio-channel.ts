import { CeriseError } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import { say, textOf, type Words } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { StdioConfig } from '#shared/vocabulary/server.ts';
import type { LogRing } from '../process/log-ring.ts';
import type { McpProcessTracker } from '../process/process-tracker.ts';
import { type ServerProcess, startProcess, type StartPlace } from '../process/start-process.ts';
import { type Channel, type ChannelEvents } from '../protocol/channel.ts';
import type { RpcMessage } from '../protocol/messages.ts';
import { type Line, LineReader } from './line-reader.ts';
import { crowdedAnswerId, oversizedAnswerId } from './oversized-answer.ts';
import { MessageReader } from './read-messages.ts';
import { failUnsent } from './unsent.ts';

/** A line that never ends: after so many messages the connection is closed. */
const endlessLine = 32;
/** How many messages may wait for a child that does not read. */
const maxUnsent = 2;
const maxLogLineBytes = 4096;
/** What a process wrote last may still be in its pipes. */
const lastWordsMs = 250;

/** What a stdio connection needs from its surroundings. */
export interface StdioDeps {
  tracker: McpProcessTracker;
  log: LogRing;
  limits: Limits;
  /** Where it runs; absent: wherever we do, unconfined. */
  place?: StartPlace | undefined;
}

/**
 * MCP over the standard input and output of a process of its own. What is not a message on stdout is
 * skipped and noted; an oversized answer fails its own request only.
 */
export class StdioChannel implements Channel {
  readonly kind = 'stdio';
  readonly #config: StdioConfig;
  readonly #deps: StdioDeps;
  readonly #reader: MessageReader;
  #process: ServerProcess | undefined;
  #events: ChannelEvents | undefined;
  #ending: CeriseError | undefined;
  #closed = false;
  #unsent: string[] = [];
  /** Logs what it wrote without ending the line, such as a prompt. */
  #logRest: () => void = () => undefined;

  constructor(config: StdioConfig, deps: StdioDeps) {
    this.#config = config;
    this.#deps = deps;
    this.#reader = new MessageReader(deps.limits.mcpMessageParts);
  }

  /** Bytes of the largest message. */
  get #most(): number {
    return this.#deps.limits.mcpMessage;
  }

  get processId(): string | undefined {
    return this.#process?.id;
  }

  async open(events: ChannelEvents): Promise<void> {
    if (this.#closed)
      throw new CeriseError('cancelled', say('connecting-cancelled')`Connection cancelled.`);
    const child = await startProcess(this.#config, this.#deps);
    this.#process = child;
    this.#events = events;
    this.#listen(child);
    this.#deps.log.push('event', `started process ${child.pid}`);
    if (this.#closed) await child.close();
  }

  send(message: RpcMessage): void {
    const { stdin } = this.#process ?? {};
    if (this.#closed || !stdin?.writable)
      return this.#refuse(message, say('process-ended')`The server process has exited.`);
    if (stdin.writableLength > maxUnsent * this.#most)
      return this.#refuse(message, say('process-deaf')`The server stopped reading its input.`);
    this.#reader.noteSent(message);
    // What one turn of the event loop sends goes out in one write.
    if (this.#unsent.push(JSON.stringify(message)) === 1) queueMicrotask(() => this.#flush());
    if (isCall(message)) queueMicrotask(() => void fault('bytes-left-stdio'));
  }

  cancel(): boolean {
    return false;
  }

  agree(): void {
    // The eras differ in nothing that this channel does.
  }

  async close(): Promise<void> {
    this.#logRest();
    this.#end(this.#ending);
    await this.#process?.close();
  }

  #flush(): void {
    const lines = this.#unsent;
    this.#unsent = [];
    const { stdin } = this.#process ?? {};
    if (!this.#closed && stdin?.writable) stdin.write(`${lines.join('\n')}\n`);
  }

  #listen(child: ServerProcess): void {
    const { log } = this.#deps;
    const stdout = new LineReader(this.#most);
    const stderr = new LineReader(maxLogLineBytes);
    const logLine = (line: Line): void =>
      log.push('stderr', 'text' in line ? line.text : `${line.head}…`);
    child.stdout.on('data', (chunk: Buffer) => {
      for (const line of stdout.push(chunk)) this.#receive(line);
      if (stdout.pendingBytes > endlessLine * this.#most)
        this.#fail(say('line-without-end')`The server sent a line that is too long.`);
    });
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk).forEach(logLine));
    child.stderr.once('end', () => stderr.flush().forEach(logLine));
    this.#logRest = () => {
      stderr.flush().forEach(logLine);
      for (const line of stdout.flush()) this.#skip('text' in line ? line.text : line.head);
    };
    // A server that only closes its output cannot answer any more either.
    child.stdout.once('end', () => this.#closeSoon());
    void child.exited.then(({ code, signal }) => {
      const ending = signal ?? say('exit-code')`code ${code ?? 0}`;
      log.push('event', `process exited with ${textOf(ending)}`);
      this.#ending ??= new CeriseError(
        'connection_lost',
        say('process-ended-with')`The server exited with ${ending}.`,
      );
      this.#closeSoon();
    });
  }

  #closeSoon(): void {
    setTimeout(() => void this.close(), lastWordsMs).unref();
  }

  #receive(line: Line): void {
    if (!('text' in line)) return this.#tooLarge(line);
    const { text } = line;
    if (text.trim() === '') return;
    for (const message of this.#parse(text)) {
      if (!this.#closed) this.#events?.onMessage(message);
    }
  }

  #parse(text: string): RpcMessage[] {
    try {
      return this.#reader.read(text);
    } catch (error) {
      if (error instanceof CallError) this.#crowded(text, error);
      else this.#skip(text);
      return [];
    }
  }

  #crowded(text: string, error: CallError): void {
    this.#deps.log.push('event', error.message);
    const id = crowdedAnswerId(text);
    if (id !== undefined) this.#events?.onRequestFailed(id, error);
  }

  #skip(text: string): void {
    const note = "skipped output that isn't an MCP message: ";
    this.#deps.log.push('stdout', truncate(text, 300), note);
  }

  #tooLarge({ head, tail, bytes }: Extract<Line, { head: string }>): void {
    const text = say(
      'message-bytes',
    )`The server sent a message of ${bytes} bytes; the limit is ${this.#most}.`;
    this.#deps.log.push('event', text.text);
    const id = oversizedAnswerId(head, tail);
    if (id === undefined) return;
    this.#events?.onRequestFailed(id, new CallError('ended', 'result_too_large', text));
  }

  /** The message did not leave; what was sent before it may have been carried out. */
  #refuse(message: RpcMessage, reason: Words): void {
    failUnsent(this.#events, message, reason);
    this.#fail(reason);
  }

  #fail(reason: Words): void {
    if (this.#closed) return;
    this.#deps.log.push('event', textOf(reason));
    this.#end(new CeriseError('connection_lost', reason));
    void this.#process?.close();
  }

  #end(error?: CeriseError): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#events?.onClose(error);
  }
}

function isCall(message: RpcMessage): boolean {
  return 'method' in message && message.method === 'tools/call';
}
