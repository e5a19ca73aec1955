import type {
  ChatCompletionMessageParam,
  ChatCompletionFunctionTool,
} from 'openai/resources/chat/completions';
import { question } from './contestant.ts';
import { calculate, calculator } from './load.ts';

/** What one answer of chat completions came to. */
export interface ChatAnswer {
  text: string;
  call?: { id: string; arguments: string } | undefined;
}

/** The calculator as chat completions are told of it. */
export const chatTools: ChatCompletionFunctionTool[] = [
  {
    type: 'function',
    function: {
      name: calculator.name,
      description: calculator.description,
      parameters: calculator.inputSchema,
    },
  },
];

/** The loop that somebody writes who has only an endpoint: ask, run the tool, ask again with it all. */
export async function loopChat(
  ask: (messages: ChatCompletionMessageParam[]) => Promise<ChatAnswer>,
): Promise<number> {
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: question }];
  for (let length = 0; ;) {
    const { text, call } = await ask(messages);
    length += text.length;
    if (!call) return length;
    const { id, arguments: args } = call;
    const called = { name: calculator.name, arguments: args };
    messages.push(
      {
        role: 'assistant',
        content: text,
        tool_calls: [{ id, type: 'function', function: called }],
      },
      { role: 'tool', tool_call_id: id, content: calculate(JSON.parse(args)) },
    );
  }
}

/** Takes a call together from its pieces. */
export function addCall(
  call: ChatAnswer['call'],
  { id = '', function: { arguments: text = '' } = {} }: CallPiece,
): ChatAnswer['call'] {
  if (!call) return { id, arguments: text };
  call.arguments += text;
  return call;
}

/** A piece of a call, as a chunk of chat completions has it. */
export interface CallPiece {
  id?: string;
  function?: { arguments?: string };
}
