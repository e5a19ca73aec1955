import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { ModelRequest } from '#shared/vocabulary/model.ts';
import type { PlannedCall, ScriptPart } from './context.ts';

const deltasPerBatch = 3;
const deltasPerBatchUnpaced = 64;

/** Says or thinks `text` as it is streamed: word by word, Chinese a few characters at a time. */
export function spoken(text: string, type: 'thinking' | 'text' = 'text'): ScriptPart[] {
  const deltas = text.match(/\p{Script=Han}{1,3}|[^\s\p{Script=Han}]+\s*|\s+/gu) ?? [];
  return [{ type, deltas }];
}

/**
 * Streams a script as a model would: small batches `pace` milliseconds apart (0 is as fast as the reader
 * reads), balanced starts and ends, an end always.
 */
export async function* play(
  parts: ScriptPart[],
  request: ModelRequest,
  { pace, signal }: { pace: number; signal: AbortSignal },
): AsyncGenerator<Chunk[]> {
  const size = pace > 0 ? deltasPerBatch : deltasPerBatchUnpaced;
  let batch: Chunk[] = [];
  let deltas = 0;
  for (const chunk of chunksOf(parts, request)) {
    if (signal.aborted) break;
    batch.push(chunk);
    if (chunk.type.endsWith('-delta')) deltas += 1;
    if (deltas < size) continue;
    yield batch;
    batch = [];
    deltas = 0;
    if (pace > 0) await setTimeout(pace, undefined, { signal }).catch(() => undefined);
    else await setImmediate();
  }
  const error = { code: 'cancelled', message: 'The request was cancelled.' } as const;
  if (signal.aborted) yield [{ type: 'error', error }];
  else if (batch.length > 0) yield batch;
}

function* chunksOf(parts: ScriptPart[], request: ModelRequest): Generator<Chunk> {
  yield { type: 'response-created' };
  let outputTokens = 0;
  for (const [index, part] of parts.entries()) {
    if (part.type === 'error') return yield part;
    outputTokens += 'deltas' in part ? part.deltas.length : 1;
    // The length of the history tells the calls of this response from all before.
    yield* partChunks(part, `${part.type}_${request.messages.length}_${index}`);
  }
  const finishReason = parts.some(({ type }) => type === 'call') ? 'tool-calls' : 'stop';
  // The demo model's tokens are words.
  const inputTokens = JSON.stringify([request.system, request.messages]).split(' ').length;
  const usage = { inputTokens, outputTokens };
  yield { type: 'response-complete', finishReason, usage };
}

function* partChunks(part: Exclude<ScriptPart, { type: 'error' }>, id: string): Generator<Chunk> {
  if (part.type === 'call') return yield* callChunks(id, part);
  if (part.type === 'image') {
    yield { type: 'image-created', id };
    return yield { ...part, type: 'image-complete', id };
  }
  yield { type: `${part.type}-start`, id };
  for (const text of part.deltas) yield { type: `${part.type}-delta`, id, text };
  yield { type: `${part.type}-complete`, id };
}

function* callChunks(
  callId: string,
  { toolName, arguments: input }: PlannedCall,
): Generator<Chunk> {
  const rawArguments = JSON.stringify(input);
  yield { type: 'tool-created', callId, toolName };
  for (const text of rawArguments.match(/[^]{1,24}/g) ?? [])
    yield { type: 'tool-input-delta', callId, text };
  yield { type: 'tool-pending', callId, toolName, arguments: input, rawArguments };
}
