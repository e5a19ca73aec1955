/** `cerise/mcp`: the MCP client and service alone, without a database or a model. */
export { type SafeCallOptions, safeMcpCall } from '#mcp/calls/safe-mcp-call.ts';
export type { ToolCallRequest } from '#mcp/calls/call-request.ts';
export type { CompletionTarget } from '#mcp/connection/connection.ts';
export { McpProcessTracker } from '#mcp/process/process-tracker.ts';
export type {
  Completion,
  GetPromptResult,
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpTool,
  ResourceContents,
} from '#mcp/results/types.ts';
export { McpService, type McpServiceOptions } from '#mcp/service/mcp-service.ts';
export type {
  BatchOutcome,
  ServerCall,
  ServerInput,
  ServerRecordInput,
  ServerRef,
} from '#mcp/service/server-input.ts';
export type { ServerTools } from '#mcp/service/server-tools.ts';
export { CeriseError, type ErrorCode, type ErrorInfo } from '#shared/errors/errors.ts';
export { CallError } from '#shared/vocabulary/call-error.ts';
export type {
  Attachment,
  ServerConfig,
  ServerConfigInput,
  ServerRecord,
} from '#shared/vocabulary/server.ts';
export type { ContentPart, Tool, ToolDefinition, ToolResult } from '#shared/vocabulary/tool.ts';
export {
  type AnthropicTool,
  type ConvertedTools,
  convertMcpToolsToAnthropic,
  convertMcpToolsToGemini,
  convertMcpToolsToOpenAI,
  type GeminiTool,
  type OmittedTool as LeftTool,
  type OpenAiChatTool,
  type OpenAiResponsesTool,
} from '#tools/formats/convert-tools.ts';
export { processJsonSchema } from '#tools/formats/json-schema.ts';
export {
  type DirectMcpConnection,
  type DirectMcpOptions,
  DirectMcpToolAdapter,
  type DirectMcpTools,
  loadDirectMcpTools,
} from '#tools/registry/direct-mcp-tools.ts';
export {
  type ITool,
  loadMcpTools,
  McpToolAdapter,
  type ToolCallOptions,
} from '#tools/registry/mcp-tool-adapter.ts';
export {
  type AnyTool,
  type HostTool,
  type NativeTool,
  ToolRegistry,
} from '#tools/registry/registry.ts';
export { type McpToolSetup, setupMcpTools } from '#tools/registry/setup-mcp-tools.ts';
export {
  type LoadFailure,
  type LoadOptions,
  loadTools as fetchMcpTools,
} from '#tools/registry/tools-loader.ts';
export { flattenContent } from '#tools/results/results.ts';
