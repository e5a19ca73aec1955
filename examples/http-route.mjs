// An agent behind a route of your own server: POST a question, get the answer.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createHost } from 'cerise';
import { getMainText } from 'cerise/shared';
import { ask } from './ask.mjs';

const home = await mkdtemp(join(tmpdir(), 'cerise-example-'));
const clock = {
  name: 'clock',
  description: 'Tells the time',
  parameters: { type: 'object', properties: {} },
  execute: async () => ({ content: [{ type: 'text', text: new Date().toISOString() }] }),
};
const host = await createHost({ home, demoPace: 0, tools: [clock] });

async function reply(request, response) {
  const topic = await host.topics.create('local', {});
  const answer = await ask(host, topic.id, await text(request));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ status: answer.status, text: getMainText(answer) }));
}

const server = createServer((request, response) => void reply(request, response));
await once(server.listen(0, '127.0.0.1'), 'listening');
const response = await fetch(`http://127.0.0.1:${server.address().port}`, {
  method: 'POST',
  body: 'Hello!',
});
console.log(response.status, (await response.json()).status);
server.close();
await host.close();
await rm(home, { recursive: true });
