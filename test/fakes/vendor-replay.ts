import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { cutOff } from './cut-off.ts';

/** One answer of a vendor: its bytes, and how they come over the line. */
export interface Playback {
  bytes: Buffer;
  /** Comes before the bytes, piece by piece and no faster than it is read. */
  pour?: () => Iterable<Buffer>;
  /** Instead of an event stream, and instead of success. */
  contentType?: string;
  status?: number;
  headers?: Record<string, string>;
  /** Places where one write ends and the next begins; absent: all in one. */
  splits?: readonly number[] | undefined;
  /** Nothing comes after this byte: the connection is reset, or ends as if all were said. */
  cut?: { at: number; how: 'reset' | 'end' };
}

/** A request as it came in. */
export interface ReplayedRequest {
  /** Without the part that tells endpoints apart. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** The address of one vendor, which answers with what it is told to play. */
export interface VendorEndpoint {
  baseUrl: string;
  /** Without those for a list of models, which has none. */
  requests: ReplayedRequest[];
  /** The answers to the next requests, in order; whoever asks for more is refused. */
  play(...playbacks: Playback[]): void;
}

/** Many vendors behind one port of loopback. */
export interface VendorReplay {
  /** `version` is the last part of its address, such as `v1`. */
  endpoint(version: string): VendorEndpoint;
  close(): Promise<void>;
}

interface Endpoint extends VendorEndpoint {
  left: Playback[];
}

/** Starts a server that plays recorded or written streams as vendors' endpoints. */
export async function startVendorReplay(): Promise<VendorReplay> {
  const endpoints: Endpoint[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const piece of request.setEncoding('utf8')) text += piece as string;
      const [, number = '', path = ''] = /^\/(\d+)(\/.*)$/.exec(request.url ?? '') ?? [];
      const endpoint = endpoints[Number(number)];
      if (!endpoint || request.method !== 'POST') return refuse(response, 404, 'No such page.');
      const body = JSON.parse(text) as Record<string, unknown>;
      endpoint.requests.push({ path, headers: request.headers, body });
      const playback = endpoint.left.shift();
      if (!playback) return refuse(response, 400, 'Nothing is left to play.');
      await play(response, playback);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint(version) {
      const baseUrl = `http://127.0.0.1:${port}/${endpoints.length}/${version}`;
      const endpoint: Endpoint = {
        baseUrl,
        requests: [],
        left: [],
        play: (...playbacks) => void (endpoint.left = playbacks),
      };
      endpoints.push(endpoint);
      return endpoint;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message } }));
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => void response.once('drain', resolve));
}

async function play(response: ServerResponse, playback: Playback): Promise<void> {
  const { bytes, splits, cut, pour, status = 200 } = playback;
  const { contentType = 'text/event-stream; charset=utf-8' } = playback;
  response.writeHead(status, { 'content-type': contentType, ...playback.headers });
  response.socket?.setNoDelay(true);
  const gone = once(response, 'close').catch(() => undefined);
  for (const piece of pour?.() ?? []) {
    if (response.destroyed) return;
    if (!response.write(piece)) await Promise.race([drained(response), gone]);
  }
  const end = Math.min(cut?.at ?? bytes.length, bytes.length);
  const places = [...(splits ?? []).filter((place) => place < end), end];
  let from = 0;
  for (const place of places) {
    if (response.destroyed) return;
    if (place > from && !response.write(bytes.subarray(from, place)))
      await Promise.race([drained(response), gone]);
    from = place;
    if (place < end) await setImmediate();
  }
  if (cut?.how === 'reset') await cutOff(response);
  else response.end();
}
