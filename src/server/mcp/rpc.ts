import { CeriseError, type ErrorCode, toErrorInfo } from '#shared/errors/errors.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';

/** JSON-RPC as MCP uses it, from the side of a server. */
export type RpcId = number | string;

export interface RpcRequest {
  id: RpcId;
  method: string;
  params: JsonObject;
}

/** What a client may post. */
export type Incoming =
  | ({ kind: 'request' } & RpcRequest)
  | { kind: 'notification'; method: string; params: JsonObject }
  | { kind: 'response'; id: RpcId; result?: JsonObject; error?: JsonObject };

/** An error response. `status` is the HTTP status of a request that was rejected unread. */
export class RpcFailure extends Error {
  readonly code: number;
  readonly data: unknown;
  readonly status: number;

  constructor(code: number, message: string, options: { data?: unknown; status?: number } = {}) {
    super(message);
    this.name = 'RpcFailure';
    this.code = code;
    this.data = options.data;
    this.status = options.status ?? 200;
  }
}

/** Reads a message; undefined for anything else. */
export function readMessage(value: unknown): Incoming | undefined {
  if (!isJsonObject(value) || value.jsonrpc !== '2.0') return undefined;
  const { id, method, params, result, error } = value;
  if (params !== undefined && !isJsonObject(params)) return undefined;
  const given = params ?? {};
  const hasId = typeof id === 'string' || typeof id === 'number';
  if (typeof method === 'string') {
    if (id === undefined) return { kind: 'notification', method, params: given };
    return hasId ? { kind: 'request', id, method, params: given } : undefined;
  }
  if (!hasId) return undefined;
  if (isJsonObject(result)) return { kind: 'response', id, result };
  return isJsonObject(error) ? { kind: 'response', id, error } : undefined;
}

export function resultOf(id: RpcId, result: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, result };
}

export function errorOf(id: RpcId | null, { code, message, data }: RpcFailure): JsonObject {
  const error = { code, message, ...(data !== undefined && { data: data as JsonObject }) };
  return { jsonrpc: '2.0', id, error };
}

export function notificationOf(method: string, params: JsonObject): JsonObject {
  return { jsonrpc: '2.0', method, params };
}

const codes: Partial<Record<ErrorCode, number>> = {
  not_found: rpcCode.invalidParams,
  tool_not_found: rpcCode.invalidParams,
  tool_call_not_found: rpcCode.invalidParams,
  invalid_request: rpcCode.invalidParams,
  invalid_arguments: rpcCode.invalidParams,
  server_not_found: rpcCode.invalidParams,
};

/** A failure as JSON-RPC has it. Errors of servers keep their code; undefined for a bug. */
export function toFailure(error: unknown): RpcFailure | undefined {
  if (error instanceof RpcFailure) return error;
  if (!(error instanceof CeriseError)) return undefined;
  const { code, message, hint, details } = toErrorInfo(error);
  const told = isJsonObject(details) ? details : {};
  const text = hint === undefined ? message : `${message} ${hint}`;
  if (told.code === rpcCode.missingCapability)
    return new RpcFailure(rpcCode.missingCapability, text, {
      data: { requiredCapabilities: told.requiredCapabilities ?? {} },
      status: 400,
    });
  const theirs = code === 'protocol_error' && typeof told.code === 'number' ? told.code : undefined;
  const number = theirs ?? codes[code] ?? rpcCode.internalError;
  return new RpcFailure(number, text, { data: { code } });
}

/** Any failure as the response to a request. Details of a bug only go to the log. */
export function answerTo(
  id: RpcId | null,
  error: unknown,
  logger: Logger,
): { message: JsonObject; status: number } {
  const known = toFailure(error);
  if (!known) {
    const stack = error instanceof Error ? error.stack : undefined;
    logger.error(
      { ...toErrorInfo(error), stack },
      'An MCP request failed because of an internal error',
    );
  }
  const failure = known ?? new RpcFailure(rpcCode.internalError, 'Something went wrong in Cerise.');
  return { message: errorOf(id, failure), status: failure.status };
}
