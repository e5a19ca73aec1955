import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from '#chat/people/address-key.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';

/** How many connections there may be, and how long a request may take to come in. */
export type ConnectionLimits = Pick<
  Limits,
  | 'connections'
  | 'connectionsPerAddress'
  | 'headerTime'
  | 'bodyIdleTime'
  | 'strangerRequestTime'
  | 'requestTime'
>;

interface Options {
  limits: ConnectionLimits;
  /** Proxies bring many people over one address. */
  isTrusted: (address: string) => boolean;
  logger: Pick<Logger, 'warn'>;
}

/** One connection that is open. */
interface Open {
  socket: Socket;
  address: string;
  isTrusted: boolean;
  /** Who was signed in on it last. */
  owner?: string;
  /** The last request that came; times as of `performance.now()`. */
  request?: { incoming: IncomingMessage; since: number; bytes: number; heard: number };
  /** Whether that request has its answer. */
  isAnswered: boolean;
  /** Requests that came and have no answer yet. */
  unanswered: number;
}

/** Nobody who waits for answers sends more requests ahead of them over one connection. */
const maxUnanswered = 8;

/** Connections that one person may keep where there is no room for others. */
const fairShare = 32;
/** Beyond the limit, for newcomers while everybody else is signed in: a probe of health gets through. */
const newcomers = 16;
/** Milliseconds between two lines in the log. */
const quietMs = 60_000;

/**
 * The connections of a server, of which there are only so many. Where there are too many, those go first
 * on which nobody is signed in, the one that was idle for longest before the others, so that new
 * visitors can show who they are. Requests that stop half way end in time.
 */
export class Connections {
  readonly #open = new Map<Socket, Open>();
  /** Those on which nobody is signed in, in the order in which something last came of them. */
  readonly #strangers = { direct: new Set<Open>(), behindProxy: new Set<Open>() };
  /** The direct ones of each address. */
  readonly #byAddress = new Map<string, Set<Open>>();
  readonly #options: Options;
  #closed = 0;
  #saidAt = -Infinity;

  constructor(server: Server, options: Options) {
    this.#options = options;
    const { headerTime, requestTime, bodyIdleTime, strangerRequestTime } = options.limits;
    server.headersTimeout = Math.min(headerTime, requestTime);
    server.requestTimeout = requestTime;
    server.on('connection', (socket: Socket) => this.#admit(socket));
    server.prependListener('request', (incoming, outgoing) => this.#begin(incoming, outgoing));
    const pause = Math.max(10, Math.min(bodyIdleTime, strangerRequestTime) / 4);
    const timer = setInterval(() => this.#endUnfinished(), pause).unref();
    server.on('close', () => clearInterval(timer));
  }

  get size(): number {
    return this.#open.size;
  }

  /** Somebody showed who they are: the connection no longer counts for its address. */
  signedIn(socket: Socket, owner: string): void {
    const open = this.#open.get(socket);
    if (!open) return;
    this.#forgetStranger(open);
    open.owner = owner;
  }

  #admit(socket: Socket): void {
    const { limits, isTrusted } = this.#options;
    const { remoteAddress = '' } = socket;
    const address = addressKey(remoteAddress);
    const open = {
      socket,
      address,
      isTrusted: isTrusted(remoteAddress),
      isAnswered: true,
      unanswered: 0,
    };
    const neighbours = open.isTrusted ? undefined : this.#byAddress.get(address);
    if (neighbours && neighbours.size >= limits.connectionsPerAddress)
      this.#close(firstWaiting(neighbours));
    const tooMany = this.#open.size - limits.connections;
    const victim = tooMany < 0 ? undefined : this.#mostDispensable(tooMany);
    if (victim) this.#close(victim);
    else if (tooMany >= newcomers) return this.#close(open);
    this.#open.set(socket, open);
    this.#addStranger(open);
    socket.once('close', () => this.#forget(open));
  }

  #begin(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const open = this.#open.get(incoming.socket);
    if (!open) return;
    const since = performance.now();
    open.request = { incoming, since, bytes: incoming.socket.bytesRead, heard: since };
    open.isAnswered = false;
    open.unanswered += 1;
    if (open.unanswered > maxUnanswered) return void open.socket.destroy();
    this.#moveToEnd(open);
    outgoing.once('close', () => {
      open.unanswered -= 1;
      if (open.request?.incoming !== incoming) return;
      open.isAnswered = true;
      this.#moveToEnd(open);
    });
  }

  /**
   * Who can go so that another may come; undefined if everybody has more right to stay, or there is room
   * beyond the limit. The last few strangers may be about to say who they are.
   */
  #mostDispensable(tooMany: number): Open | undefined {
    const { direct, behindProxy } = this.#strangers;
    const stranger = firstWaiting(direct) ?? firstWaiting(behindProxy);
    if (direct.size + behindProxy.size >= newcomers) return stranger;
    return this.#ofGreediest() ?? (tooMany < newcomers ? undefined : stranger);
  }

  /** One of somebody who has far more than a person needs. An idle one of a proxy is anybody's. */
  #ofGreediest(): Open | undefined {
    const theirs = this.#open.values().filter((open) => !open.isTrusted || !open.isAnswered);
    const owned = Map.groupBy(theirs, ({ owner }) => owner);
    const most = owned.values().reduce((a, b) => (b.length > a.length ? b : a), []);
    return most.length > fairShare ? firstWaiting(most) : undefined;
  }

  /** The server itself looks at headers; here are bodies that stop coming. */
  #endUnfinished(): void {
    const now = performance.now();
    const { bodyIdleTime, strangerRequestTime } = this.#options.limits;
    for (const { socket, owner, request } of this.#open.values()) {
      if (!request || request.incoming.complete) continue;
      if (socket.bytesRead > request.bytes) {
        request.bytes = socket.bytesRead;
        request.heard = now;
      }
      const isSilent = now - request.heard > bodyIdleTime;
      const isEndless = owner === undefined && now - request.since > strangerRequestTime;
      if (isSilent || isEndless) socket.destroy();
    }
  }

  #close(open: Open | undefined): void {
    if (!open) return;
    this.#forget(open);
    open.socket.destroy();
    this.#closed += 1;
    if (performance.now() - this.#saidAt < quietMs) return;
    this.#saidAt = performance.now();
    this.#options.logger.warn(
      { address: open.address, closed: this.#closed, open: this.#open.size },
      'Too many connections; closing the least recently used',
    );
  }

  #addStranger(open: Open): void {
    if (open.isTrusted) return void this.#strangers.behindProxy.add(open);
    this.#strangers.direct.add(open);
    const neighbours = this.#byAddress.get(open.address);
    if (neighbours) neighbours.add(open);
    else this.#byAddress.set(open.address, new Set([open]));
  }

  /** Whether it was one. */
  #forgetStranger(open: Open): boolean {
    if (this.#strangers.behindProxy.delete(open)) return true;
    const neighbours = this.#byAddress.get(open.address);
    neighbours?.delete(open);
    if (neighbours?.size === 0) this.#byAddress.delete(open.address);
    return this.#strangers.direct.delete(open);
  }

  #forget(open: Open): void {
    this.#open.delete(open.socket);
    this.#forgetStranger(open);
  }

  #moveToEnd(open: Open): void {
    if (this.#forgetStranger(open)) this.#addStranger(open);
  }
}

/** The first that waits for nothing that we do; else the first of all, whose answer is lost. */
function firstWaiting(all: Iterable<Open>): Open | undefined {
  let first: Open | undefined;
  for (const open of all) {
    if (open.isAnswered || !open.request?.incoming.complete) return open;
    first ??= open;
  }
  return first;
}
