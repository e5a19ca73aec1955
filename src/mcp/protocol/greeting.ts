import { CeriseError } from '#shared/errors/errors.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import { say } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { Agreement } from './channel.ts';
import { RpcError } from './messages.ts';

export const modernVersion = '2026-07-28';
/** The newest first: that is what a handshake offers. */
const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];
/** Every version we speak, the newest first. */
export const ourVersions: readonly string[] = [modernVersion, ...legacyVersions];
export const newestLegacy = '2025-11-25';
/** The extension a server declares when it has skills (SEP-2640). */
export const skillsExtension = 'io.modelcontextprotocol/skills';

/** Only a modern server has these reasons to refuse. */
const modernCodes: ReadonlySet<number> = new Set([
  rpcCode.headerMismatch,
  rpcCode.missingCapability,
  rpcCode.unsupportedVersion,
]);

/** What a server said of itself when we met. */
export interface Greeting {
  agreement: Agreement;
  capabilities: JsonObject;
  /** Self-reported: for display only. */
  serverInfo?: { name: string; version: string; title?: string };
  instructions?: string;
}

/** What a failed `server/discover` says about the server. */
export type Verdict =
  | { kind: 'legacy' }
  /** It named what it speaks, and that is the newest of it that we speak too. */
  | { kind: 'version'; agreement: Agreement }
  | { kind: 'failed'; error: CeriseError };

/** Undefined if the answer is no `DiscoverResult`. Throws if it names no version we know. */
export function readDiscovery(result: unknown): Greeting | undefined {
  if (!isJsonObject(result) || !Array.isArray(result.supportedVersions)) return undefined;
  const agreement = chooseVersion(result.supportedVersions);
  const meta = isJsonObject(result._meta) ? result._meta : {};
  return {
    agreement,
    capabilities: isJsonObject(result.capabilities) ? result.capabilities : {},
    ...readInfo(meta['io.modelcontextprotocol/serverInfo'] ?? result.serverInfo),
    ...readInstructions(result.instructions),
  };
}

/** The answer to `initialize`. Throws CeriseError if it cannot be used. */
export function readHandshake(result: unknown): Greeting {
  if (!isJsonObject(result) || typeof result.protocolVersion !== 'string') {
    throw new CeriseError(
      'unreadable_response',
      say('greeting-unreadable')`The server's response to the handshake can't be read.`,
    );
  }
  const version = result.protocolVersion;
  if (!legacyVersions.includes(version)) throw unknownVersion([version]);
  return {
    agreement: { era: 'legacy', version },
    capabilities: isJsonObject(result.capabilities) ? result.capabilities : {},
    ...readInfo(result.serverInfo),
    ...readInstructions(result.instructions),
  };
}

/** Judges a failed probe. Only what a modern server alone would say keeps us from the handshake. */
export function judgeProbe(error: unknown): Verdict {
  if (error instanceof RpcError) {
    if (error.code === rpcCode.unsupportedVersion) {
      const { supported } = isJsonObject(error.data) ? error.data : {};
      if (!Array.isArray(supported)) return { kind: 'legacy' };
      return tryVersion(supported);
    }
    if (modernCodes.has(error.code)) return { kind: 'failed', error: serverRefused(error) };
    return { kind: 'legacy' };
  }
  if (!(error instanceof CeriseError)) throw error;
  const canGreet = [
    'http_error',
    'timed_out',
    'connection_lost',
    'unreadable_response',
    'result_too_large',
  ];
  return canGreet.includes(error.code) ? { kind: 'legacy' } : { kind: 'failed', error };
}

/** What a refused handshake says: that the server is (or may be) modern, or what it would take. */
export function judgeHandshake(
  error: unknown,
): { kind: 'modern' | 'perhaps-modern' | 'failed' } | { kind: 'version'; agreement: Agreement } {
  const supported = versionsIn(error);
  if (supported.includes(modernVersion)) return { kind: 'modern' };
  const verdict = tryVersion(supported);
  if (verdict.kind === 'version') return verdict;
  if (!(error instanceof RpcError)) return { kind: 'failed' };
  if (modernCodes.has(error.code)) return { kind: 'modern' };
  return { kind: isUnknown(error) ? 'perhaps-modern' : 'failed' };
}

function versionsIn(error: unknown): unknown[] {
  const named =
    error instanceof RpcError ? error.data : error instanceof CeriseError ? error.details : {};
  const { supported } = isJsonObject(named) ? named : {};
  return Array.isArray(supported) ? supported : [];
}

/** How a server speaks of a method it does not know. */
function isUnknown({ code }: RpcError): boolean {
  return (
    code === rpcCode.methodNotFound ||
    code === rpcCode.invalidParams ||
    code === rpcCode.invalidRequest
  );
}

function tryVersion(supported: unknown[]): Verdict {
  try {
    return { kind: 'version', agreement: chooseVersion(supported) };
  } catch (error) {
    return { kind: 'failed', error: error as CeriseError };
  }
}

function chooseVersion(supported: unknown[]): Agreement {
  if (supported.includes(modernVersion)) return { era: 'modern', version: modernVersion };
  const version = legacyVersions.find((each) => supported.includes(each));
  if (version) return { era: 'legacy', version };
  throw unknownVersion(supported);
}

function unknownVersion(versions: unknown[]): CeriseError {
  const named = truncate(versions.map(String).join(', '), 200);
  return new CeriseError(
    'protocol_error',
    say('version-unknown')`The server uses MCP version ${named}, which isn't supported.`,
    {
      hint: say('version-unknown-hint')`Update Cerise, or use another version of the server.`,
      details: { supported: versions.slice(0, 20).map((each) => truncate(String(each), 50)) },
    },
  );
}

function serverRefused(error: RpcError): CeriseError {
  return new CeriseError(
    'protocol_error',
    say('server-answered')`The server responded: ${truncate(error.message, 500)}`,
    {
      details: { code: error.code },
      cause: error,
    },
  );
}

function readInfo(value: unknown): Pick<Greeting, 'serverInfo'> {
  if (!isJsonObject(value)) return {};
  const { name, version, title } = value;
  if (typeof name !== 'string') return {};
  return {
    serverInfo: {
      name: truncate(name, 200),
      version: typeof version === 'string' ? truncate(version, 100) : '',
      ...(typeof title === 'string' && { title: truncate(title, 200) }),
    },
  };
}

function readInstructions(value: unknown): Pick<Greeting, 'instructions'> {
  return typeof value === 'string' ? { instructions: truncate(value, 16 * 1024) } : {};
}
