import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { deltaText, parseModelName } from './load.ts';

// A provider in the shape of OpenAI chat completions; the model's name says what it streams.

const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Whoever asks which models there are learns nothing: the load names its own.
  if (request.method === 'GET') return void response.end('{"data":[]}');
  const { model } = (await json(request)) as { model: string };
  const { pace, count } = parseModelName(model);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (pace === 'hose') response.end(wholeStream(count));
  else await sendOneByOne(response, count);
}

function wholeStream(count: number): Buffer {
  const frames = Array.from({ length: count }, (_, index) => deltaFrame(index));
  return Buffer.from([...frames, endFrames].join(''));
}

async function sendOneByOne(response: ServerResponse, count: number): Promise<void> {
  for (let index = 0; index < count && !response.destroyed; index += 1) {
    if (!response.write(deltaFrame(index))) await once(response, 'drain');
    await setImmediate();
  }
  response.end(endFrames);
}

function deltaFrame(index: number): string {
  return frame({
    choices: [{ index: 0, delta: { content: deltaText(index) }, finish_reason: null }],
  });
}

function frame(body: object): string {
  const common = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'bench' };
  return `data: ${JSON.stringify({ ...common, ...body })}\n\n`;
}

const endFrames = `${frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}data: [DONE]\n\n`;

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  console.log(`ready at http://127.0.0.1:${port}/v1`);
});
