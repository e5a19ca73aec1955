import type { z } from 'zod';
import type { Chunk } from './chunk.ts';
import type { JsonObject } from './json.ts';
import type { chosenParametersSchema } from './message-schema.ts';
import type { BlobRef, ToolDefinition, ToolResult } from './tool.ts';

/** What a model costs, in US dollars for a million tokens. What is not said of a cache costs as input. */
export interface ModelPrice {
  input: number;
  output: number;
  cachedInput?: number | undefined;
  cacheWrite?: number | undefined;
}

/** How long an answer is waited for; absent: as it ships. */
export interface ModelTimes {
  /** Without a byte. */
  silenceSeconds?: number | undefined;
  /** In all. */
  totalSeconds?: number | undefined;
}

/** What a person may tune; absent means the vendor's default. */
export interface ModelParameters {
  temperature?: number | undefined;
  topP?: number | undefined;
  maxOutputTokens?: number | undefined;
  reasoningEffort?: 'none' | 'low' | 'medium' | 'high' | undefined;
}

export type ChosenParameters = z.infer<typeof chosenParametersSchema>;

/** What a model is told of a choice. */
export function resolveParameters(chosen: ChosenParameters): ModelParameters {
  const { reasoningEffort, ...others } = chosen;
  if (reasoningEffort === undefined || reasoningEffort === 'auto') return others;
  return { ...others, reasoningEffort };
}

export type ModelPart =
  /** A `signature`, here and below, is what the vendor attached and wants back. */
  | { type: 'text'; text: string; signature?: string }
  | { type: 'thinking'; text: string; signature?: string }
  /** Where it is `stored`, its data is still to be loaded: no model sees it like this. */
  | {
      type: 'file';
      mimeType: string;
      data: string;
      name?: string;
      stored?: BlobRef;
      signature?: string;
    }
  | {
      type: 'tool-call';
      callId: string;
      toolName: string;
      arguments: JsonObject;
      signature?: string;
    };

/** One entry of the history a model is given; our own form, converted in `models/`. */
export type ModelMessage =
  | {
      role: 'user' | 'assistant';
      parts: ModelPart[];
      /** The user's words stand beside results, with no answer in between. */
      afterResults?: true;
    }
  | {
      role: 'tool';
      results: { callId: string; toolName: string; result: ToolResult }[];
      /** A program made these calls, and may say more with their results. */
      fromProgram?: true;
    };

/** How an answer has to look, by what a program asked for; vendors that cannot do a thing leave it out. */
export interface AnswerShape {
  /** JSON, of a schema where one is given. */
  format?: { type: 'json'; name?: string; schema?: JsonObject; strict?: boolean } | undefined;
  toolChoice?: 'none' | 'required' | { name: string } | undefined;
  /** False: one call at a time. */
  parallelCalls?: boolean | undefined;
  stop?: string[] | undefined;
  seed?: number | undefined;
  frequencyPenalty?: number | undefined;
  presencePenalty?: number | undefined;
}

/** What a model is asked. */
export interface ModelRequest {
  purpose: 'answer' | 'title' | 'compact' | 'translate';
  system: string;
  messages: ModelMessage[];
  /** Empty: the model is asked to answer without tools. */
  tools: ToolDefinition[];
  parameters: ModelParameters;
  shape?: AnswerShape | undefined;
}

/**
 * A language model. The stream never throws: failure is its last chunk (`error`). Each item is a
 * batch, everything that one network read held. Ends after `response-complete` or `error`.
 */
export interface ModelAdapter {
  /** Who made it (`anthropic`, `deepseek`, …): what it signed is given back to the same vendor only. */
  readonly vendor?: string | undefined;
  /** Which way of writing tools it takes; `openai` where nothing is said. */
  readonly dialect?: ToolDialect | undefined;
  /** What it can do; absent: not known. */
  readonly capabilities?: ModelCapabilities | undefined;
  /** What it costs by what a person set or its vendor lists; absent: not known. */
  readonly price?: ModelPrice | undefined;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<Chunk[]>;
}

/** The ways of writing tools there are. */
export type ToolDialect = 'openai' | 'anthropic' | 'google';

/** What a model can do; what is not known is left at what most models can. */
export interface ModelCapabilities {
  tools: boolean;
  imagesIn: boolean;
  audioIn: boolean;
  /** Documents such as PDF. */
  filesIn: boolean;
  imagesOut: boolean;
  reasoning: boolean;
  /** Tokens that request and answer may have together. */
  contextTokens?: number | undefined;
  outputTokens?: number | undefined;
}

/** Whether a model that was found on this machine called a tool when it was told to. */
export type ToolCheck = 'passed' | 'failed' | 'unknown';

/** A model as the pickers show it. `id` is `provider/model`. */
export interface ModelInfo {
  id: string;
  name: string;
  /** The provider in `id`; `providerName` is for people. */
  provider: string;
  providerName: string;
  /** True for the built-in demo model: everything it says is scripted. */
  scripted: boolean;
  capabilities: ModelCapabilities;
  /** Present for models of local servers that were found. */
  toolCheck?: ToolCheck;
  /** Not offered where a model is chosen; it works where it is in use. */
  hidden?: true;
  /** What it costs by the list of its vendor; who says so, and when. */
  listPrice?: ModelPrice & { source: string; at: number };
}

/** A vendor of models: configured, known by a key in the environment, or found on this machine. */
export interface Provider {
  id: string;
  /** For people; it may change. */
  name: string;
  /** The provider in `provider/model`; it never changes. */
  slug: string;
  /** The name of a known vendor, or `openai-compatible`. */
  kind: string;
  /** The vendor's own address unless another one was given. */
  baseUrl: string;
  /** Empty: those that the vendor lists. */
  models: string[];
  /** The key itself is never read back. */
  hasKey: boolean;
  enabled: boolean;
  /** Models that are not offered where one is chosen. */
  hidden: string[];
  /** What models cost by what was set, by the ids the provider has for them. */
  prices: Record<string, ModelPrice>;
  /** How long answers of its models are waited for by what was set. */
  times: ModelTimes;
  createdAt: number;
  /** Its key is in the environment: it can be switched off, not changed. */
  fromEnvironment?: true;
  /** It answered on this machine: it can be switched off, not changed. */
  fromDiscovery?: true;
  /** Everybody on the host may use it. */
  shared?: boolean;
  /** An admin shares it: others may use it and nothing else. */
  readOnly?: true;
  /** Only an admin may use it as it is, and its owner is none any more: it is not used. */
  adminOnly?: true;
  /** Told by the change that removed them: they were stored for another address. */
  secretsDropped?: string[];
}

/** The groups that vendors are listed in, in this order. */
export const vendorGroups = [
  'popular',
  'local',
  'international',
  'europe',
  'china',
  'other',
] as const;
type VendorGroup = (typeof vendorGroups)[number];

/** A vendor that Cerise knows, for people who add a provider. */
export interface VendorInfo {
  /** What `Provider.kind` says. */
  kind: string;
  label: string;
  group: VendorGroup;
  /** Absent: it has to be given. */
  baseUrl?: string;
  /** Where keys are made. */
  keysUrl?: string;
  /** Runs on this machine and wants no key. */
  local: boolean;
}
