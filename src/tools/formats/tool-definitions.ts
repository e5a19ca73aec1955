import type { JsonObject } from '#shared/json.ts';
import type { ToolDefinition } from '#shared/tool.ts';
import { toAnthropicSchema } from './anthropic-schema.ts';
import { type ConvertedTools, convertTools } from './convert-tools.ts';
import { toGeminiSchema } from './gemini-schema.ts';
import { toOpenAiSchema } from './openai-schema.ts';
import type { ConvertedSchema } from './rewrite-schema.ts';

/** Whose dialect schemas are written in. Whoever speaks OpenAI's wires takes OpenAI's. */
export type ToolVendor = 'openai' | 'anthropic' | 'google';

export const toolVendors: readonly ToolVendor[] = ['openai', 'anthropic', 'google'];

const dialects: Record<ToolVendor, (schema: unknown) => ConvertedSchema> = {
  openai: (schema) => toOpenAiSchema(schema),
  anthropic: toAnthropicSchema,
  google: toGeminiSchema,
};

/** How many lists are kept for each vendor: tools are loaded anew for every turn. */
const mostKept = 16;

interface Kept {
  tools: ToolDefinition[];
  definitions: ConvertedTools<ToolDefinition>;
}

const kept: Record<ToolVendor, Kept[]> = { openai: [], anthropic: [], google: [] };

/**
 * Tools with their schemas in a vendor's dialect, and those it has no words for. Tools of the same
 * names, descriptions and schemas get the same objects again, so that what is made of them can be
 * kept, too: the bytes of a request stay the same from round to round. Schemas are immutable.
 */
export function toolDefinitionsFor(
  vendor: ToolVendor,
  tools: readonly ToolDefinition[],
): ConvertedTools<ToolDefinition> {
  const lists = kept[vendor];
  const index = lists.findIndex((list) => isSame(list.tools, tools));
  const [found] = index === -1 ? [] : lists.splice(index, 1);
  const list = found ?? { tools: tools.map(copy), definitions: define(vendor, tools) };
  lists.unshift(list);
  lists.length = Math.min(lists.length, mostKept);
  return list.definitions;
}

/** A vendor that has no words for a tool's schema, and why. */
interface VendorWithout {
  dialect: ToolVendor;
  reason: string;
}

const withoutWords = new WeakMap<JsonObject, VendorWithout[]>();

/** The vendors whose models are not offered a tool with this schema. Kept with the schema. */
export function vendorsWithout(inputSchema: JsonObject): VendorWithout[] {
  const known = withoutWords.get(inputSchema);
  if (known) return known;
  const tool: ToolDefinition = { name: 'tool', description: '', inputSchema };
  const found = toolVendors.flatMap((dialect) =>
    define(dialect, [tool]).left.map(({ reason }) => ({ dialect, reason })),
  );
  withoutWords.set(inputSchema, found);
  return found;
}

function define(
  vendor: ToolVendor,
  tools: readonly ToolDefinition[],
): ConvertedTools<ToolDefinition> {
  const toSchema = dialects[vendor];
  return convertTools<ToolDefinition>(tools, ({ name, description, inputSchema }) => {
    const converted = toSchema(inputSchema);
    if ('problem' in converted) return { name, reason: converted.problem };
    return { name, description, inputSchema: converted.schema };
  });
}

/** Only what is told: what runs a tool must not live as long as its description. */
function copy({ name, description, inputSchema }: ToolDefinition): ToolDefinition {
  return { name, description, inputSchema };
}

function isSame(known: readonly ToolDefinition[], tools: readonly ToolDefinition[]): boolean {
  if (known.length !== tools.length) return false;
  for (let index = 0; index < tools.length; index++) {
    const old = known[index];
    const tool = tools[index];
    if (old?.inputSchema !== tool?.inputSchema || old?.name !== tool?.name) return false;
    if (old?.description !== tool?.description) return false;
  }
  return true;
}
