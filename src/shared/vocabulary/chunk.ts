import type { ErrorInfo } from '../errors/errors.ts';
import type { Citation } from './block.ts';
import type { JsonObject } from './json.ts';
import type { BlobRef, ToolResult } from './tool.ts';
import type { Usage } from './usage.ts';

/** Why a model stopped. */
export type FinishReason =
  | 'stop'
  | 'tool-calls'
  | 'length'
  | 'content-filter'
  /** The model declined, in words of its own. */
  | 'refusal'
  | 'other';

/**
 * What arrives from a model while an answer is made. `id` tells interleaved parts of one stream apart;
 * `callId` is the vendor's.
 */
export type Chunk =
  /** The request failed and is made again after `delay` milliseconds; comes before anything else. */
  | { type: 'retrying'; reason: RetryReason; attempt: number; of: number; delay: number }
  | { type: 'response-created' }
  | { type: 'text-start'; id: string }
  | { type: 'text-delta'; id: string; text: string }
  /** `signature` is what the vendor attached to the text and wants back. */
  | { type: 'text-complete'; id: string; signature?: string }
  | { type: 'thinking-start'; id: string }
  | { type: 'thinking-delta'; id: string; text: string }
  | { type: 'thinking-complete'; id: string; signature?: string }
  /** The model began to write a call; its arguments follow as deltas. */
  | { type: 'tool-created'; callId: string; toolName: string }
  | { type: 'tool-input-delta'; callId: string; text: string }
  /** The call is whole. `arguments` is null when the text is no JSON object (`rawArguments`). */
  | {
      type: 'tool-pending';
      callId: string;
      toolName: string;
      arguments: JsonObject | null;
      rawArguments: string;
      /** Why it cannot be made, whatever it says: it said more than it may. */
      problem?: ErrorInfo;
      /** What the vendor attached to the call and wants back. */
      signature?: string;
    }
  /** A tool that the vendor runs itself; `serverName` is its name of an MCP server that it asks. */
  | {
      type: 'vendor-tool-start';
      id: string;
      toolName: string;
      arguments?: JsonObject;
      serverName?: string;
    }
  /** It has ended. `arguments` where they are told only now; sources are no part of the result. */
  | {
      type: 'vendor-tool-complete';
      id: string;
      arguments?: JsonObject;
      result?: ToolResult;
      citations: Omit<Citation, 'number'>[];
    }
  | { type: 'image-created'; id: string }
  /** Media are base64, or `stored` and then without data. */
  | {
      type: 'image-complete';
      id: string;
      mimeType: string;
      data: string;
      stored?: BlobRef;
      signature?: string;
    }
  /** A file that the model made and that is no image: sound, video, a document. */
  | {
      type: 'file-complete';
      id: string;
      mimeType: string;
      data: string;
      stored?: BlobRef;
      name?: string;
    }
  | { type: 'response-complete'; finishReason: FinishReason; usage?: Usage }
  | { type: 'error'; error: ErrorInfo };

/** Why a model is asked again. */
export const retryReasons = [
  'rate_limited',
  'overloaded',
  'unreachable',
  'failed',
  'empty',
] as const;
export type RetryReason = (typeof retryReasons)[number];
