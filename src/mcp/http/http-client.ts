import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { portOf, withoutBrackets } from './address-policy.ts';
import { guardedConnector, type Resolve } from './guarded-connect.ts';
import { HttpExchange } from './http-exchange.ts';
import type { OutgoingRequest, ResponseSink, Sending } from './http-message.ts';
import { HttpPool } from './http-pool.ts';

/** The way out to one server and to what it refers to, with its own connections. */
export interface Http {
  /** Never throws; failures go to the sink, never before this has returned. */
  send(request: OutgoingRequest, sink: ResponseSink): Sending;
  close(): Promise<void>;
}

/**
 * The one way out. `allow` names the host and port an admin configured: they are reached whatever
 * their address is. All others must be on the public internet.
 */
export function createHttp(options: {
  connectTime: number;
  allow?: (host: string, port: number) => boolean;
  resolve?: Resolve;
}): Http {
  const connect = guardedConnector({
    allows: options.allow ?? (() => false),
    refuse: notPublic,
    connectTime: options.connectTime,
    ...(options.resolve && { resolve: options.resolve }),
  });
  const pool = new HttpPool(connect);
  return {
    send(request, sink) {
      const exchange = new HttpExchange(pool, request, sink);
      exchange.start();
      return exchange;
    },
    close: () => pool.close(),
  };
}

/** Allows exactly the host and port of an address that an admin configured. */
export function allowHostOf(url: URL): (host: string, port: number) => boolean {
  const configured = withoutBrackets(url.hostname);
  return (host, port) => host === configured && port === portOf(url);
}

function notPublic(host: string, port: number): CeriseError {
  return new CeriseError(
    'address_blocked',
    say(
      'redirect-private',
    )`${host} isn't on the public internet (or could resolve elsewhere), so the redirect wasn't followed.`,
    {
      hint: say('redirect-private-hint')`If you trust it, use ${host}:${port} in the server's URL.`,
    },
  );
}
