/** `cerise/mcp`: the MCP client and service alone, without a database or a model. */
export { McpProcessTracker } from '#mcp/process/process-tracker.ts';
export { McpService, type McpServiceOptions } from '#mcp/service/mcp-service.ts';
export type { Attachment, ServerConfig, ServerRecord } from '#shared/vocabulary/server.ts';
export type { Tool, ToolDefinition, ToolResult } from '#shared/vocabulary/tool.ts';
export { CeriseError, type ErrorCode, type ErrorInfo } from '#shared/errors/errors.ts';
