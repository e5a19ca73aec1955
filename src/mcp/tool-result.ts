import { z } from 'zod';
import { CeriseError } from '#shared/errors.ts';
import { isJsonObject } from '#shared/json.ts';
import { limits } from '#shared/limits.ts';
import type { ContentPart, ToolResult } from '#shared/tool.ts';

const deepest = 200;

/** The outside of a result; its parts are read one by one, so that a strange one spoils nothing. */
export const rawToolResultSchema = z.looseObject({
  content: z.array(z.unknown()).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});
type RawToolResult = z.infer<typeof rawToolResultSchema>;

const mimeType = z.string().max(255).optional().catch(undefined);
const text = z.string().optional().catch(undefined);
const partSchema = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string().max(255) }),
  z.object({
    type: z.literal('resource_link'),
    uri: z.string(),
    name: z.string(),
    title: text,
    description: text,
    mimeType,
    size: z.number().optional().catch(undefined),
  }),
  z.object({
    type: z.literal('resource'),
    resource: z.object({
      uri: z.string(),
      mimeType,
      text: z.string().optional(),
      blob: z.string().optional(),
    }),
  }),
]);

/** A server's answer in our words. Parts of a kind we do not know become their JSON as text. */
export function toToolResult(raw: RawToolResult): ToolResult {
  assertBounds(raw);
  const parts = raw.content ?? ('toolResult' in raw ? [raw.toolResult] : []);
  const content = parts.map(toPart);
  const { structuredContent } = raw;
  if (structuredContent !== undefined && !isJsonObject(structuredContent) && content.length === 0) {
    content.push({ type: 'text', text: JSON.stringify(structuredContent) });
  }
  return {
    content,
    ...(isJsonObject(structuredContent) && { structuredContent }),
    ...(raw.isError && { isError: true }),
  };
}

function toPart(value: unknown): ContentPart {
  const parsed = partSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  return { type: 'text', text: JSON.stringify(value) ?? '' };
}

/** Depth and size, without recursion: a stranger's answer must not exhaust stack or memory. */
function assertBounds(raw: RawToolResult): void {
  const open: { value: unknown; depth: number }[] = [{ value: raw, depth: 0 }];
  let size = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    size += typeof value === 'string' ? value.length : 1;
    if (size > limits.storedResult) {
      throw new CeriseError('result_too_large', 'The result is over the limit of 16 MiB.');
    }
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= deepest) {
      throw new CeriseError('unreadable_response', 'The result is nested too deeply to be read.');
    }
    for (const inner of Object.values(value)) open.push({ value: inner, depth: depth + 1 });
  }
}
