import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import './end-with-parent.ts';

// One viewer for each topic: `viewers.process.ts TOKEN URL…`. Says when all are connected, and, whenever an
// answer has ended, how many have and how long their texts are together.

const [, , token = '', ...urls] = process.argv;
const responses = await Promise.all(urls.map(connect));
console.log('connected');
let ended = 0;
let total = 0;
await Promise.all(responses.map(watch));
process.exit();

async function connect(url: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
  const [response] = (await once(get(url, { headers, agent: false }), 'response')) as [
    IncomingMessage,
  ];
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`);
  return response;
}

interface StreamEvent {
  type: string;
  blockId?: string;
  block?: { type: string };
  length?: number;
  status?: string;
}

/** Reads one answer as a browser would. */
async function watch(response: IncomingMessage): Promise<void> {
  const texts = new Set<string>();
  let rest = '';
  response.setEncoding('utf8');
  for await (const piece of response as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue;
      const event = JSON.parse(line.slice(6)) as StreamEvent;
      const id = event.blockId ?? '';
      if (event.type === 'block-start' && event.block?.type === 'main_text') texts.add(id);
      if (event.type === 'block-end' && texts.has(id)) total += event.length ?? 0;
      if (event.type !== 'message-end') continue;
      if (event.status !== 'success') throw new Error(`An answer ended with ${line}`);
      ended += 1;
      return console.log(`ended ${ended} ${total}`);
    }
  }
  throw new Error('The stream of events ended before the answer.');
}
