import type { Chunk } from './chunk.ts';
import type { JsonObject } from './json.ts';
import type { ToolDefinition, ToolResult } from './tool.ts';

export interface Usage {
  inputTokens?: number;
  outputTokens?: number;
  reasoningTokens?: number;
  cachedInputTokens?: number;
}

/** What a person may tune; absent means the vendor's default. */
export interface ModelParameters {
  temperature?: number;
  topP?: number;
  maxOutputTokens?: number;
  reasoningEffort?: 'none' | 'low' | 'medium' | 'high';
}

export type ModelPart =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string; signature?: string }
  | { type: 'file'; mimeType: string; data: string; name?: string }
  | { type: 'tool-call'; callId: string; toolName: string; arguments: JsonObject };

/** One entry of the history a model is given; our own form, converted in `models/`. */
export type ModelMessage =
  | { role: 'user' | 'assistant'; parts: ModelPart[] }
  | { role: 'tool'; results: { callId: string; toolName: string; result: ToolResult }[] };

export interface ModelRequest {
  purpose: 'answer' | 'title';
  system: string;
  messages: ModelMessage[];
  /** Empty: the model is asked to answer without tools. */
  tools: ToolDefinition[];
  parameters: ModelParameters;
}

/**
 * A language model. The stream never throws: failure is its last chunk (`error`). Each item is a
 * batch, everything that one network read held. Ends after `response-complete` or `error`.
 */
export interface ModelAdapter {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<Chunk[]>;
}

/** A model as the pickers show it. `id` is `provider/model`. */
export interface ModelInfo {
  id: string;
  name: string;
  provider: string;
  /** True for the built-in demo model: everything it says is scripted. */
  scripted: boolean;
}

/** A configured vendor. The key is never read back. */
export interface Provider {
  id: string;
  name: string;
  kind: 'openai-compatible';
  baseUrl: string;
  models: string[];
  hasKey: boolean;
  createdAt: number;
}
