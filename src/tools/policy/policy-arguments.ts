import { canonicalJson } from '#mcp/schema/canonical-json.ts';
import { boundsProblem } from '#mcp/schema/json-bounds.ts';
import { type Json, type JsonObject, pointerTo, resolvePointer } from '#shared/vocabulary/json.ts';
import type { ArgumentCondition } from '#shared/vocabulary/policy-api.ts';

/** What is found out about a condition: arguments that are odd leave it in doubt. */
export type Fit = 'yes' | 'no' | 'doubt';

/** More than this is not looked at; whatever is larger leaves a condition in doubt. */
const bounds = { depth: 100, nodes: 10_000 };
const maxTextChars = 64 * 1024;

/** So many hosts in one call are told apart. */
const maxHosts = 32;

/** Whether the arguments of one call meet a condition. */
export type FitsArgument = (condition: ArgumentCondition) => Fit;

/**
 * Judges the arguments of one call, by as many conditions as there are. Total: any JSON, in time
 * proportional to its size; what is costly to find out about a value is found out once.
 */
export function argumentJudge(args: JsonObject): FitsArgument {
  const known = new Map<Json, ValueFacts>();
  return (condition) => {
    const value = resolvePointer(args, condition.pointer);
    if (value === undefined) return 'no';
    const facts = known.get(value) ?? {};
    known.set(value, facts);
    if ('host' in condition) return fitsHost((facts.hosts ??= hostsOf(value)), condition.host);
    if ('equals' in condition)
      return fitsValue((facts.canonical ??= canonicalOf(value)), condition.equals);
    if (typeof value !== 'string') return 'no';
    if (value.length > maxTextChars) return 'doubt';
    if ((facts.isEvasive ??= isEvasive(value))) return 'doubt';
    const fits =
      'prefix' in condition
        ? value.startsWith(condition.prefix)
        : matchesWildcard(value, condition.glob);
    return fits ? 'yes' : 'no';
  };
}

/** What was found out about a value. */
interface ValueFacts {
  hosts?: Hosts;
  /** Empty: it is too large to compare. */
  canonical?: string;
  isEvasive?: boolean;
}

/** Whether a text fits a pattern in which `*` stands for any characters. Every other character is itself. */
export function matchesWildcard(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const index = text.indexOf(piece, at);
    if (index < 0) return false;
    at = index + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** The one host that all addresses in the arguments name, and the argument that says it first. */
export function hostOf(args: JsonObject): { host: string; pointer: string } | undefined {
  const [name] =
    Object.entries(args).find(([, value]) => typeof value === 'string' && looksLikeUrl(value)) ??
    [];
  const value = name === undefined ? undefined : args[name];
  const host = typeof value === 'string' ? plainHost(value) : undefined;
  if (name === undefined || host === undefined || fitsHost(hostsOf(args), host) !== 'yes')
    return undefined;
  return { host, pointer: pointerTo('', name) };
}

function canonicalOf(value: Json): string {
  return boundsProblem(value, bounds) ? '' : canonicalJson(value);
}

function fitsValue(value: string, wanted: Json): Fit {
  const canonical = canonicalOf(wanted);
  if (value === '' || canonical === '') return 'doubt';
  return value === canonical ? 'yes' : 'no';
}

/** The hosts that the addresses in a value name; `none` where it has no addresses. */
type Hosts = ReadonlySet<string> | 'none' | 'odd';

/** `yes` if every address in the value is on the host; `doubt` if only some are, or one is odd. */
function fitsHost(hosts: Hosts, pattern: string): Fit {
  if (hosts === 'odd') return 'doubt';
  if (hosts === 'none') return 'no';
  const wanted = pattern.toLowerCase();
  const fits = [...hosts].map((host) => matchesWildcard(host, wanted));
  if (fits.every(Boolean)) return 'yes';
  return fits.some(Boolean) ? 'doubt' : 'no';
}

function hostsOf(value: Json): Hosts {
  if (boundsProblem(value, bounds)) return 'odd';
  const addresses = textsOf(value).filter(looksLikeUrl);
  if (addresses.length === 0) return typeof value === 'string' ? 'odd' : 'none';
  const hosts = new Set<string>();
  for (const text of addresses) {
    const host = plainHost(text);
    if (host === undefined) return 'odd';
    hosts.add(host);
  }
  return hosts.size > maxHosts ? 'odd' : hosts;
}

function textsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

function looksLikeUrl(text: string): boolean {
  return /^\s*(?:[a-z][a-z0-9+.-]{0,30}:)?[/\\]{2}/i.test(text.slice(0, 100));
}

/**
 * The host of an address that every reader understands alike, with the port unless it is the usual
 * one; undefined for what different programs may take for different hosts.
 */
function plainHost(text: string): string | undefined {
  if (text.length > maxTextChars || /[\s\\]|[^ -~]/.test(text)) return undefined;
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text))
    return undefined;
  const host = url.host.toLowerCase();
  return /^[a-z0-9_:[\].-]+(?<!\.)$/.test(host) ? host : undefined;
}

/** Texts that may lead elsewhere than they begin: paths that go up, and characters nobody sees. */
function isEvasive(text: string): boolean {
  if (/\p{Cc}/u.test(text)) return true;
  return /(?:^|[/\\])(?:\.|%2e){2}(?:[/\\]|%2f|%5c|$)/i.test(text);
}
