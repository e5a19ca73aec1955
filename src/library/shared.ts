/**
 * `cerise/shared`: the vocabulary of conversations as types, values and schemas, with the reducer that every
 * part of Cerise runs. It works in a browser.
 */
export type {
  Block,
  BlockOf,
  BlockStatus,
  BlockType,
  Citation,
  CitationBlock,
  CodeBlock,
  CompactBlock,
  ErrorBlock,
  MediaBlock,
  TextBlock,
  ThinkingBlock,
  ToolBlock,
  TranslationBlock,
} from '#shared/vocabulary/block.ts';
export { BlockStatuses, BlockTypes, isBlockOpen } from '#shared/vocabulary/block.ts';
export { blockSchema, blockTypes } from '#shared/vocabulary/block-schema.ts';
export type { Chunk, FinishReason } from '#shared/vocabulary/chunk.ts';
export {
  createBlock,
  createCitationBlock,
  createErrorBlock,
  createImageBlock,
  createMainTextBlock,
  createThinkingBlock,
  createToolBlock,
  getMainText,
  getUserMessage,
} from '#shared/api/create-block.ts';
export type { BlockPatch, DurableEvent, Event, HostEvent } from '#shared/vocabulary/event.ts';
export {
  activePath,
  type Assistant,
  type Conversation,
  isMessageOpen,
  isMessageRunning,
  type Message,
  type Topic,
} from '#shared/vocabulary/message.ts';
export {
  assistantSchema,
  conversationSchema,
  messageSchema,
  topicSchema,
} from '#shared/vocabulary/message-schema.ts';
export { reduce, reduceMessage } from '#shared/vocabulary/reduce.ts';
export {
  type Attachment,
  type ServerConfig,
  serverConfigSchema,
  type ServerRecord,
  type ServerState,
  serverStates,
} from '#shared/vocabulary/server.ts';
export {
  type ContentPart,
  type Tool,
  type ToolCallState,
  toolCallStates,
  type ToolDefinition,
  type ToolResult,
  toolResultSchema,
} from '#shared/vocabulary/tool.ts';
export { CeriseError, type ErrorCode, type ErrorInfo } from '#shared/errors/errors.ts';
