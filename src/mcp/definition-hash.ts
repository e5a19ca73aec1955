import { createHash } from 'node:crypto';
import type { Json } from '#shared/json.ts';
import type { McpTool } from './protocol/types.ts';
import { canonicalJson } from './schema/canonical-json.ts';

const hashes = new WeakMap<McpTool, string>();

/**
 * Binds an approval to what a tool says of itself: equal for equal definitions, whatever the order of
 * keys. A tool that changes between two listings gets another hash.
 */
export function definitionHash(tool: McpTool): string {
  const known = hashes.get(tool);
  if (known !== undefined) return known;
  const { name, title, description, inputSchema, outputSchema, annotations, problem } = tool;
  const said = [name, title, description, inputSchema, outputSchema, annotations, problem];
  const hash = createHash('sha256')
    .update(canonicalJson(said.map((part) => (part ?? null) as Json)))
    .digest('hex');
  hashes.set(tool, hash);
  return hash;
}
