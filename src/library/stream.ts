/** `cerise/stream`: the wires to language models and the blocks that their answers become, alone. */
export { fromLanguageModel, type LanguageModelOptions } from '#models/sdk/language-model.ts';
export { anthropicMessages } from '#models/wires/anthropic/anthropic-messages.ts';
export { fromWire, type FromWireOptions } from '#models/wires/from-wire.ts';
export { googleGenerate } from '#models/wires/google/google-generate.ts';
export { openAiChat } from '#models/wires/openai/openai-chat.ts';
export { openAiResponses } from '#models/wires/openai/openai-responses.ts';
export type { Wire, WireTarget } from '#models/wires/wire.ts';
export type { Block, BlockStatus, BlockType } from '#shared/vocabulary/block.ts';
export type { Chunk } from '#shared/vocabulary/chunk.ts';
export type { ModelAdapter, ModelMessage, ModelRequest } from '#shared/vocabulary/model.ts';
export { CeriseError, type ErrorCode, type ErrorInfo } from '#shared/errors/errors.ts';
