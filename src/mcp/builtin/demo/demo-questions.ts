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
      inputSchema: z.object({
        language: z.enum(['en', 'zh']).default('en').describe('Language of the form'),
      }),
      annotations: readOnly,
    },
    ({ language }, context) => ask(form(texts[language]), texts[language], context),
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
    ({ question }, context) => ask(sampling(question), texts.en, context),
  );
}

interface FormTexts {
  message: string;
  name: string;
  size: string;
  small: string;
  large: string;
  candles: string;
  cream: string;
  filledIn: string;
  notFilledIn: string;
}

/** What the form says: nothing translates the words of a server. */
const texts: Record<'en' | 'zh', FormTexts> = {
  en: {
    message: 'How would you like your cherry cake?',
    name: 'Your name',
    size: 'Size',
    small: 'Small',
    large: 'Large',
    candles: 'Candles',
    cream: 'With cream',
    filledIn: 'The form was filled in.',
    notFilledIn: 'The form wasn’t filled in.',
  },
  zh: {
    message: '想要什么样的樱桃蛋糕？',
    name: '你的名字',
    size: '大小',
    small: '小',
    large: '大',
    candles: '蜡烛数量',
    cream: '加奶油',
    filledIn: '表单已填写。',
    notFilledIn: '表单没有填写。',
  },
};

function form({ message, name, size, small, large, candles, cream }: FormTexts) {
  return inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', title: name, minLength: 1, maxLength: 100 },
        size: {
          type: 'string',
          title: size,
          oneOf: [
            { const: 'small', title: small },
            { const: 'large', title: large },
          ],
          default: 'small',
        },
        candles: { type: 'integer', title: candles, minimum: 0, maximum: 100, default: 1 },
        cream: { type: 'boolean', title: cream, default: true },
      },
      required: ['name'],
    },
  });
}

function sampling(question: string): InputRequests[string] {
  const content = { type: 'text' as const, text: question };
  return inputRequired.createMessage({ messages: [{ role: 'user', content }], maxTokens: 500 });
}

/** Asks what is not answered yet, then tells the answer. */
function ask(
  request: InputRequests[string],
  { filledIn, notFilledIn }: FormTexts,
  { mcpReq }: ServerContext,
): CallToolResult | InputRequiredResult {
  const answer = inputResponse(mcpReq.inputResponses, 'answer');
  switch (answer.kind) {
    case 'elicit': {
      const { action, content } = answer;
      if (action !== 'accept') return textResult(notFilledIn);
      const fields = Object.entries(content ?? {}).map(
        ([name, value]) => `${name}: ${String(value)}`,
      );
      return textResult(`${filledIn} ${fields.join(', ')}.`);
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
