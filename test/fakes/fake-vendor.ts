import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request for a list, as it came in. */
export interface ListRequest {
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** What a fake vendor answers; undefined is 404. */
export interface ListAnswer {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** A vendor on loopback whose lists are told by a function. */
export interface FakeVendor {
  /** `http://127.0.0.1:PORT`, without a path. */
  origin: string;
  requests: ListRequest[];
  close(): Promise<void>;
}

/** Starts one. A body that is a string is sent as it is; `hang` never answers. */
export async function startFakeVendor(
  answer: (request: ListRequest) => ListAnswer | 'hang' | undefined,
): Promise<FakeVendor> {
  const requests: ListRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const piece of request.setEncoding('utf8')) text += piece as string;
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      const seen = { path: request.url ?? '', headers: request.headers, body };
      requests.push(seen);
      const said = answer(seen) ?? { status: 404, body: { error: { message: 'not found' } } };
      if (said === 'hang') return;
      response.writeHead(said.status ?? 200, {
        'content-type': 'application/json',
        ...said.headers,
      });
      response.end(typeof said.body === 'string' ? said.body : JSON.stringify(said.body));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
