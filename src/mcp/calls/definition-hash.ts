import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import { pinHash } from '#shared/text/pin-hash.ts';
import type { McpTool } from '../results/types.ts';
import { canonicalJson } from '../schema/canonical-json.ts';

const hashes = new WeakMap<McpTool, string>();

/**
 * Binds an approval to what a tool says of itself: equal for equal definitions, whatever the order of
 * keys. A tool that changes between two listings gets another hash.
 */
export function definitionHash(tool: McpTool): string {
  const known = hashes.get(tool);
  if (known !== undefined) return known;
  const { name, title, description, inputSchema, outputSchema, annotations, problem } = tool;
  const { taskSupport, icons } = tool;
  const hash = pinHash(
    digest([name, title, description, inputSchema, outputSchema, annotations, problem]),
    digest([taskSupport, icons, pinnedMeta(tool)]),
  );
  hashes.set(tool, hash);
  return hash;
}

/**
 * The server's own data about a tool, as far as it has a meaning for hosts: that of apps, and keys that
 * MCP reserves for itself. The rest is the server's alone, and may change with every listing.
 */
export function pinnedMeta({ meta = {} }: McpTool): JsonObject | undefined {
  const pinned = Object.entries(meta).filter(([key]) => isApps.test(key) || isReserved.test(key));
  return pinned.length === 0 ? undefined : Object.fromEntries(pinned);
}

const isApps = /^ui(?:\/|$)/;
const isReserved = /^(?:[^/]*\.)?(?:modelcontextprotocol|mcp)(?:\.[^/]*)?\//i;

function digest(said: unknown[]): string {
  const json = canonicalJson(said.map((part) => (part ?? null) as Json));
  return createHash('sha256').update(json).digest('hex');
}
