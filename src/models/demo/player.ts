import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { ModelRequest } from '#shared/vocabulary/model.ts';
import type { ScriptPart } from './context.ts';

const deltasPerBatch = 3;
const deltasPerBatchUnpaced = 64;

/** How a script is streamed. */
export interface PlayOptions {
  /** Milliseconds between batches; 0 is as fast as the reader reads. */
  pace: number;
  /** Told apart from other rounds of the turn in the ids of its calls. */
  round: number;
  signal: AbortSignal;
}

/** Streams a script as a model would: small batches, balanced starts and ends, an end always. */
export async function* play(
  parts: ScriptPart[],
  request: ModelRequest,
  { pace, round, signal }: PlayOptions,
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
    await pause(pace, signal);
  }
  if (signal.aborted) {
    yield [{ type: 'error', error: { code: 'cancelled', message: 'The request was cancelled.' } }];
  } else if (batch.length > 0) yield batch;
}

async function pause(pace: number, signal: AbortSignal): Promise<void> {
  if (pace > 0) await setTimeout(pace, undefined, { signal }).catch(() => undefined);
  else await setImmediate();
}

function* chunksOf(parts: ScriptPart[], request: ModelRequest, round: number): Generator<Chunk> {
  yield { type: 'response-created' };
  let calls = 0;
  let outputTokens = 0;
  for (const [index, part] of parts.entries()) {
    if (part.type === 'error') {
      yield { type: 'error', error: part.error };
      return;
    }
    if (part.type === 'call') {
      yield* callChunks(`call_${round}_${calls}`, part);
      calls += 1;
      outputTokens += 1;
      continue;
    }
    const id = `${part.type}-${index}`;
    outputTokens += part.deltas.length;
    yield { type: `${part.type}-start`, id };
    for (const text of part.deltas) yield { type: `${part.type}-delta`, id, text };
    yield { type: `${part.type}-complete`, id };
  }
  yield {
    type: 'response-complete',
    finishReason: calls > 0 ? 'tool-calls' : 'stop',
    usage: { inputTokens: wordsIn(request), outputTokens },
  };
}

function* callChunks(
  callId: string,
  call: Extract<ScriptPart, { type: 'call' }>,
): Generator<Chunk> {
  const { toolName } = call;
  const rawArguments = JSON.stringify(call.arguments);
  yield { type: 'tool-created', callId, toolName };
  for (const text of rawArguments.match(/[^]{1,24}/g) ?? []) {
    yield { type: 'tool-input-delta', callId, text };
  }
  yield { type: 'tool-pending', callId, toolName, arguments: call.arguments, rawArguments };
}

/** The demo model's tokens are words. */
function wordsIn({ system, messages }: ModelRequest): number {
  let words = countWords(system);
  for (const message of messages) {
    const parts =
      message.role === 'tool'
        ? message.results.flatMap(({ result }) => result.content)
        : message.parts;
    for (const part of parts) if (part.type === 'text') words += countWords(part.text);
  }
  return words;
}

function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}
