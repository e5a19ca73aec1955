import type { z } from 'zod';
import { CeriseError } from '../errors/errors.ts';
import { issueWords } from '../errors/issue-words.ts';
import { say, type Words } from '../errors/sentence.ts';
import { splitCommandLine } from '../text/command-line.ts';
import { nearestNames } from '../text/nearest-names.ts';
import { isJsonObject } from '../vocabulary/json.ts';
import { type ServerConfig, serverConfigSchema } from '../vocabulary/server.ts';

type Fields = Record<string, unknown>;

/** Other hosts' names for our fields. */
const otherNames = new Map([
  ['url', 'baseUrl'],
  ['serverUrl', 'baseUrl'],
  ['httpUrl', 'baseUrl'],
  ['transport', 'type'],
  ['transportType', 'type'],
  ['environment', 'env'],
  ['logoUrl', 'logo'],
  ['alwaysAllow', 'autoApprove'],
  ['excludeTools', 'disabledTools'],
]);

/**
 * Fields of other hosts that mean nothing here, or that would switch approval off as a whole: what
 * is trusted is decided here.
 */
const leftOut = new Set([
  'configSample',
  'dev',
  'disabledAutoApproveTools',
  'dxtPath',
  'dxtVersion',
  'gallery',
  'id',
  'installSource',
  'installedAt',
  'isTrusted',
  'provider',
  'providerUrl',
  'reference',
  'searchKey',
  'shouldConfig',
  'source',
  'trust',
  'trustedAt',
  'version',
]);

const types = new Map<string, ServerConfig['type']>([
  ['stdio', 'stdio'],
  ['local', 'stdio'],
  ['http', 'streamableHttp'],
  ['streamablehttp', 'streamableHttp'],
  ['remote', 'streamableHttp'],
  ['sse', 'sse'],
  ['inmemory', 'inMemory'],
]);

const fieldsOf = {
  command: ['command', 'args', 'env', 'cwd', 'registryUrl', 'access'],
  address: ['baseUrl', 'headers', 'auth'],
};

/**
 * Hosts count in seconds or in milliseconds and do not say which: a longer time than this is taken
 * for milliseconds. Where the type is one of ours, so are the seconds.
 */
const maxSeconds = 3600;
const mostOwnSeconds = 86_400;
/** Whether a unit may be guessed; a change of a server of ours is in seconds. */
type Times = 'guessed' | 'seconds';

/**
 * A server as a person or another host writes it, in our own form. Understands the entries of
 * `mcpServers` (Claude, Cursor, Gemini, Cline), VS Code, OpenCode and Cherry Studio. Throws
 * CeriseError `invalid_server` that names the wrong field and what is allowed.
 */
export function readServerInput(value: unknown, times: Times = 'guessed'): ServerConfig {
  const own = serverConfigSchema.safeParse(value);
  if (own.success && !isCommandLine(own.data)) return own.data;
  if (!isJsonObject(value)) throw invalid(say('server-no-object')`A server must be a JSON object.`);
  if (isJsonObject(value.mcpServers) || isJsonObject(value.servers)) {
    throw invalid(
      say('server-is-list')`This is a list of servers.`,
      say('server-is-list-hint')`Import it, or send one of its entries.`,
    );
  }
  const { fields, given } = rename(value, times);
  const type = readType(fields, given);
  const rest = type === 'stdio' ? readCommand(fields) : readAddress(fields);
  const parsed = serverConfigSchema.safeParse({ ...withoutOthers(rest, type), type });
  if (parsed.success) return parsed.data;
  throw explain(parsed.error.issues[0], given);
}

/** A whole command line in the place of a command: a bare name and what follows it. */
function isCommandLine(config: object): boolean {
  const { command, args } = config as Fields;
  return typeof command === 'string' && /^[\w.-]+\s/.test(command) && isEmpty(args);
}

/** Our names for everything; what is empty is not there. `given` keeps how a field was called. */
function rename(value: object, times: Times): { fields: Fields; given: Map<string, string> } {
  const fields: Fields = {};
  const given = new Map<string, string>();
  for (const [key, field] of Object.entries(value)) {
    if (field === null || field === '' || leftOut.has(key)) continue;
    const name = otherNames.get(key) ?? key;
    if (given.has(name) && JSON.stringify(fields[name]) !== JSON.stringify(field)) {
      throw invalid(
        say(
          'fields-differ',
        )`${given.get(name) ?? name} and ${key} have different values. Use only one of them.`,
      );
    }
    given.set(name, key);
    Object.defineProperty(fields, name, { value: field, enumerable: true, writable: true });
  }
  return { fields: readCommon(fields, times), given };
}

function readCommon({ isActive, enabled, ...fields }: Fields, times: Times): Fields {
  const { disabled, timeout } = fields;
  const off = disabled === true || isActive === false || enabled === false;
  const own = serverConfigSchema.options.some(({ shape }) => shape.type.value === fields.type);
  const most = own ? mostOwnSeconds : maxSeconds;
  const inMilliseconds = times === 'guessed' && typeof timeout === 'number' && timeout > most;
  return {
    ...fields,
    ...((disabled !== undefined || off) && { disabled: off || disabled }),
    ...(inMilliseconds && { timeout: timeout / 1000 }),
  };
}

/** An address that ends in `/sse` is one of the old transport, unless the type says otherwise. */
function readType(fields: Fields, given: Map<string, string>): ServerConfig['type'] {
  const { type, command, baseUrl } = fields;
  if (type !== undefined) {
    const spelling = typeof type === 'string' ? type.toLowerCase() : '';
    const known = types.get(spelling.replaceAll(/[-_\s]/g, ''));
    if (known === 'streamableHttp' && type === 'remote') return typeOfAddress(baseUrl);
    if (known) return known;
    throw invalid(
      say(
        'server-type',
      )`${given.get('type') ?? 'type'}: must be stdio, streamableHttp, sse or inMemory.`,
      say('server-type-hint')`WebSocket and other transports aren't part of the protocol.`,
    );
  }
  if (command !== undefined && baseUrl !== undefined) {
    throw invalid(
      say(
        'command-or-url',
      )`Use either command or ${given.get('baseUrl') ?? 'baseUrl'}, or set type.`,
    );
  }
  if (command !== undefined) return 'stdio';
  if (baseUrl === undefined)
    throw invalid(say('command-or-url-missing')`Enter a command to run or a URL to connect to.`);
  return given.get('baseUrl') === 'httpUrl' ? 'streamableHttp' : typeOfAddress(baseUrl);
}

function typeOfAddress(baseUrl: unknown): ServerConfig['type'] {
  const path = typeof baseUrl === 'string' ? (URL.parse(baseUrl)?.pathname ?? '') : '';
  return /\/sse\/?$/.test(path) ? 'sse' : 'streamableHttp';
}

/**
 * The command may be a list, and the arguments one text. A command with spaces is split only where
 * it begins with a bare name, such as `npx -y package`: a path may have spaces in it.
 */
function readCommand(fields: Fields): Fields {
  const { command, args, env } = fields;
  let words = typeof args === 'string' ? splitWords(args, 'args') : args;
  let program = command;
  const whole = isCommandLine(fields) ? splitWords(String(command), 'command') : command;
  if (Array.isArray(whole)) {
    const [first, ...others] = whole;
    program = first;
    words = [...others, ...(Array.isArray(words) ? words : [])];
  }
  return {
    ...fields,
    command: program,
    ...(words !== undefined && { args: Array.isArray(words) ? words.map(toText) : words }),
    ...(env !== undefined && { env: textValues(env) }),
  };
}

function splitWords(line: string, field: string): string[] {
  const words = splitCommandLine(line);
  if (words) return words;
  throw invalid(
    say('quote-open')`${field}: missing a closing quote.`,
    say('quote-open-hint')`Enter the arguments as a list of strings.`,
  );
}

function readAddress(fields: Fields): Fields {
  if (fields.headers === undefined) return fields;
  return { ...fields, headers: textValues(fields.headers) };
}

/** Numbers and booleans become texts, null is not there; anything else is left to be refused. */
function textValues(values: unknown): unknown {
  if (!isJsonObject(values)) return values;
  const entries = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(entries.map(([key, value]) => [key, toText(value)]));
}

function toText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** Hosts with one shape for all servers leave the fields of the other kinds empty. */
function withoutOthers(fields: Fields, type: ServerConfig['type']): Fields {
  const others = new Set([
    ...(type === 'stdio' ? [] : fieldsOf.command),
    ...(type === 'streamableHttp' || type === 'sse' ? [] : fieldsOf.address),
  ]);
  const isNothing = (name: string, value: unknown) => others.has(name) && isEmpty(value);
  return Object.fromEntries(
    Object.entries(fields).filter(([key, field]) => !isNothing(key, field)),
  );
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function explain(issue: z.core.$ZodIssue | undefined, given: Map<string, string>): CeriseError {
  if (issue?.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const near = nearestNames(key, fieldNames()).join(', ');
    return invalid(
      say('field-unknown')`${key}: this field doesn't exist for this type of server.`,
      say('field-near')`Similar fields: ${near}.`,
    );
  }
  const [field, ...inner] = issue?.path.map(String) ?? [];
  const place = [given.get(field ?? '') ?? field, ...inner].join('.');
  const wrong = issue ? issueWords(issue) : say('issue-invalid')`isn't valid`;
  return invalid(say('wrong-at')`${place}: ${wrong}.`);
}

/** Whether a field means anything here, under our name or another host's. */
export function understandsField(name: string): boolean {
  return (
    otherNames.has(name) ||
    leftOut.has(name) ||
    ['isActive', 'enabled', 'mcpServers', 'servers'].includes(name) ||
    fieldNames().includes(name)
  );
}

function fieldNames(): string[] {
  return [...new Set(serverConfigSchema.options.flatMap(({ shape }) => Object.keys(shape)))];
}

function invalid(message: Words, hint?: Words): CeriseError {
  return new CeriseError('invalid_server', message, { ...(hint && { hint }) });
}
