import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import type { CeriseError } from '#shared/errors/errors.ts';
import { isPublicAddress, withoutBrackets } from './address-policy.ts';
import { undici } from './undici.ts';

/** Resolves a name to all its addresses; the system's resolver unless a test brings its own. */
export type Resolve = (
  hostname: string,
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** Whom a connector connects to. */
export interface Guard {
  /** Hosts (as sockets write them) and ports that may be reached whatever their address is. */
  allows: (host: string, port: number) => boolean;
  /** The error for every other one that is not on the public internet. */
  refuse: (host: string, port: number) => CeriseError;
  resolve?: Resolve;
  /** Milliseconds that connecting may take. */
  connectTime: number;
}

/**
 * Connects sockets for undici: to allowed hosts as they are, to others only by addresses that are all
 * public. The address that was judged is the one that is connected to.
 */
export function guardedConnector({
  allows,
  refuse,
  resolve = resolveBySystem,
  connectTime,
}: Guard): buildConnector.connector {
  const common = { timeout: connectTime, allowH2: false };
  const { buildConnector } = undici();
  const open = buildConnector({ ...common, lookup: lookupWith(resolve, () => true) });
  const guarded = buildConnector({ ...common, lookup: lookupWith(resolve, isPublicAddress) });
  return (options, callback) => {
    const host = withoutBrackets(options.hostname);
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    if (allows(host, port)) return open(options, callback);
    if (isIP(host) !== 0 && !isPublicAddress(host)) return callback(refuse(host, port), null);
    guarded(options, (...outcome) => {
      const [error] = outcome;
      if (error instanceof NotPublicError) callback(refuse(host, port), null);
      else callback(...outcome);
    });
  };
}

class NotPublicError extends Error {}

/** One address that is not permitted refuses the whole name: the next try could take that one. */
function lookupWith(resolve: Resolve, permits: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      const [first] = addresses;
      if (error || !first) return callback(error ?? notFound(hostname), [], 0);
      if (!addresses.every(({ address }) => permits(address))) {
        return callback(new NotPublicError(hostname), [], 0);
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function resolveBySystem(
  hostname: string,
  done: (error: Error | null, addresses: LookupAddress[]) => void,
): void {
  systemLookup(hostname, { all: true }, (error, addresses) => done(error, addresses ?? []));
}

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
}
