import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web server on loopback that counts its connections and keeps the requests; for tests. */
export interface TestWeb extends AsyncDisposable {
  port: number;
  /** `127.0.0.1:port`, as an allow entry writes it. */
  host: string;
  url: string;
  connections(): number;
  requests: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[];
}

/** Starts one; without a listener it is a canary that answers everything with its secret. */
export async function startWeb(
  listener: RequestListener = (_request, response) => void response.end('canary'),
): Promise<TestWeb> {
  const requests: TestWeb['requests'] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    requests.push({ method, url, headers });
    listener(request, response);
  });
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/`,
    connections: () => connections,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
