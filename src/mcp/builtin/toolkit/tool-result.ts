import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import type { JsonObject } from '#shared/vocabulary/json.ts';

/*
 * A tool fails by throwing CeriseError: the SDK answers with `isError` and the error's sentence.
 */

/** Changes nothing and stays inside Cerise: such tools run without asking. */
export const readOnly: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Changes nothing but sends what it is given to the outside. */
export const readsOutside: ToolAnnotations = { ...readOnly, openWorldHint: true };

/** Adds without losing anything that was there. */
export const adds: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Changes or removes what was there. */
export const destroys: ToolAnnotations = { ...adds, destructiveHint: true, idempotentHint: false };

/** A result of one text, with its structured form where there is one. */
export function textResult(text: string, structuredContent?: JsonObject): CallToolResult {
  return { content: [{ type: 'text', text }], ...(structuredContent && { structuredContent }) };
}
