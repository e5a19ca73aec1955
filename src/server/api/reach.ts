import { BlockList, isIP } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { BrowserToken } from '#chat/people/sign-ins.ts';
import { isLoopback } from '#shared/text/loopback.ts';
import type { Env } from './env.ts';

/** What is known of the way to this host. */
export interface ReachOptions {
  publicUrl?: string | undefined;
  /** Addresses or networks of proxies whose `X-Forwarded-…` headers are believed. */
  trustedProxies?: readonly string[] | undefined;
}

const plainName = 'cerise_session';
const hostName = '__Host-cerise_session';

/** Finds out how each request reached us. Headers of strangers are not believed. */
export function findReach(options: ReachOptions): MiddlewareHandler<Env> {
  const { publicUrl, trustedProxies = [] } = options;
  const isTrusted = createTrust(trustedProxies);
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  return async (c, next) => {
    const peer = c.env?.address ?? '';
    const behindProxy = isTrusted(peer);
    const isPublicName = c.req.header('host')?.toLowerCase() === publicHost;
    const saysHttps = c.req.header('x-forwarded-proto')?.split(',').at(-1)?.trim() === 'https';
    c.set('reach', {
      address: behindProxy ? forwardedFor(c, isTrusted) : peer,
      https: isPublicName || (behindProxy && saysHttps),
    });
    await next();
  };
}

/** Our origin as this request reached it; the guard has judged the name. */
export function originOf(c: Context<Env>, publicUrl: string | undefined): string {
  const host = c.req.header('host') ?? '';
  if (publicUrl !== undefined && new URL(publicUrl).host === host.toLowerCase()) return publicUrl;
  return `${c.var.reach.https ? 'https' : 'http'}://${host}`;
}

/** The same where tokens may travel: over https, or on this machine. */
export function issuerOf(c: Context<Env>, publicUrl: string | undefined): string | undefined {
  const origin = originOf(c, publicUrl);
  return origin.startsWith('https:') || isLoopback(new URL(origin)) ? origin : undefined;
}

/** The token of the session, under the one name that this way of reaching us has. */
export function readSession(c: Context<Env>): string | undefined {
  return getCookie(c, cookieName(c));
}

/** Scripts cannot read it and other sites cannot send it; over https it never leaves that. */
export function giveSession(c: Context<Env>, { token, maxAge }: BrowserToken): void {
  setCookie(c, cookieName(c), token, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    maxAge,
    secure: c.var.reach.https,
  });
}

export function clearSession(c: Context<Env>): void {
  deleteCookie(c, cookieName(c), { path: '/', secure: c.var.reach.https });
}

/** Only this host itself, over https, can set a cookie whose name begins so. */
function cookieName(c: Context<Env>): string {
  return c.var.reach.https ? hostName : plainName;
}

/**
 * The last address that no proxy of ours added: those before it anybody can write. Where a proxy says
 * nothing that is an address, the way is known as far as that proxy.
 */
function forwardedFor(c: Context<Env>, isTrusted: (address: string) => boolean): string {
  const said = (c.req.header('x-forwarded-for') ?? '').split(',').map(withoutPort);
  const at = said.findLastIndex((address) => !isTrusted(address));
  const client = said[at] ?? said[0] ?? '';
  if (isIP(client) !== 0) return client;
  return said[at + 1] ?? c.env?.address ?? '';
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(said: string): string {
  const text = said.trim();
  return /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

/** Whether an address is one of these addresses and networks. */
export function createTrust(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [network = '', prefix] = entry.split('/');
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(prefix), family);
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    const family = isIP(plain);
    return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4');
  };
}
