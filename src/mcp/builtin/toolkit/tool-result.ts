import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import { CeriseError } from '#shared/errors/errors.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { sentenceKey } from '#shared/vocabulary/tool.ts';

/*
 * A tool fails by throwing CeriseError: it answers with `isError`, the error's sentence and its id.
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

/** What a tool answers that failed. Throws what is no expected failure, for the SDK to answer. */
export function failedResult(error: unknown): CallToolResult {
  if (!(error instanceof CeriseError)) throw error;
  const { message, messageSaid } = error;
  return {
    ...textResult(message),
    isError: true,
    ...(messageSaid && { _meta: { [sentenceKey]: messageSaid } }),
  };
}
