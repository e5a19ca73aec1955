import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { ModelRequest } from '#shared/vocabulary/model.ts';
import type { PlannedCall, ScriptPart } from './context.ts';
import { toDeltas } from './say.ts';

const deltasPerBatch = 3;
const deltasPerBatchUnpaced = 64;

/** A part of a script that says or thinks `text`. */
export function spoken(text: string, type: 'thinking' | 'text' = 'text'): ScriptPart[] {
  return [{ type, deltas: toDeltas(text) }];
}

/**
 * Streams a script as a model would: small batches `pace` milliseconds apart (0 is as fast as the reader
 * reads), balanced starts and ends, an end always. The round tells the ids of its calls from others.
 */
export async function* play(
  parts: ScriptPart[],
  request: ModelRequest,
  { pace, round, signal }: { pace: number; round: number; signal: AbortSignal },
): AsyncGenerator<Chunk[]> {
  const size = pace > 0 ? deltasPerBatch : deltasPerBatchUnpaced;
  let batch: Chunk[] = [];
  let deltas = 0;
  for (const chunk of chunksOf(parts, request, round)) {
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

function* chunksOf(parts: ScriptPart[], request: ModelRequest, round: number): Generator<Chunk> {
  yield { type: 'response-created' };
  let outputTokens = 0;
  for (const [index, part] of parts.entries()) {
    if (part.type === 'error') return yield part;
    const id = part.type === 'call' ? `call_${round}_${index}` : `${part.type}-${index}`;
    outputTokens += part.type === 'call' ? 1 : part.deltas.length;
    if (part.type === 'call') yield* callChunks(id, part);
    else {
      yield { type: `${part.type}-start`, id };
      for (const text of part.deltas) yield { type: `${part.type}-delta`, id, text };
      yield { type: `${part.type}-complete`, id };
    }
  }
  const finishReason = parts.some(({ type }) => type === 'call') ? 'tool-calls' : 'stop';
  const usage = { inputTokens: wordsIn(request), outputTokens };
  yield { type: 'response-complete', finishReason, usage };
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

/** The demo model's tokens are words. */
function wordsIn({ system, messages }: ModelRequest): number {
  const texts = messages.flatMap((message) => {
    const isTool = message.role === 'tool';
    const parts = isTool ? message.results.flatMap(({ result }) => result.content) : message.parts;
    return parts.map((part) => (part.type === 'text' ? part.text : ''));
  });
  return [system, ...texts].reduce((count, text) => count + (text.match(/\S+/g)?.length ?? 0), 0);
}
