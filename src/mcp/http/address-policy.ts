import { BlockList, isIP, isIPv6 } from 'node:net';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';

/** IPv4 ranges that are not the public internet (IANA special-purpose registry, multicast, class E). */
const specialIpv4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]);

/** All of IPv6 that is public lies in here; loopback, mapped, local and multicast addresses do not. */
const globalIpv6 = blockList('ipv6', [['2000::', 3]]);

/** What in `globalIpv6` is special all the same: Teredo and ORCHID, documentation, 6to4, AS112. */
const specialIpv6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]);

/** NAT64 leads to the IPv4 address in its last 32 bits, so that one is judged. */
const nat64 = blockList('ipv6', [['64:ff9b::', 96]]);

/** Whether an IP address belongs to the public internet. Anything that is no IP address does not. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialIpv4.check(address, 'ipv4');
    case 6:
      if (address.includes('%')) return false;
      if (nat64.check(address, 'ipv6')) return isPublicAddress(lastFourBytes(address));
      return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
    default:
      return false;
  }
}

/**
 * Whether an allow entry (`host` or `host:port`) names exactly this host and port. Hosts are compared
 * as URLs write them; a name is not allowed because its address is, nor the other way round.
 */
export function isAllowed(host: string, port: number, allow: readonly string[]): boolean {
  const wanted = canonicalHost(host);
  return allow.some((entry) => {
    const parsed = parseEntry(entry);
    return (
      parsed !== undefined &&
      parsed.host === wanted &&
      (parsed.port === undefined || parsed.port === port)
    );
  });
}

/**
 * The URL if the host may be asked for it: http or https, no credentials in it, and no literal address
 * that is not public, unless allowed. Names are judged when they are resolved. Throws CeriseError.
 */
export function checkUrl(text: string, allow: readonly string[]): URL {
  const url = URL.parse(text.trim());
  if (!url || text.length > 8192) {
    throw new CeriseError(
      'invalid_arguments',
      say('no-url')`That isn't a URL. Enter it in full: https://…`,
    );
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const message = say(
      'only-http',
    )`Only http and https URLs can be fetched, not ${url.protocol.slice(0, -1).slice(0, 20)}.`;
    throw new CeriseError('invalid_arguments', message);
  }
  if (url.username !== '' || url.password !== '') {
    const message = say(
      'url-credentials',
    )`URLs that contain a username or password aren't fetched. Remove them.`;
    throw new CeriseError('invalid_arguments', message);
  }
  const address = withoutBrackets(url.hostname);
  if (isIP(address) !== 0 && !isPublicAddress(address) && !isAllowed(address, portOf(url), allow)) {
    throw addressBlocked(url.hostname, portOf(url));
  }
  return url;
}

/**
 * The error for an address in a field that is plainly not public; names are judged when they are
 * resolved.
 */
export function privateAddress(address: string, field: string): CeriseError | undefined {
  const { hostname } = new URL(address);
  const host = withoutBrackets(hostname);
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  if (!isLocal && (isIP(host) === 0 || isPublicAddress(host))) return undefined;
  return new CeriseError(
    'address_blocked',
    say('not-public')`${hostname} isn't on the public internet.`,
    {
      hint: say('private-admin')`Only an admin can add servers on private addresses.`,
      details: { field },
    },
  );
}

/** The refusal. It is the same whether or not something answers there. */
export function addressBlocked(host: string, port: number): CeriseError {
  const name = isIPv6(host) ? `[${host}]` : host;
  return new CeriseError(
    'address_blocked',
    say(
      'address-blocked',
    )`${name} isn't on the public internet (or could resolve elsewhere), so it wasn't fetched. An admin can allow it in Settings → Host with the entry "${`${name}:${port}`}".`,
  );
}

/** The port a URL leads to. */
export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/** An IPv6 host as sockets write it. */
export function withoutBrackets(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}

function parseEntry(entry: string): { host: string; port?: number } | undefined {
  const text = entry.trim();
  if (isIPv6(text)) return { host: canonicalHost(text) };
  const [, host, port] = /^(\[[^\]]+\]|[^:/?#@\s\\]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (host === undefined) return undefined;
  return { host: canonicalHost(host), ...(port !== undefined && { port: Number(port) }) };
}

/** The host as the URL parser writes it: lower case, punycode, IPv4 in four decimal parts. */
function canonicalHost(host: string): string {
  const bare = withoutBrackets(host);
  const url = URL.parse(`http://${isIPv6(bare) ? `[${bare}]` : bare}/`);
  return withoutBrackets(url?.hostname ?? bare);
}

function lastFourBytes(address: string): string {
  const groups = canonicalHost(address).split(':').slice(-2);
  const [high = 0, low = 0] = groups.map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function blockList(family: 'ipv4' | 'ipv6', subnets: [string, number][]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
