import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ModelMessage } from '#shared/vocabulary/model.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';

/** A call of the history with what came of it. */
export interface PastCall {
  toolName: string;
  arguments: JsonObject;
  result?: ToolResult;
}

/** One question of the user with everything that followed it. */
export interface Turn {
  question: string;
  calls: PastCall[];
  /** How many times tool results have come back so far. */
  rounds: number;
  answer: string;
}

/** The history as turns, the present one last. An empty history is one empty turn. */
export function readTurns(messages: ModelMessage[]): Turn[] {
  const turns: Turn[] = [];
  let open: { callId: string; call: PastCall }[] = [];
  let before: ModelMessage['role'] | undefined;
  for (const message of messages) {
    if (message.role === 'user') {
      const question = questionOf(message);
      turns.push({ question, calls: [], rounds: 0, answer: '' });
    }
    const turn = turns.at(-1);
    if (turn && message.role === 'assistant') {
      open = callsOf(message);
      turn.calls.push(...open.map(({ call }) => call));
      turn.answer += textOf(message);
    }
    if (turn && message.role === 'tool') {
      if (before !== 'tool') turn.rounds += 1;
      for (const { callId, result } of message.results) {
        const match = open.find((entry) => entry.callId === callId && !entry.call.result);
        if (match) match.call.result = result;
      }
    }
    before = message.role;
  }
  return turns.length > 0 ? turns : [{ question: '', calls: [], rounds: 0, answer: '' }];
}

type SpokenMessage = Exclude<ModelMessage, { role: 'tool' }>;

function textOf({ parts }: SpokenMessage): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Of several texts in one message the last is what is asked now. */
function questionOf({ parts }: SpokenMessage): string {
  return parts.findLast((part) => part.type === 'text')?.text ?? '';
}

function callsOf({ parts }: SpokenMessage): { callId: string; call: PastCall }[] {
  return parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ callId: part.callId, call: { toolName: part.toolName, arguments: part.arguments } }]
      : [],
  );
}
