import type { buildConnector, Client } from 'undici';
import { undici } from './undici.ts';

/** A socket idle for longer may have been given up by the server without our knowing. */
const freshMs = 2_000;
const keepAliveMs = 4_000;
const maxKeepAliveMs = 60_000;

/** One connection (of HTTP/1.1, so one request at a time), lent to one exchange. */
interface Line {
  client: Client;
  /** It has carried a request before. */
  reused: boolean;
}

interface IdleLine {
  client: Client;
  since: number;
}

/**
 * The open connections of one server, by origin. Own code instead of undici's pool, because a request
 * that must not be repeated has to know how long its socket was idle.
 */
export class HttpPool {
  readonly #connect: buildConnector.connector;
  readonly #idle = new Map<string, IdleLine[]>();
  readonly #clients = new Set<Client>();
  #closed = false;

  constructor(connect: buildConnector.connector) {
    this.#connect = connect;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Lends a line: `fresh` a new one, `recent` none that was idle for more than 2 s. */
  take(origin: string, age: 'any' | 'recent' | 'fresh'): Line {
    const last = age === 'fresh' ? undefined : this.#idle.get(origin)?.pop();
    if (!last) return { client: this.#create(origin), reused: false };
    // A clock that was set, or a machine that slept, makes a line old in either direction.
    if (age === 'any' || Math.abs(Date.now() - last.since) <= freshMs) {
      return { client: last.client, reused: true };
    }
    // The last one returned is the youngest: all others are older still.
    for (const { client } of this.#idle.get(origin) ?? []) this.drop(client);
    this.#idle.delete(origin);
    this.drop(last.client);
    return { client: this.#create(origin), reused: false };
  }

  /** Takes a line back after a whole answer. */
  giveBack(origin: string, client: Client): void {
    if (!this.#clients.has(client)) return;
    const idle = this.#idle.get(origin);
    if (idle) idle.push({ client, since: Date.now() });
    else this.#idle.set(origin, [{ client, since: Date.now() }]);
  }

  /** Ends a line; a request on it fails. */
  drop(client: Client): void {
    this.#clients.delete(client);
    void client.destroy();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const clients = [...this.#clients];
    this.#clients.clear();
    this.#idle.clear();
    await Promise.all(clients.map((client) => client.destroy()));
  }

  #create(origin: string): Client {
    const client = new (undici().Client)(origin, {
      connect: this.#connect,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: maxKeepAliveMs,
    });
    this.#clients.add(client);
    client.on('disconnect', () => this.#forget(origin, client));
    return client;
  }

  /** A line whose socket ended while nobody used it. One in use ends with its exchange. */
  #forget(origin: string, client: Client): void {
    const idle = this.#idle.get(origin);
    const index = idle?.findIndex((line) => line.client === client) ?? -1;
    if (index < 0) return;
    idle?.splice(index, 1);
    if (idle?.length === 0) this.#idle.delete(origin);
    this.drop(client);
  }
}
