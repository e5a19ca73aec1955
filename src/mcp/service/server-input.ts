import { randomUUIDv7 } from 'node:crypto';
import { readServerInput } from '#shared/api/server-input.ts';
import { readImport } from '#shared/import/read-import.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { ServerConfig, ServerRecord } from '#shared/vocabulary/server.ts';
import type { ToolCallRequest } from '../calls/call-request.ts';

/** A server by its id, or as the object that it is set by. */
export type ServerRef = string | ServerRecord;

/** A server as a program writes it; the JSON of other hosts may hold several under `mcpServers`. */
export type ServerInput =
  | ServerRecord
  | ServerConfig
  | JsonObject
  | { mcpServers: Readonly<Record<string, object>> };

/** A call as agent code writes it. Without a `callId` it gets one of its own. */
export interface ServerCall extends Omit<ToolCallRequest, 'serverId' | 'arguments' | 'callId'> {
  server: ServerRef;
  args?: JsonObject;
  callId?: string;
}

/** The records of what was written. What is no record yet is approved by nobody. */
export function toServerRecords(input: ServerInput): ServerRecord[] {
  if (isRecord(input)) return [input];
  if (isJsonObject(input) && (isJsonObject(input.mcpServers) || isJsonObject(input.servers)))
    return readImport(JSON.stringify(input)).entries.map(({ name, fields }) =>
      toRecord(readServerInput({ ...fields, name })),
    );
  return [toRecord(readServerInput(input))];
}

function isRecord(input: ServerInput): input is ServerRecord {
  return 'id' in input && 'owner' in input && 'config' in input;
}

function toRecord(config: ServerConfig): ServerRecord {
  const at = Date.now();
  return { id: randomUUIDv7(), owner: 'local', config, createdAt: at, updatedAt: at };
}
