/**
 * Cerise as a library: the engine without a door, and the vocabulary to read what it says. The other
 * doors (HTTP, command line) are made from exactly this.
 */
export { createHost, type Host, type HostOptions } from '#chat/host/host.ts';
export type { SendMessage } from '#chat/cluster/command.ts';
export type { AgentCall } from '#chat/turn/agent-calls.ts';
export { type AgentOptions, type AgentResult, runAgent } from '#chat/turn/run-agent.ts';
export type { Viewer } from '#chat/topic/viewers.ts';
export { McpService, type McpServiceOptions } from '#mcp/service/mcp-service.ts';
export { type SafeCallOptions, safeMcpCall } from '#mcp/calls/safe-mcp-call.ts';
export type {
  ServerCall,
  ServerInput,
  ServerRecordInput,
  ServerRef,
} from '#mcp/service/server-input.ts';
export { McpProcessTracker } from '#mcp/process/process-tracker.ts';
export {
  fromLanguageModel,
  type LanguageModelOptions,
  type StreamingModel,
} from '#models/sdk/language-model.ts';
export { fromWire, type FromWireOptions, type ModelTarget } from '#models/wires/from-wire.ts';
export { anthropicMessages } from '#models/wires/anthropic/anthropic-messages.ts';
export { googleGenerate } from '#models/wires/google/google-generate.ts';
export { openAiChat } from '#models/wires/openai/openai-chat.ts';
export { openAiResponses } from '#models/wires/openai/openai-responses.ts';
export type { Wire, WireTarget } from '#models/wires/wire.ts';
export type { Block, BlockStatus, BlockType } from '#shared/vocabulary/block.ts';
export type { Chunk } from '#shared/vocabulary/chunk.ts';
export { CeriseError, type ErrorCode, type ErrorInfo } from '#shared/errors/errors.ts';
export type { DurableEvent, Event, HostEvent } from '#shared/vocabulary/event.ts';
export {
  activePath,
  type Conversation,
  type Message,
  type Topic,
} from '#shared/vocabulary/message.ts';
export type {
  ModelAdapter,
  ModelCapabilities,
  ModelMessage,
  ModelRequest,
} from '#shared/vocabulary/model.ts';
export { reduce } from '#shared/vocabulary/reduce.ts';
export type {
  Attachment,
  ServerConfig,
  ServerConfigInput,
  ServerRecord,
} from '#shared/vocabulary/server.ts';
export type { Tool, ToolDefinition, ToolResult } from '#shared/vocabulary/tool.ts';
export {
  type DirectMcpConnection,
  type DirectMcpOptions,
  DirectMcpToolAdapter,
  type DirectMcpTools,
  loadDirectMcpTools,
} from '#tools/registry/direct-mcp-tools.ts';
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
export { type McpToolSetup, setupMcpTools } from '#tools/registry/setup-mcp-tools.ts';
export { processJsonSchema } from '#tools/formats/json-schema.ts';
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
export { flattenContent } from '#tools/results/results.ts';
export {
  type LoadFailure,
  type LoadOptions,
  loadTools as fetchMcpTools,
} from '#tools/registry/tools-loader.ts';
