import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import './end-with-parent.ts';
import { type Frames, frames } from './frames.ts';
import { calculator, paceRate, parseModelName, saidBefore, saidLast } from './load.ts';

// A provider that speaks OpenAI chat completions and Anthropic messages; the name of the model says
// what it answers.

interface Asked {
  model: string;
  messages: { role: string; content?: unknown }[];
  tools?: { name?: string; function?: { name: string } }[];
}

interface PacedAnswer {
  response: ServerResponse;
  frames: Frames;
  startedAt: number;
  sent: number;
  count: number;
}

const tick = 4;
const paced = new Set<PacedAnswer>();
const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Whoever asks which models there are learns nothing: the load names its own.
  if (request.method === 'GET') return void response.end('{"data":[]}');
  const asked = (await json(request)) as Asked;
  const wire = request.url?.includes('/messages') ? frames.anthropic : frames.openai;
  const { kind, count } = parseModelName(asked.model);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (kind === 'hose') response.end(wholeAnswer(wire, count));
  else if (kind === 'rounds') response.end(roundOf(asked, wire, count));
  else {
    response.write(wire.opening + wire.delta(0));
    paced.add({ response, frames: wire, startedAt: performance.now(), sent: 1, count });
  }
}

const whole = new Map<string, Buffer>();

/** Made once, so that the provider is never what is waited for. */
function wholeAnswer(wire: Frames, count: number): Buffer {
  const key = `${wire === frames.openai} ${count}`;
  const known = whole.get(key) ?? Buffer.from(wire.opening + deltas(wire, count) + wire.ending);
  whole.set(key, known);
  return known;
}

function deltas(wire: Frames, count: number): string {
  return Array.from({ length: count }, (_, index) => wire.delta(index)).join('');
}

/** A call as long as fewer results than rounds came back, then the end. */
function roundOf({ messages, tools = [] }: Asked, wire: Frames, rounds: number): string {
  const round = messages.reduce((sum, message) => sum + countResults(message), 0);
  if (round >= rounds) return wire.opening + deltas(wire, saidLast) + wire.ending;
  const names = tools.map(({ name, function: told }) => told?.name ?? name ?? '');
  if (!names.includes(calculator.name)) throw new Error(`${calculator.name} was not offered.`);
  return wire.opening + deltas(wire, saidBefore) + wire.calling(round, calculator.name);
}

function countResults({ role, content }: Asked['messages'][number]): number {
  if (role === 'tool') return 1;
  if (!Array.isArray(content)) return 0;
  return content.filter(({ type }: { type: string }) => type === 'tool_result').length;
}

/** Each delta but the first is an HTTP chunk of its own, sent when it is due. */
setInterval(() => {
  const now = performance.now();
  for (const one of paced) {
    const due = Math.min(one.count, 1 + Math.floor(((now - one.startedAt) * paceRate) / 1000));
    while (one.sent < due) one.response.write(one.frames.delta(one.sent++));
    if (one.sent < one.count) continue;
    one.response.end(one.frames.ending);
    paced.delete(one);
  }
}, tick);

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  console.log(`ready at http://127.0.0.1:${port}/v1`);
});
