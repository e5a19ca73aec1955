import { isJsonObject, parseJson } from '#shared/vocabulary/json.ts';
import type { ModelMessage } from '#shared/vocabulary/model.ts';
import type { ToolDefinition, ToolResult } from '#shared/vocabulary/tool.ts';
import type { Context, PastCall, PlannedCall, Turn } from './context.ts';
import { stringOf, textOf } from './results.ts';
import { kindOf } from './tools.ts';

/** The tools by which a host offers all others where these are too many for a request. */
export const many = { search: 'search_tools', call: 'call_tool' } as const;

/**
 * The history as turns, the present one last, and the tools that are known of. A call through `call_tool`
 * is one of the tool that it names; searches of the demo model are no rounds.
 */
export function readHistory(
  messages: ModelMessage[],
  given: ToolDefinition[],
): Pick<Context, 'turns' | 'turn' | 'tools' | 'offered'> {
  const offered = new Set(given.map(({ name }) => name));
  const tools = new Map(given.map((tool) => [tool.name, tool]));
  for (const name of Object.values(many)) tools.delete(name);
  const turns: Turn[] = [];
  const open = new Map<string, PastCall>();
  let turn = newTurn('');
  for (const message of messages) {
    if (message.role === 'tool') {
      for (const { callId, result } of message.results) {
        const call = open.get(callId);
        if (call) call.result = result;
        for (const tool of call?.toolName === many.search ? toolsIn(result) : [])
          tools.set(tool.name, tools.get(tool.name) ?? tool);
      }
    } else if (message.role === 'user') {
      // Of several texts in one message the last is what is asked now.
      turn = newTurn(message.parts.findLast((part) => part.type === 'text')?.text ?? '');
      turns.push(turn);
    } else {
      const round: PastCall[] = [];
      for (const part of message.parts) {
        if (part.type === 'text') turn.answer += part.text;
        if (part.type !== 'tool-call') continue;
        const call: PastCall = unwrap(part);
        open.set(part.callId, call);
        if (isSearch(call, turn)) turn.searches.push(stringOf(call.arguments['query']));
        else round.push(call);
      }
      if (round.length > 0) turn.rounds.push(round);
    }
  }
  for (const call of turns.flatMap(({ rounds }) => rounds.flat()))
    call.kind = kindOf(tools.get(call.toolName) ?? { name: call.toolName, description: '' });
  return { turns, turn, tools: [...tools.values()], offered };
}

function newTurn(question: string): Turn {
  return { question, rounds: [], searches: [], answer: '' };
}

function unwrap({ toolName, arguments: input }: PlannedCall): PlannedCall {
  const { name, arguments: inner } = input;
  if (toolName !== many.call || typeof name !== 'string') return { toolName, arguments: input };
  return { toolName: name, arguments: isJsonObject(inner) ? inner : {} };
}

/** A search that was not asked for by its name. */
function isSearch({ toolName }: PlannedCall, { question }: Turn): boolean {
  return toolName === many.search && !question.includes(many.search);
}

/** The definitions that a search found, one a line. */
function toolsIn(result: ToolResult): ToolDefinition[] {
  return textOf(result)
    .split('\n')
    .flatMap((line) => {
      const tool = line.startsWith('{') ? parseJson(line) : undefined;
      if (!isJsonObject(tool) || !isJsonObject(tool['inputSchema'])) return [];
      const { name, description, inputSchema } = tool;
      return [{ name: stringOf(name), description: stringOf(description), inputSchema }];
    });
}
