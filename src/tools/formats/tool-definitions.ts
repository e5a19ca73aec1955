import { type SentenceRef } from '#shared/errors/sentence.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolDefinition } from '#shared/vocabulary/tool.ts';
import { toAnthropicSchema } from './anthropic-schema.ts';
import {
  type ConvertedTools,
  type Converter,
  convertEach,
  leave,
  type OmittedTool,
  separate,
} from './convert-tools.ts';
import { toGeminiSchema } from './gemini-schema.ts';
import { toOpenAiSchema } from './openai-schema.ts';
import type { ConvertedSchema } from './rewrite-schema.ts';

/** Whose dialect schemas are written in. Vendors that speak OpenAI's wires take OpenAI's. */
export type ToolVendor = 'openai' | 'anthropic' | 'google';

export const toolVendors: readonly ToolVendor[] = ['openai', 'anthropic', 'google'];

const converters: Record<ToolVendor, Converter<ToolDefinition>> = {
  openai: (tool) => define(tool, toOpenAiSchema(tool.inputSchema)),
  anthropic: (tool) => define(tool, toAnthropicSchema(tool.inputSchema)),
  google: (tool) => define(tool, toGeminiSchema(tool.inputSchema)),
};

/** How many lists are kept for each vendor: tools are loaded again for every turn. */
const maxKept = 16;

/** A list by what is told of it: what runs a tool must not live as long as its description. */
interface CachedFormat {
  /** The schemas as they were given. */
  schemas: JsonObject[];
  /** What became of each tool. */
  results: (ToolDefinition | OmittedTool)[];
  definitions: ConvertedTools<ToolDefinition>;
}

const kept: Record<ToolVendor, CachedFormat[]> = { openai: [], anthropic: [], google: [] };

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
  const index = lists.findIndex((list) => isSame(list, tools));
  const [found] = index === -1 ? [] : lists.splice(index, 1);
  const list = found ?? keep(tools, converters[vendor], lists[0]);
  lists.unshift(list);
  lists.length = Math.min(lists.length, maxKept);
  return list.definitions;
}

/** A vendor that has no words for a tool's schema, and why. */
interface VendorWithout {
  dialect: ToolVendor;
  reason: string;
  reasonSaid?: SentenceRef;
}

const withoutWords = new WeakMap<JsonObject, VendorWithout[]>();

/** The vendors whose models are not offered a tool with this schema. Kept with the schema. */
export function vendorsWithout(inputSchema: JsonObject): VendorWithout[] {
  const cached = withoutWords.get(inputSchema);
  if (cached) return cached;
  const tool: ToolDefinition = { name: 'tool', description: '', inputSchema };
  const found = toolVendors.flatMap((dialect) => {
    const result = converters[dialect](tool);
    if (!('reason' in result)) return [];
    const { name: _, ...why } = result;
    return [{ dialect, ...why }];
  });
  withoutWords.set(inputSchema, found);
  return found;
}

function define(
  { name, description }: ToolDefinition,
  converted: ConvertedSchema,
): ToolDefinition | OmittedTool {
  if ('problem' in converted) return leave({ name }, converted.problem);
  return { name, description, inputSchema: converted.schema };
}

/** Of a list that begins or ends as the one before, only what is new is converted. */
function keep(
  tools: readonly ToolDefinition[],
  convert: Converter<ToolDefinition>,
  before: CachedFormat | undefined,
): CachedFormat {
  const isKnown = before !== undefined && isAlike(before, tools);
  const results = convertEach(tools, isKnown ? afresh(convert, before) : convert);
  const schemas = tools.map(({ inputSchema }) => inputSchema);
  return { schemas, results, definitions: separate(results) };
}

function afresh(
  convert: Converter<ToolDefinition>,
  { schemas, results }: CachedFormat,
): Converter<ToolDefinition> {
  const places = new Map(results.map(({ name }, index) => [name, index]));
  return (tool) => {
    const place = places.get(tool.name) ?? -1;
    const known = results[place];
    // One that was left may have been so for another tool's name.
    if (known === undefined || 'reason' in known) return convert(tool);
    return isSameTool(schemas[place], known, tool) ? known : convert(tool);
  };
}

function isAlike({ schemas }: CachedFormat, tools: readonly ToolDefinition[]): boolean {
  if (tools.length === 0) return false;
  return schemas[0] === tools[0]?.inputSchema || schemas.at(-1) === tools.at(-1)?.inputSchema;
}

function isSame({ schemas, results }: CachedFormat, tools: readonly ToolDefinition[]): boolean {
  if (schemas.length !== tools.length) return false;
  for (let index = 0; index < tools.length; index++) {
    if (!isSameTool(schemas[index], results[index], tools[index])) return false;
  }
  return true;
}

function isSameTool(
  schema: JsonObject | undefined,
  result: ToolDefinition | OmittedTool | undefined,
  tool: ToolDefinition | undefined,
): boolean {
  if (schema !== tool?.inputSchema || result?.name !== tool?.name || !result) return false;
  return 'reason' in result || result.description === tool?.description;
}
