import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * What the shipped nginx does, where there is none: instances in turn, the next one where a connection is
 * refused or where a kept one breaks under a GET, streams both ways as they come, and no POST sent twice.
 */
export async function startOwnProxy(ports: number[]): Promise<string> {
  const agent = new Agent({ keepAlive: true });
  let next = 0;
  const server = createServer((incoming, response) => {
    const first = next++;
    const order = ports.map((_, n) => ports[(first + n) % ports.length] ?? 0);
    forward(agent, order, incoming, response);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close().closeAllConnections();
    agent.destroy();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function forward(
  agent: Agent,
  [port, ...others]: number[],
  incoming: IncomingMessage,
  response: ServerResponse,
): void {
  const { method = 'GET', url: path = '/', headers } = incoming;
  const onward = request({ agent, host: '127.0.0.1', port, method, path, headers });
  onward.once('error', (error: NodeJS.ErrnoException) => {
    const isStale = onward.reusedSocket && method === 'GET' && !response.headersSent;
    if ((error.code === 'ECONNREFUSED' || isStale) && others.length > 0)
      return forward(agent, others, incoming, response);
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  // The body goes out only over a connection that is there: nothing is lost where it is refused.
  onward.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', () => incoming.pipe(onward));
    else incoming.pipe(onward);
  });
  onward.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.flushHeaders();
    answer.pipe(response);
    answer.once('error', () => response.destroy());
    response.once('close', () => onward.destroy());
  });
}
