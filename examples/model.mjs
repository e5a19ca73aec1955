import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/** A stand-in for a model's API, so that the examples need no key: it calls the first tool, then repeats its result. */
export async function startModel() {
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { baseUrl: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}

async function answer(request, response) {
  const { messages, tools = [] } = await json(request);
  const last = messages.at(-1);
  const call = { name: tools[0]?.function.name, arguments: '{"name":"Ada"}' };
  const said =
    last.role === 'tool' || tools.length === 0
      ? { content: `The tool says: ${last.content}` }
      : { tool_calls: [{ index: 0, id: 'call_0', type: 'function', function: call }] };
  const finish_reason = said.content ? 'stop' : 'tool_calls';
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = { choices: [{ index: 0, delta: said, finish_reason }] };
  response.end(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`);
}
