import type { McpService } from '#mcp/service/mcp-service.ts';
import type { TurnSelection } from '#shared/vocabulary/message.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import type { Tool } from '#shared/vocabulary/tool.ts';
import {
  type AnthropicTool,
  type ConvertedTools,
  convertMcpToolsToAnthropic,
  convertMcpToolsToGemini,
  convertMcpToolsToOpenAI,
  type GeminiTool,
  type OmittedTool,
  type OpenAiChatTool,
} from '../formats/convert-tools.ts';
import { type LoadFailure, type LoadOptions, loadTools } from './tools-loader.ts';

/** The shape in which each vendor's chat requests take tools. */
export interface VendorTools {
  openai: OpenAiChatTool;
  anthropic: AnthropicTool;
  google: GeminiTool;
}

/** Tools for one request: as the vendor is told of them, and as they are run. */
export interface McpToolSetup<T> {
  tools: T[];
  /** The same tools by the names in `tools`, ready to execute. */
  mcpTools: Tool[];
  /** Tools the vendor has no words for. */
  left: OmittedTool[];
  /** Servers whose tools, or some of them, are missing. */
  failures: LoadFailure[];
}

const converters: {
  [V in keyof VendorTools]: (tools: readonly Tool[]) => ConvertedTools<VendorTools[V]>;
} = {
  openai: (tools) => convertMcpToolsToOpenAI(tools),
  anthropic: convertMcpToolsToAnthropic,
  google: convertMcpToolsToGemini,
};

/** Loads the selected tools in a vendor's shape, with what is missing. */
export async function loadVendorTools<V extends keyof VendorTools>(
  service: McpService,
  selection: Partial<TurnSelection> | undefined,
  vendor: V,
  options: LoadOptions = {},
): Promise<McpToolSetup<VendorTools[V]>> {
  const { tools: loaded, failures } = await loadTools(service, selection, options);
  const { tools, left } = converters[vendor](loaded);
  const names = new Set(left.map(({ name }) => name));
  const mcpTools = loaded.filter(({ name }) => !names.has(name));
  return { tools, mcpTools, left, failures };
}

/**
 * The same for one request: undefined when there are none. What is missing is in the result and, with a
 * logger, in the log beside the tools of each server.
 */
export async function setupMcpTools<V extends keyof VendorTools>(
  service: McpService,
  selection: Partial<TurnSelection> | undefined,
  vendor: V,
  { logger, ...options }: LoadOptions & { logger?: Logger } = {},
): Promise<McpToolSetup<VendorTools[V]> | undefined> {
  const setup = await loadVendorTools(service, selection, vendor, options);
  if (logger) logTools(logger, setup.mcpTools, setup.left, setup.failures);
  return setup.tools.length > 0 ? setup : undefined;
}

function logTools(
  logger: Logger,
  mcpTools: readonly Tool[],
  left: readonly OmittedTool[],
  failures: readonly LoadFailure[],
): void {
  for (const [server, tools] of Map.groupBy(mcpTools, ({ serverName }) => serverName)) {
    logger.info({ server, tools: tools.map(({ toolName }) => toolName) }, 'Tools are ready');
  }
  for (const { name, reason } of left) logger.warn({ tool: name, reason }, 'Skipped a tool');
  for (const { serverName: server, error } of failures) {
    logger.warn({ server, error }, "A server's tools are missing");
  }
}
