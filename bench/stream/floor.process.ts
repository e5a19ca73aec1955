import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { start } from '../processes.ts';
import { modelName, readLoad, repeats, textLength, warmUp } from './load.ts';

// The least a host can do: read the provider's stream, parse each line, send each delta on.

const { pace, count } = readLoad();
await using provider = start(new URL('provider.process.ts', import.meta.url));
const baseUrl = (await provider.line(/ready at (\S+)/))[1] ?? '';

const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const port = typeof address === 'object' && address ? address.port : 0;
const asked = once(server, 'request') as Promise<[unknown, ServerResponse]>;
await using viewer = start(new URL('viewer.process.ts', import.meta.url), [
  `http://127.0.0.1:${port}/`,
]);
const [, viewed] = await asked;
viewed.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
await viewer.line(/^connected$/);

await stream(warmUp);
const before = process.cpuUsage();
const began = performance.now();
for (let turn = 0; turn < repeats(count); turn += 1) await stream(count);
const { user, system } = process.cpuUsage(before);
const deltas = count * repeats(count);
const wallMs = performance.now() - began;
console.log(JSON.stringify({ cpuPerDelta: (user + system) / deltas, wallMs }));
viewed.end();
server.close();

async function stream(deltas: number): Promise<void> {
  const ended = viewer.line(/^ended success (\d+)$/);
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: modelName(pace, deltas) }),
  });
  if (!response.body) throw new Error('The provider sent nothing.');
  await copy(response.body);
  const seen = Number((await ended)[1]);
  if (seen !== textLength(deltas)) throw new Error(`The viewer saw ${seen} characters.`);
}

async function copy(body: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  let offset = 0;
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: ') || line === 'data: [DONE]') continue;
      const text = parseDelta(line.slice(6));
      if (text === undefined) continue;
      send({ type: 'block-delta', blockId: 'b', offset, text });
      offset += text.length;
    }
  }
  send({ type: 'message-end', status: 'success' });
}

function parseDelta(data: string): string | undefined {
  const chunk = JSON.parse(data) as { choices: { delta: { content?: string } }[] };
  return chunk.choices[0]?.delta.content;
}

function send(event: object): void {
  viewed.write(`data: ${JSON.stringify(event)}\n\n`);
}
