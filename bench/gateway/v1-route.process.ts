import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import '../models/end-with-parent.ts';
import { askChat, directly } from './ask-chat.ts';

// Chat completions by somebody else: `v1-route.process.ts CONTESTANT PROVIDER`. It keeps nothing.

type Answer = (model: string, onText: (text: string) => void) => Promise<void>;

const [, , name = '', baseUrl = ''] = process.argv;

/** Only the one that is measured is loaded. */
const contestants: Record<string, () => Promise<Answer>> = {
  bare: async () => (model, onText) => askChat(directly(baseUrl), model, onText),
  fullStream: async () => {
    const { streamAnswer } = await import('../models/ai-sdk.ts');
    return async (model, onText) => {
      const { fullStream } = streamAnswer({ wire: 'openai', baseUrl }, model, false);
      for await (const part of fullStream) if (part.type === 'text-delta') onText(part.text);
    };
  },
};

const answer = await contestants[name]?.();
if (!answer) throw new Error(`There is no ${name}.`);
const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_770_933_892 };

const server = createServer((request, response) => void respond(answer, request, response));

async function respond(
  answer: Answer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { model } = (await json(request)) as { model: string };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const write = (delta: object, finish_reason: string | null) => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason }];
    response.write(`data: ${JSON.stringify({ ...head, model, choices })}\n\n`);
  };
  await answer(model, (content) => write({ content }, null));
  write({}, 'stop');
  response.end('data: [DONE]\n\n');
}

server.listen(0, '127.0.0.1', () => {
  console.log(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
});
