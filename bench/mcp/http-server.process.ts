import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createAnswers } from './answers.ts';
import { readLoad } from './load.ts';

// The echo server over Streamable HTTP: every answer is JSON, in a session where the era has them.

const load = readLoad(process.argv.slice(2));
const answer = createAnswers(load);
const modern = load.kind === 'calls' && load.era === 'modern';
const session: Record<string, string> = modern ? {} : { 'mcp-session-id': 'echo-session' };

const server = createServer((request, response) => {
  if (request.method === 'POST') return readBody(request, response);
  response.writeHead(405).end();
});
server.keepAliveTimeout = 60_000;

function readBody(request: IncomingMessage, response: ServerResponse): void {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    const message = JSON.parse(body) as { id?: number; method: string };
    // The tools mirror one parameter: whoever leaves it out has not done the whole work.
    const mirrors = request.headers['mcp-param-text'] !== undefined;
    if (modern && message.method === 'tools/call' && !mirrors) return response.writeHead(400).end();
    const text = answer(message);
    if (text === undefined) return response.writeHead(202, session).end();
    const length = Buffer.byteLength(text);
    const headers = { 'content-type': 'application/json', 'content-length': length, ...session };
    response.writeHead(200, headers).end(text);
  });
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  console.log(`ready at http://127.0.0.1:${port}/mcp`);
});
