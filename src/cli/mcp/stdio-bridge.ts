import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import type { Connection } from '#client/http/connection.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import { createSseParser } from '#shared/text/sse-parser.ts';
import { isJsonObject, type JsonObject, parseJson } from '#shared/vocabulary/json.ts';
import type { Io } from '../terminal/io.ts';

const metaPrefix = 'io.modelcontextprotocol';
const sessionHeader = 'mcp-session-id';
const accept = 'application/json, text/event-stream';

/** Between two tries to hear of changes again. */
const firstWaitMs = 500;
const longestWaitMs = 30_000;

type Id = string | number;

/** Passes MCP messages between lines of standard input and output and `/mcp` of a host, in both revisions. */
export class StdioBridge {
  readonly #connection: Connection;
  readonly #path: string;
  readonly #io: Pick<Io, 'stdin' | 'stdout'>;
  readonly #running = new Map<Id, AbortController>();
  /** The handshake, to be repeated where the host lost the session. */
  #handshake: JsonObject | undefined;
  #session: string | undefined;
  #version: string | undefined;
  #channel: AbortController | undefined;

  constructor(connection: Connection, path: string, io: Pick<Io, 'stdin' | 'stdout'>) {
    this.#connection = connection;
    this.#path = path;
    this.#io = io;
  }

  /** Resolves when the input ends, or the signal is aborted. What runs then is called off. */
  async run(signal: AbortSignal): Promise<void> {
    const lines = createInterface({ input: this.#io.stdin, signal });
    let order = Promise.resolve();
    try {
      for await (const line of lines) {
        const message = parseJson(line);
        if (!isJsonObject(message)) continue;
        const work = this.#take(message);
        // A handshake comes before everything else; what follows may overtake each other.
        if (message.method === 'initialize') await work;
        else order = Promise.allSettled([order, work]).then(() => undefined);
      }
    } finally {
      await this.#end();
    }
  }

  async #take(message: JsonObject): Promise<void> {
    const { id, method, params } = message;
    if (method === 'notifications/cancelled' && this.#session === undefined)
      return this.#cancel(isJsonObject(params) ? params.requestId : undefined);
    const isRequest = isId(id) && typeof method === 'string';
    const controller = new AbortController();
    if (isRequest) this.#running.set(id, controller);
    if (method === 'initialize') this.#handshake = message;
    try {
      await this.#pass(message, controller.signal);
      if (method === 'notifications/initialized') this.#listen();
    } catch (error) {
      if (!(error instanceof CeriseError)) throw error;
      if (isRequest && !controller.signal.aborted) this.#fail(id, error.message);
    } finally {
      if (isRequest) this.#running.delete(id);
    }
  }

  #cancel(requestId: unknown): void {
    if (isId(requestId)) this.#running.get(requestId)?.abort();
  }

  async #pass(message: JsonObject, signal: AbortSignal): Promise<void> {
    let response = await this.#post(message, signal);
    // The host does not know the session, and has not looked at the message.
    if (response.status === 404 && this.#session !== undefined && this.#handshake) {
      await this.#greetAgain(this.#handshake, signal);
      response = await this.#post(message, signal);
    }
    const session = response.headers.get(sessionHeader);
    if (session !== null) this.#session = session;
    await this.#read(response, message.id, signal);
  }

  async #greetAgain(handshake: JsonObject, signal: AbortSignal): Promise<void> {
    const response = await this.#post(handshake, signal);
    const text = await response.text();
    if (!response.ok) throw this.#connection.failureOf(response.status, text);
    this.#session = response.headers.get(sessionHeader) ?? undefined;
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    await (await this.#post(initialized, signal)).text();
    this.#listen(true);
  }

  #post(message: JsonObject, signal: AbortSignal): Promise<Response> {
    return this.#connection.raw(this.#path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, ...this.#headersOf(message) },
      body: JSON.stringify(message),
      signal,
    });
  }

  #headersOf({ method, params }: JsonObject): Record<string, string> {
    const given = isJsonObject(params) ? params : {};
    const meta = isJsonObject(given._meta) ? given._meta : {};
    const modern = meta[`${metaPrefix}/protocolVersion`];
    if (typeof modern !== 'string' || typeof method !== 'string')
      return {
        ...(this.#session !== undefined && { [sessionHeader]: this.#session }),
        ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
      };
    const name = given.name ?? given.uri;
    return {
      'mcp-protocol-version': modern,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': encode(name) }),
    };
  }

  async #read(response: Response, id: unknown, signal: AbortSignal): Promise<void> {
    const type = response.headers.get('content-type') ?? '';
    if (type.includes('text/event-stream')) return this.#readStream(response, id, signal);
    const text = await response.text();
    if (text === '') return;
    const body = parseJson(text);
    if (isJsonObject(body) && body.jsonrpc === '2.0') return this.#write(body);
    if (isId(id)) this.#fail(id, this.#connection.failureOf(response.status, text).message);
  }

  async #readStream(response: Response, id: unknown, signal: AbortSignal): Promise<void> {
    let isAnswered = !isId(id);
    const parse = createSseParser();
    try {
      for await (const piece of response.body ?? [])
        for (const { data } of parse(piece)) {
          const message = parseJson(data);
          if (!isJsonObject(message)) continue;
          isAnswered ||= message.id === id && message.method === undefined;
          this.#write(message);
        }
    } catch (error) {
      if (signal.aborted) return;
      if (!isId(id)) throw error;
    }
    if (!isAnswered && isId(id) && !signal.aborted)
      this.#fail(
        id,
        'Cerise ended before it answered. It is unknown whether the request took effect.',
      );
  }

  /** What belongs to no request, for programs that have a session. */
  #listen(isAgain = false): void {
    this.#channel?.abort();
    const channel = new AbortController();
    this.#channel = channel;
    // It ends where it is of no use; what a person does next finds out that the host is gone.
    this.#hear(channel.signal, isAgain).catch(() => undefined);
  }

  /** Reads the stream and opens it again where it broke, ever later. What changed in between is unknown: all may have. */
  async #hear(signal: AbortSignal, isAgain: boolean): Promise<void> {
    let failures = 0;
    for (let hasBroken = isAgain; !signal.aborted; hasBroken = true) {
      const response = await this.#openChannel(signal);
      if (response?.ok) {
        failures = 0;
        if (hasBroken) this.#tellAllChanged();
        await this.#read(response, undefined, signal).catch(() => undefined);
      } else if (response?.status === 404 && this.#handshake) {
        // A host that was started again knows no session. The handshake opens a stream of its own.
        await this.#greetAgain(this.#handshake, signal).catch(() => undefined);
      } else if (response && response.status < 500 && response.status !== 429) return;
      failures += 1;
      const waitMs = Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs);
      await setTimeout(waitMs * (0.5 + Math.random() / 2), undefined, { signal, ref: false });
    }
  }

  #openChannel(signal: AbortSignal): Promise<Response | undefined> {
    const headers = { accept: 'text/event-stream', ...this.#headersOf({}) };
    return this.#connection.raw(this.#path, { headers, signal }).catch(() => undefined);
  }

  #tellAllChanged(): void {
    for (const list of ['tools', 'prompts', 'resources'])
      this.#write({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` });
  }

  #write(message: JsonObject): void {
    const { result } = message;
    if (isJsonObject(result) && typeof result.protocolVersion === 'string')
      this.#version = result.protocolVersion;
    this.#io.stdout.write(`${JSON.stringify(message)}\n`);
  }

  #fail(id: Id, message: string): void {
    this.#write({ jsonrpc: '2.0', id, error: { code: rpcCode.internalError, message } });
  }

  async #end(): Promise<void> {
    for (const controller of this.#running.values()) controller.abort();
    this.#channel?.abort();
    if (this.#session === undefined) return;
    const headers = this.#headersOf({});
    await this.#connection
      .raw(this.#path, { method: 'DELETE', headers, signal: AbortSignal.timeout(1000) })
      .catch(() => undefined);
  }
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number';
}

/** What a header cannot hold as it is. */
function encode(name: string): string {
  if (/^[\x21-\x7e]+$/.test(name) && !name.startsWith('=?')) return name;
  return `=?base64?${Buffer.from(name).toString('base64')}?=`;
}
