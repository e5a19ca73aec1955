import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import { encodeHeaderValue } from '../protocol/header-value.ts';
import type { RpcMessage } from '../protocol/messages.ts';

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** Which parameter a proxy may route by, by method. */
const namingParameter: Record<string, string> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** They say how a message is framed, which only the connection knows. */
const framing: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The headers an admin configured, as they can be sent: names in lower case, without those that frame
 * the message. Throws CeriseError `invalid_server`.
 */
export function configuredHeaders(headers: Record<string, string>): Record<string, string> {
  const sendable: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/.test(name)) {
      throw invalid(
        say('header-name')`The header name "${name.slice(0, 100)}" contains invalid characters.`,
      );
    }
    if (/[^\t\x20-\x7E\x80-\xFF]/.test(value)) {
      throw invalid(
        say('header-value')`The value of the header "${name}" contains invalid characters.`,
      );
    }
    if (!framing.has(name.toLowerCase())) sendable[name.toLowerCase()] = value.trim();
  }
  return sendable;
}

/** Throws CeriseError `invalid_server` for an address whose credentials would not be sent. */
export function checkAddress({ username, password }: URL): void {
  if (username === '' && password === '') return;
  throw new CeriseError(
    'invalid_server',
    say('address-credentials')`The server's URL contains credentials.`,
    {
      hint: say(
        'address-credentials-hint',
      )`Remove them and use the "Authorization" header instead.`,
    },
  );
}

/** The version a modern message speaks; undefined for all others. */
export function modernVersionOf(message: RpcMessage): string | undefined {
  if (!('method' in message)) return undefined;
  const meta = message.params?._meta;
  const version = isJsonObject(meta) ? meta[versionKey] : undefined;
  return typeof version === 'string' ? version : undefined;
}

/** What the modern revision wants to be seen of a message without reading it. */
export function modernHeaders(message: RpcMessage, version: string): Record<string, string> {
  const headers: Record<string, string> = { 'mcp-protocol-version': encodeHeaderValue(version) };
  if (!('method' in message)) return headers;
  headers['mcp-method'] = encodeHeaderValue(message.method);
  const parameter = namingParameter[message.method];
  const name = parameter === undefined ? undefined : message.params?.[parameter];
  if (typeof name === 'string') headers['mcp-name'] = encodeHeaderValue(name);
  return headers;
}

/** An id from the server as a header carries it back, or undefined if none can. */
export function asHeaderValue(id: string): string | undefined {
  const bytes = Buffer.from(id).toString('latin1');
  return id === '' || /[^\t\x20-\x7E\x80-\xFF]/.test(bytes) ? undefined : bytes;
}

function invalid(message: Words): CeriseError {
  const hint = say('correct-headers')`Fix the headers in this server's settings.`;
  return new CeriseError('invalid_server', message, { hint });
}
