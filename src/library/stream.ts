/** `cerise/stream`: the wires to language models and the blocks that their answers become, alone. */
export { BlockManager, type BlockStore, type NewBlock } from '#chat/topic/block-manager.ts';
export { MemoryBlocks } from '#chat/topic/memory-blocks.ts';
export { createCallbacks } from '#chat/turn/create-callbacks.ts';
export {
  type CallbackProcessor,
  createStreamProcessor,
  type StreamChunk,
  type StreamProcessorOptions,
  type StreamResult,
} from '#chat/turn/create-stream-processor.ts';
export type { CallbackName, StreamCallbacks, StreamEnd } from '#chat/turn/stream-callbacks.ts';
export {
  fromLanguageModel,
  fromModelStream,
  type LanguageModelOptions,
  type StreamingModel,
} from '#models/sdk/language-model.ts';
export { anthropicMessages } from '#models/wires/anthropic/anthropic-messages.ts';
export { fromWire, type FromWireOptions, type ModelTarget } from '#models/wires/from-wire.ts';
export { googleGenerate } from '#models/wires/google/google-generate.ts';
export { openAiChat } from '#models/wires/openai/openai-chat.ts';
export { openAiResponses } from '#models/wires/openai/openai-responses.ts';
export type { Wire, WireTarget } from '#models/wires/wire.ts';
export {
  type Block,
  type BlockStatus,
  BlockStatuses,
  type BlockType,
  BlockTypes,
} from '#shared/vocabulary/block.ts';
export type { Chunk } from '#shared/vocabulary/chunk.ts';
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
export type {
  ModelAdapter,
  ModelCapabilities,
  ModelMessage,
  ModelRequest,
} from '#shared/vocabulary/model.ts';
export { CeriseError, type ErrorCode, type ErrorInfo } from '#shared/errors/errors.ts';
