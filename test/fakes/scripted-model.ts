import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ModelAdapter, ModelRequest } from '#shared/vocabulary/model.ts';

/** What the model does in one round: chunks at once, or anything a test wants to time itself. */
export type Round =
  | Chunk[]
  | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<Chunk[]>);

/** A model whose rounds a test writes down; it keeps every request it got. */
export class ScriptedModel implements ModelAdapter {
  readonly requests: ModelRequest[] = [];
  readonly rounds: Round[];

  constructor(...rounds: Round[]) {
    this.rounds = rounds;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<Chunk[]> {
    if (request.purpose === 'title') {
      yield says('A title');
      return;
    }
    this.requests.push(request);
    const round = this.rounds[this.requests.length - 1] ?? says('Nothing more to say.');
    if (Array.isArray(round)) yield round;
    else yield* round(request, signal);
  }
}

/** A whole answer of text. */
export function says(text: string): Chunk[] {
  return [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', text },
    { type: 'text-complete', id: 't' },
    { type: 'response-complete', finishReason: 'stop', usage: { inputTokens: 5, outputTokens: 7 } },
  ];
}

/** A round that asks for calls, in this order. */
export function calls(...wanted: [toolName: string, args: JsonObject, callId?: string][]): Chunk[] {
  return [
    ...wanted.flatMap(([toolName, args, callId], index): Chunk[] => {
      const id = callId ?? `call_${index}`;
      const rawArguments = JSON.stringify(args);
      return [
        { type: 'tool-created', callId: id, toolName },
        { type: 'tool-input-delta', callId: id, text: rawArguments },
        { type: 'tool-pending', callId: id, toolName, arguments: args, rawArguments },
      ];
    }),
    { type: 'response-complete', finishReason: 'tool-calls', usage: { inputTokens: 5 } },
  ];
}
