import { type SentenceRef, sentenceRef, say, textOf, type Words } from '#shared/errors/sentence.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolDefinition } from '#shared/vocabulary/tool.ts';
import { toAnthropicSchema } from './anthropic-schema.ts';
import { toGeminiSchema } from './gemini-schema.ts';
import { toOpenAiSchema } from './openai-schema.ts';

/** Legal for every vendor, up to 64 characters: a counted repeat is slow to compile. */
const legalName = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** A function tool of OpenAI's Chat Completions. */
export interface OpenAiChatTool {
  type: 'function';
  function: { name: string; description?: string; parameters: JsonObject; strict?: boolean };
}

/** A function tool of OpenAI's Responses. */
export interface OpenAiResponsesTool {
  type: 'function';
  name: string;
  description?: string;
  parameters: JsonObject;
  /** Always said: where nothing is said, OpenAI enforces the schema. */
  strict: boolean;
}

/** A tool of Anthropic's Messages. */
export interface AnthropicTool {
  name: string;
  description?: string;
  input_schema: JsonObject & { type: 'object' };
}

/** A function of Gemini. One without parameters has no schema. */
export interface GeminiFunction {
  name: string;
  description?: string;
  parameters?: JsonObject;
}

/** A tool of Gemini: all functions together. */
export interface GeminiTool {
  functionDeclarations: GeminiFunction[];
}

/** A tool that the vendor would refuse, and why. */
export interface OmittedTool {
  name: string;
  reason: string;
  reasonSaid?: SentenceRef;
}

/** The tools in the vendor's shape, and those it has no words for. */
export interface ConvertedTools<T> {
  tools: T[];
  left: OmittedTool[];
}

/** How one tool is written for a vendor. */
export type Converter<T> = (tool: ToolDefinition) => T | OmittedTool;

/**
 * Tools for OpenAI, by default for Chat Completions. `strict` asks OpenAI to enforce the schemas that
 * it can enforce; parameters that were optional then come as null if they are not used.
 */
export function convertMcpToolsToOpenAI(
  tools: readonly ToolDefinition[],
  options: { api: 'responses'; strict?: boolean },
): ConvertedTools<OpenAiResponsesTool>;
export function convertMcpToolsToOpenAI(
  tools: readonly ToolDefinition[],
  options?: { api?: 'chat'; strict?: boolean },
): ConvertedTools<OpenAiChatTool>;
export function convertMcpToolsToOpenAI(
  tools: readonly ToolDefinition[],
  { api = 'chat', strict = false }: { api?: 'chat' | 'responses'; strict?: boolean } = {},
): ConvertedTools<OpenAiChatTool | OpenAiResponsesTool> {
  return api === 'chat'
    ? convertTools(tools, openAiChatTool(strict))
    : convertTools(tools, openAiResponsesTool(strict));
}

/** Tools for Anthropic's Messages. */
export function convertMcpToolsToAnthropic(
  tools: readonly ToolDefinition[],
): ConvertedTools<AnthropicTool> {
  return convertTools(tools, anthropicTool);
}

/** Tools for Gemini: one tool with a function for each, or none. */
export function convertMcpToolsToGemini(
  tools: readonly ToolDefinition[],
): ConvertedTools<GeminiTool> {
  const { tools: functionDeclarations, left } = convertTools(tools, geminiFunction);
  return { tools: functionDeclarations.length > 0 ? [{ functionDeclarations }] : [], left };
}

function openAiChatTool(enforce: boolean): Converter<OpenAiChatTool> {
  return (tool) => {
    const converted = toOpenAiSchema(tool.inputSchema, { strict: enforce });
    if ('problem' in converted) return leave(tool, converted.problem);
    const { schema: parameters, strict } = converted;
    const definition: OpenAiChatTool['function'] = { ...introduce(tool), parameters };
    if (strict) definition.strict = strict;
    return { type: 'function', function: definition };
  };
}

function openAiResponsesTool(enforce: boolean): Converter<OpenAiResponsesTool> {
  return (tool) => {
    const converted = toOpenAiSchema(tool.inputSchema, { strict: enforce });
    if ('problem' in converted) return leave(tool, converted.problem);
    const { schema: parameters, strict = false } = converted;
    return { type: 'function', ...introduce(tool), parameters, strict };
  };
}

function anthropicTool(tool: ToolDefinition): AnthropicTool | OmittedTool {
  const converted = toAnthropicSchema(tool.inputSchema);
  if ('problem' in converted) return leave(tool, converted.problem);
  return { ...introduce(tool), input_schema: converted.schema as AnthropicTool['input_schema'] };
}

function geminiFunction(tool: ToolDefinition): GeminiFunction | OmittedTool {
  const converted = toGeminiSchema(tool.inputSchema);
  if ('problem' in converted) return leave(tool, converted.problem);
  const { schema } = converted;
  const takesNothing = !isJsonObject(schema.properties) || isEmpty(schema.properties);
  return { ...introduce(tool), ...(!takesNothing && { parameters: schema }) };
}

/** Why a tool cannot be offered under its name, if it cannot; the name is taken then. */
function nameProblem(name: string, taken: Set<string>): Words | undefined {
  const { size } = taken;
  taken.add(name);
  if (name.length > 64 || !legalName.test(name)) {
    return say(
      'tool-name-form',
    )`its name must be 1 to 64 letters, digits, _ and -, and can't start with a digit or -.`;
  }
  return taken.size === size ? say('tool-name-taken')`another tool has the same name.` : undefined;
}

/** Converts each tool by itself: one that cannot be converted is left out alone. */
function convertTools<T extends object>(
  tools: readonly ToolDefinition[],
  convert: Converter<T>,
): ConvertedTools<T> {
  return separate(convertEach(tools, convert));
}

/** What becomes of each tool, in their order. */
export function convertEach<T extends object>(
  tools: readonly ToolDefinition[],
  convert: Converter<T>,
): (T | OmittedTool)[] {
  const results: (T | OmittedTool)[] = [];
  const taken = new Set<string>();
  for (const tool of tools) {
    const problem = nameProblem(tool.name, taken);
    results.push(problem === undefined ? convert(tool) : leave(tool, problem));
  }
  return results;
}

/** The tools that were converted, and those that were left. */
export function separate<T extends object>(
  results: readonly (T | OmittedTool)[],
): ConvertedTools<T> {
  const separated: ConvertedTools<T> = { tools: [], left: [] };
  for (const result of results) {
    if ('reason' in result) separated.left.push(result);
    else separated.tools.push(result);
  }
  return separated;
}

function introduce({ name, description }: ToolDefinition): { name: string; description?: string } {
  return description === '' ? { name } : { name, description };
}

/** Leaves a tool out, and says why. */
export function leave({ name }: Pick<ToolDefinition, 'name'>, reason: Words): OmittedTool {
  const reasonSaid = sentenceRef(reason);
  return { name, reason: textOf(reason), ...(reasonSaid && { reasonSaid }) };
}

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}
