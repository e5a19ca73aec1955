import type { ModelMessage } from '#shared/vocabulary/model.ts';
import type { ToolDefinition } from '#shared/vocabulary/tool.ts';
import type { PastCall, Turn } from './context.ts';
import { kindOf } from './tools.ts';

/** The history as turns, the present one last. An empty history is one empty turn. */
export function readTurns(messages: ModelMessage[], tools: ToolDefinition[]): Turn[] {
  const turns: Turn[] = [];
  const open = new Map<string, PastCall>();
  let turn = newTurn('');
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') {
      // Of several texts in one message the last is what is asked now.
      turn = newTurn(message.parts.findLast((part) => part.type === 'text')?.text ?? '');
      turns.push(turn);
    } else if (message.role === 'assistant') {
      for (const part of message.parts) {
        if (part.type === 'text') turn.answer += part.text;
        if (part.type !== 'tool-call') continue;
        const { callId, toolName, arguments: input } = part;
        const call: PastCall = { toolName, arguments: input, kind: kindOf(toolName, tools) };
        turn.calls.push(call);
        open.set(callId, call);
      }
    } else if (message.role === 'tool') {
      if (messages[index - 1]?.role !== 'tool') turn.rounds += 1;
      for (const { callId, result } of message.results) {
        const call = open.get(callId);
        if (call) call.result = result;
      }
    }
  }
  return turns.length > 0 ? turns : [turn];
}

/** A turn of which nothing has happened yet. */
export function newTurn(question: string): Turn {
  return { question, calls: [], rounds: 0, answer: '' };
}
