import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const lastChunk = /(?:^|\r\n)0\r\n\r\n$/;
const streamHead = /^content-type: text\/event-stream/im;

/**
 * Stands between a browser and the program and counts what HTTP/1.1 costs: a connection that carries an
 * event stream is taken by it until one side ends it.
 */
export class CountingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #streams = new Set<Socket>();
  #target = 0;
  /** The most streams that were open at the same time. */
  mostStreams = 0;

  private constructor() {
    this.#server = createServer((socket) => this.#accept(socket));
  }

  static async start(): Promise<CountingProxy> {
    const proxy = new CountingProxy();
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  /** How many event streams are open now. */
  get streams(): number {
    return this.#streams.size;
  }

  /** Where the program is. */
  pointTo(url: string): void {
    this.#target = Number(new URL(url).port);
  }

  /** Breaks every connection, as a network that fails does. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: Socket): void {
    const upstream = connect(this.#target, '127.0.0.1');
    this.#sockets.add(socket);
    const end = () => {
      this.#sockets.delete(socket);
      this.#streams.delete(socket);
      socket.destroy();
      upstream.destroy();
    };
    upstream.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      if (streamHead.test(text)) this.#streams.add(socket);
      this.mostStreams = Math.max(this.mostStreams, this.#streams.size);
      // The last, empty chunk: the connection is free for other requests.
      if (lastChunk.test(text)) this.#streams.delete(socket);
    });
    for (const side of [socket, upstream]) side.on('error', end).on('close', end);
    socket.pipe(upstream).pipe(socket);
  }
}
