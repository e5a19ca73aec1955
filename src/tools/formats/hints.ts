import { truncate } from '#shared/text/text.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';

const maxChars = 200;

/** Tells in a node's description what a vendor's dialect has no keyword for. */
export function addHints(node: JsonObject, from: JsonObject, keywords: readonly string[]): void {
  let words = '';
  for (const keyword of keywords) {
    const value = from[keyword];
    if (value === undefined) continue;
    const text = `${keyword}: ${truncate(JSON.stringify(value), maxChars)}`;
    words = words === '' ? text : `${words}, ${text}`;
  }
  if (words === '') return;
  const { description } = node;
  node.description = typeof description === 'string' ? `${description} (${words})` : `(${words})`;
}
