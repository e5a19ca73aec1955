import {
  type CallToolResult,
  inputRequired,
  type InputRequiredResult,
  type InputRequests,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { readOnly, textResult } from '../toolkit/tool-result.ts';

/** Registers the tools that ask before they answer: the person with a form, or a model. */
export function registerQuestions(server: McpServer): void {
  server.registerTool(
    'ask_form',
    {
      title: 'Ask with a form',
      description: 'Asks the user to fill in a form and returns the answers.',
      annotations: readOnly,
    },
    (context) => ask(form, context),
  );
  server.registerTool(
    'ask_model',
    {
      title: 'Ask a model',
      description: 'Asks one of the host’s models, if the user agrees, and returns its answer.',
      inputSchema: z.object({
        question: z.string().min(1).max(2000).describe('The question for the model'),
      }),
      annotations: readOnly,
    },
    ({ question }, context) => ask(sampling(question), context),
  );
}

const form = inputRequired.elicit({
  message: 'How would you like your cherry cake?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Your name', minLength: 1, maxLength: 100 },
      size: {
        type: 'string',
        title: 'Size',
        oneOf: [
          { const: 'small', title: 'Small' },
          { const: 'large', title: 'Large' },
        ],
        default: 'small',
      },
      candles: { type: 'integer', title: 'Candles', minimum: 0, maximum: 100, default: 1 },
      cream: { type: 'boolean', title: 'With cream', default: true },
    },
    required: ['name'],
  },
});

function sampling(question: string): InputRequests[string] {
  const content = { type: 'text' as const, text: question };
  return inputRequired.createMessage({ messages: [{ role: 'user', content }], maxTokens: 500 });
}

/** Asks what is not answered yet, then tells the answer. */
function ask(
  request: InputRequests[string],
  { mcpReq }: ServerContext,
): CallToolResult | InputRequiredResult {
  const answer = inputResponse(mcpReq.inputResponses, 'answer');
  switch (answer.kind) {
    case 'elicit': {
      const { action, content } = answer;
      if (action !== 'accept') return textResult('The form wasn’t filled in.');
      const fields = Object.entries(content ?? {}).map(
        ([name, value]) => `${name}: ${String(value)}`,
      );
      return textResult(`The form was filled in. ${fields.join(', ')}.`);
    }
    case 'sampling': {
      const { model, content } = answer.result;
      const parts = [content].flat().map((part) => (part.type === 'text' ? part.text : ''));
      return textResult(`${model} answered: ${parts.join('')}`);
    }
    default:
      return inputRequired({ inputRequests: { answer: request } });
  }
}
