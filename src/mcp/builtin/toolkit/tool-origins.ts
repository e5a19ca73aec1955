import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Origin, originsKey, readOrigins } from '#shared/vocabulary/origin.ts';

/** Where the untrusted words came from that stood before a call: its arguments may hold some. */
export function originsOf({ mcpReq }: { mcpReq: { _meta?: object } }): Origin[] {
  const meta = mcpReq._meta as Record<string, unknown> | undefined;
  return readOrigins(meta?.[originsKey]);
}

/** The result, which says where untrusted words in it came from. */
export function withOrigins(result: CallToolResult, origins: readonly Origin[]): CallToolResult {
  if (origins.length === 0) return result;
  return { ...result, _meta: { ...result._meta, [originsKey]: origins } };
}
