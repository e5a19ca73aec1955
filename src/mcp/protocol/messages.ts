import type { JsonObject } from '#shared/vocabulary/json.ts';

/** JSON-RPC as MCP uses it. Ids are numbers in what we send; strangers may use strings. */
export type RequestId = number | string;

export interface RpcRequest {
  jsonrpc: '2.0';
  id: RequestId;
  method: string;
  params?: JsonObject;
}

export interface RpcNotification {
  jsonrpc: '2.0';
  method: string;
  params?: JsonObject;
}

export interface RpcErrorBody {
  code: number;
  message: string;
  data?: unknown;
}

/** The answer to a request; exactly one of `result` and `error` is there. */
export interface RpcAnswer {
  jsonrpc: '2.0';
  id: RequestId;
  result?: unknown;
  error?: RpcErrorBody | undefined;
}

export type RpcMessage = RpcRequest | RpcNotification | RpcAnswer;

/** A server's own error answer, as it was given. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: RpcErrorBody) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

/** Whether a parsed value can be a message at all; its inside is read by the receiver. */
export function isRpcMessage(value: unknown): value is RpcMessage {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { jsonrpc, id, method } = value as Partial<RpcRequest>;
  if (jsonrpc !== '2.0') return false;
  if (typeof method === 'string') return id === undefined || isId(id);
  return isId(id) && ('result' in value || 'error' in value);
}

function isId(id: unknown): boolean {
  return typeof id === 'number' || typeof id === 'string';
}
