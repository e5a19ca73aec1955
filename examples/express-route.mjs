// An agent in a route of an Express app: POST a question, get the answer. Needs `npm install express`.
import { once } from 'node:events';
import express from 'express';
import { fromWire, McpService, openAiChat, runAgent } from 'cerise';
import { loadMcpTools } from 'cerise/mcp';
import { createGreeter } from './greeter.mjs';
import { startModel } from './model.mjs';

const { baseUrl, stop } = await startModel();
const model = fromWire(openAiChat, { model: 'small', baseUrl });
const service = new McpService({ builtin: async () => createGreeter() });
await service.addServers({ name: 'greeter', type: 'inMemory', builtin: 'greeter' });

async function answer(request, response) {
  const leaving = new AbortController();
  response.on('close', () => leaving.abort());
  const tools = await loadMcpTools(service, ['greeter']);
  const messages = String(request.body.question);
  const { signal } = leaving;
  const { status, text } = await runAgent({ model, tools, messages, signal });
  response.status(status === 'success' ? 200 : 502).json({ text });
}

const app = express();
// Express 5 takes care of handlers that reject.
// oxlint-disable-next-line oxc/no-async-endpoint-handlers
app.post('/ask', express.json(), answer);

const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const response = await fetch(`http://127.0.0.1:${server.address().port}/ask`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ question: 'Greet Ada.' }),
});
console.log(response.status, (await response.json()).text);
server.close();
await service.close();
stop();
