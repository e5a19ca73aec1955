import { rpcCode } from '#shared/errors/rpc-code.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { isLogLevel, type McpClient, metaPrefix, modernVersion } from './client.ts';
import { RpcFailure, type RpcRequest } from './rpc.ts';

const versionKey = `${metaPrefix}/protocolVersion`;
const capabilitiesKey = `${metaPrefix}/clientCapabilities`;
const levelKey = `${metaPrefix}/logLevel`;

/** Whether a message is of the modern revision, or claims to be of one. */
export function isModern(params: JsonObject, headers: Headers): boolean {
  const meta = isJsonObject(params._meta) ? params._meta : {};
  return versionKey in meta || headers.get('mcp-protocol-version') === modernVersion;
}

/** The methods whose object is also named in a header, and its field. */
const named: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** What the program declares with a request. Throws the revision's errors for wrong envelopes and headers. */
export function readEnvelope(
  { method, params }: Pick<RpcRequest, 'method' | 'params'>,
  headers: Headers,
): McpClient & { logLevel?: string } {
  const meta = isJsonObject(params._meta) ? params._meta : {};
  const { [versionKey]: version, [capabilitiesKey]: capabilities, [levelKey]: logLevel } = meta;
  if (typeof version !== 'string') throw invalidMeta(versionKey);
  if (!isJsonObject(capabilities)) throw invalidMeta(capabilitiesKey);
  assertHeader(headers, 'MCP-Protocol-Version', version);
  if (version !== modernVersion)
    throw new RpcFailure(rpcCode.unsupportedVersion, 'Unsupported protocol version', {
      data: { supported: [modernVersion], requested: version },
      status: 400,
    });
  assertHeader(headers, 'Mcp-Method', method);
  const field = named.get(method);
  const name = field === undefined ? undefined : params[field];
  if (typeof name === 'string') assertHeader(headers, 'Mcp-Name', name);
  return { era: 'modern', version, capabilities, ...(isLogLevel(logLevel) && { logLevel }) };
}

function invalidMeta(key: string): RpcFailure {
  const message = `Invalid params: _meta must have ${key}`;
  return new RpcFailure(rpcCode.invalidParams, message, { status: 400 });
}

function assertHeader(headers: Headers, name: string, wanted: string): void {
  const value = headers.get(name);
  if (value !== null && decode(value.trim()) === wanted) return;
  const message = `The ${name} header ${value === null ? 'is missing' : 'does not match the body'}`;
  throw new RpcFailure(rpcCode.headerMismatch, message, {
    data: { mismatch: { header: name } },
    status: 400,
  });
}

/** Values that a header cannot hold are written as `=?base64?…?=`. */
function decode(value: string): string {
  const coded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)?.[1];
  return coded === undefined ? value : Buffer.from(coded, 'base64').toString('utf8');
}
