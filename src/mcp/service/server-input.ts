import { randomUUIDv7 } from 'node:crypto';
import { readServerInput } from '#shared/api/server-input.ts';
import { CeriseError, type ErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { readImport } from '#shared/import/read-import.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { ServerConfig, ServerConfigInput, ServerRecord } from '#shared/vocabulary/server.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import type { ToolCallRequest } from '../calls/call-request.ts';

/** A record as a program writes it; only its id and its config are required. */
export type ServerRecordInput = Partial<Omit<ServerRecord, 'id' | 'config'>> &
  Pick<ServerRecord, 'id'> & { config: ServerConfigInput };

/** A server by its id, or as the object that it is set by. */
export type ServerRef = string | ServerRecordInput;

/** A server as a program writes it; the JSON of other hosts may hold several under `mcpServers`. */
export type ServerInput =
  | ServerRecordInput
  | ServerConfigInput
  | JsonObject
  | { mcpServers: Readonly<Record<string, object>> };

/** A call as agent code writes it. Without a `callId` it gets one of its own. */
export interface ServerCall extends Omit<ToolCallRequest, 'serverId' | 'arguments' | 'callId'> {
  server: ServerRef;
  args?: JsonObject;
  callId?: string;
}

/** How one call of a batch ended. */
export type BatchOutcome = { result: ToolResult } | { error: ErrorInfo };

/**
 * The records of what was written. What is no record yet is approved by nobody; its name is its ID, too, so that calls
 * can name it, unless another server has that ID.
 */
export function toServerRecords(
  input: ServerInput,
  isTaken: (id: string) => boolean,
): ServerRecord[] {
  if (isRecord(input)) return [wholeRecord({ ...input, config: readServerInput(input.config) })];
  const list = isJsonObject(input) ? (input.mcpServers ?? input.servers) : undefined;
  if (!isJsonObject(list)) return [newRecord(readServerInput(input), isTaken)];
  if (Object.keys(list).length === 0) return [];
  return readImport(JSON.stringify(input)).entries.map(({ name, fields }) =>
    newRecord(readServerInput({ ...fields, name }), isTaken),
  );
}

/** The record with what was left out. */
export function wholeRecord(record: ServerRecordInput): ServerRecord {
  const { owner = 'local', createdAt = Date.now(), updatedAt = createdAt } = record;
  return { ...record, owner, createdAt, updatedAt, config: wholeConfig(record.config) };
}

function wholeConfig(config: ServerConfigInput): ServerConfig {
  if (config.type !== 'stdio') return config as ServerConfig;
  return { ...config, args: config.args ?? [], env: config.env ?? {} };
}

/** The id that a server is named by. Throws `invalid_request` for what names none. */
export function idOf(ref: ServerRef): string {
  if (typeof ref === 'string') return ref;
  if (isRecord(ref)) return ref.id;
  throw new CeriseError(
    'invalid_request',
    say('server-ref')`Name a server by its ID or by its record, which has an “id” and a “config”.`,
  );
}

function isRecord(input: unknown): input is ServerRecordInput {
  return isJsonObject(input) && typeof input.id === 'string' && isJsonObject(input.config);
}

function newRecord(config: ServerConfig, isTaken: (id: string) => boolean): ServerRecord {
  const id = isTaken(config.name) ? randomUUIDv7() : config.name;
  return wholeRecord({ id, config });
}
