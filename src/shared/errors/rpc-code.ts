/** Codes of errors in JSON-RPC, and in MCP. */
export const rpcCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** 2025-11-25 and before; since then −32602 with the same meaning. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
  urlElicitationRequired: -32042,
  /** Our answer when a person denies a sampling request. */
  rejectedByUser: -1,
} as const;
