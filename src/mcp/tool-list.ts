import { z } from 'zod';
import { isJsonObject, type JsonObject } from '#shared/json.ts';
import { limits } from '#shared/limits.ts';
import type { ToolAnnotations } from '#shared/tool.ts';

const mostPages = 50;

/** A tool as its server lists it. */
export interface McpTool {
  name: string;
  title?: string;
  description: string;
  inputSchema: JsonObject;
  outputSchema?: JsonObject;
  annotations: ToolAnnotations;
}

/** The outside of one page; the tools are read one by one. */
export const toolPageSchema = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().optional(),
});
type ToolPage = z.infer<typeof toolPageSchema>;

const flag = z.boolean().optional().catch(undefined);
const title = z.string().max(1000).optional().catch(undefined);
const toolSchema = z.object({
  name: z.string().min(1).max(256),
  title,
  description: z.string().optional().catch(undefined),
  inputSchema: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
  annotations: z
    .object({
      title,
      readOnlyHint: flag,
      destructiveHint: flag,
      idempotentHint: flag,
      openWorldHint: flag,
    })
    .optional()
    .catch(undefined),
});

/**
 * All pages of a server's tools. Endless or repeating cursors, too many tools and unreadable ones end
 * or shorten the list; `note` is told what was left out.
 */
export async function collectTools(
  fetchPage: (cursor: string | undefined) => Promise<ToolPage>,
  note: (text: string) => void,
): Promise<McpTool[]> {
  const tools = new Map<string, McpTool>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const { tools: found, nextCursor } = await fetchPage(cursor);
    if (!addTools(tools, found, note)) return [...tools.values()];
    if (nextCursor === undefined) return [...tools.values()];
    if (cursors.has(nextCursor) || page >= mostPages) {
      note(`The list of tools does not end; ${page} pages were read.`);
      return [...tools.values()];
    }
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
}

/** False once no more tools are taken. */
function addTools(
  tools: Map<string, McpTool>,
  found: unknown[],
  note: (text: string) => void,
): boolean {
  for (const value of found) {
    const tool = toTool(value);
    if (!tool) note('A tool without a usable name was left out.');
    else if (tools.has(tool.name)) note(`The tool ${tool.name} is listed twice.`);
    else if (tools.size >= limits.toolsPerServer) {
      note(`Only the first ${limits.toolsPerServer} tools are used.`);
      return false;
    } else tools.set(tool.name, tool);
  }
  return true;
}

function toTool(value: unknown): McpTool | undefined {
  const parsed = toolSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { name, title, description, inputSchema, outputSchema, annotations } = parsed.data;
  const shownTitle = title ?? annotations?.title;
  return {
    name,
    ...(shownTitle && { title: shownTitle }),
    description: description ?? '',
    inputSchema: isJsonObject(inputSchema) ? inputSchema : {},
    ...(isJsonObject(outputSchema) && { outputSchema }),
    annotations: annotations ?? {},
  };
}
