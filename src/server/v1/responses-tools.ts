import { z } from 'zod';
import { jsonObject } from '#shared/vocabulary/fields.ts';
import {
  type ClientTool,
  clientToolName,
  customTool,
  grammarSchema,
  toolNameSchema,
} from './client-tools.ts';
import { refuseUnsupported, refuseVendorTools } from './request-parts.ts';

const text = z.string();

const ownSchema = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('function'),
    name: toolNameSchema,
    description: text.nullish(),
    parameters: jsonObject.nullish(),
  }),
  z.looseObject({
    type: z.literal('custom'),
    name: toolNameSchema,
    description: text.nullish(),
    format: z
      .discriminatedUnion('type', [
        z.looseObject({ type: z.literal('text') }),
        grammarSchema.extend({ type: z.literal('grammar') }),
      ])
      .nullish(),
  }),
]);

/** A tool of the responses API. */
export const responsesToolSchema = z.discriminatedUnion('type', [
  ownSchema,
  z.looseObject({
    type: z.literal('namespace'),
    name: toolNameSchema,
    tools: z.array(ownSchema).max(1000),
  }),
  z.looseObject({
    type: z.literal('mcp'),
    server_label: text,
    require_approval: z.unknown().optional(),
  }),
  /** What OpenAI runs itself, or defines for its own models. */
  z.looseObject({
    type: z.enum([
      'apply_patch',
      'code_interpreter',
      'computer',
      'computer_use_preview',
      'file_search',
      'image_generation',
      'local_shell',
      'programmatic_tool_calling',
      'shell',
      'tool_search',
      'web_search',
      'web_search_2025_08_26',
      'web_search_preview',
      'web_search_preview_2025_03_11',
    ]),
  }),
]);
type ResponsesTool = z.infer<typeof responsesToolSchema>;

interface OfferedTools {
  /** What the program runs. */
  own: ClientTool[];
  /** The servers of Cerise that it names. */
  servers: string[];
  /** It decides on calls of those that need an approval. */
  asks: boolean;
}

/** What a program offers the model. */
export function readTools(tools: readonly ResponsesTool[]): OfferedTools {
  const offered: OfferedTools = { own: [], servers: [], asks: false };
  const others: string[] = [];
  for (const tool of tools) {
    if (tool.type === 'mcp') {
      refuseUnsupported(tool, ['server_url', 'connector_id', 'authorization', 'allowed_tools']);
      offered.servers.push(tool.server_label);
      offered.asks ||= tool.require_approval !== 'never';
    } else if (isOwn(tool)) offered.own.push(...toClientTools(tool));
    else others.push(tool.type);
  }
  refuseVendorTools(others, { areAlone: others.length === tools.length });
  return offered;
}

/** The tools that a program runs, by the names under which models call them. */
export function ownTools(tools: readonly ResponsesTool[]): ReadonlyMap<string, ClientTool> {
  const own = tools.filter(isOwn).flatMap(toClientTools);
  return new Map(own.map((tool) => [clientToolName(tool), tool]));
}

type OwnTool = Extract<ResponsesTool, { type: 'function' | 'custom' | 'namespace' }>;

function isOwn(tool: ResponsesTool): tool is OwnTool {
  return tool.type === 'function' || tool.type === 'custom' || tool.type === 'namespace';
}

function toClientTools(tool: OwnTool): ClientTool[] {
  if (tool.type === 'function') return [{ ...tool, schema: tool.parameters }];
  if (tool.type === 'custom')
    return [customTool(tool, tool.format?.type === 'grammar' ? tool.format : undefined)];
  const { name: namespace, tools } = tool;
  return tools.flatMap(toClientTools).map((each) => ({ ...each, namespace }));
}
