import { rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { type AddressInfo, Server as Listener } from 'node:net';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { createAdaptorServer } from '@hono/node-server';
import type { Host } from '#chat/host/host.ts';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { systemCode } from '#shared/errors/system-code.ts';
import { createTrust } from './api/reach.ts';
import { createApp } from './app.ts';
import { Connections } from './http/connections.ts';
import { writeStraightTo } from './http/event-stream.ts';
import { affordableConnections, openFileLimit } from './http/open-files.ts';
import { RequestsInFlight } from './http/requests-in-flight.ts';

export interface ListenOptions {
  home: string;
  hostname: string;
  port: number;
  /** Further names the server is reached by, for instance behind a proxy. */
  allowedHosts: string[];
  /** The https address people reach it by, if there is one. */
  publicUrl?: string | undefined;
  trustedProxies?: readonly string[];
  /** Lets the command line on this machine talk to the running server. */
  localToken: string;
  webRoot: string;
}

export interface RunningServer {
  url: string;
  /** Says that it is not ready, and asks for a connection of its own for each further request. */
  drain(): void;
  /**
   * Refuses connections, so that a proxy goes elsewhere; what comes over those that are open is answered.
   * Resolves when nothing comes any more and no request waits for its answer, or after `time` milliseconds;
   * then only streams are left.
   */
  stopListening(time: number): Promise<void>;
  /** Ends what is left; streams of events have ended with the host. */
  close(): Promise<void>;
  /** Resolves when all requests of this moment have their answer, or after `time` milliseconds. */
  settle(time: number): Promise<void>;
}

/** Where a running server says how the command line can reach it. */
export function serverFile(home: string): string {
  return join(home, 'server.json');
}

/** Serves the host on a port. Throws CeriseError `port_in_use`. */
export async function listen(host: Host, options: ListenOptions): Promise<RunningServer> {
  let draining = false;
  let hosts: ReadonlySet<string> = new Set();
  const app = createApp(host, {
    webRoot: options.webRoot,
    publicUrl: options.publicUrl,
    trustedProxies: options.trustedProxies,
    allowedHosts: () => hosts,
    isDraining: () => draining,
    connections: () => connections.size,
  });
  const requests = new RequestsInFlight();
  let closed: Promise<void> | undefined;
  const server = createAdaptorServer({
    fetch: (request, { incoming, outgoing }) =>
      requests.track(
        app
          .fetch(request, undefined, {
            address: incoming.socket.remoteAddress,
            signedIn: (owner) => connections.signedIn(incoming.socket, owner),
          })
          .then((response) => {
            writeStraightTo(outgoing, response);
            return response;
          }),
      ),
    serverOptions: { connectionsCheckingInterval: checkIntervalMs },
    createServer: ((settings: ServerOptions, listener: RequestListener) =>
      createServer(settings, (incoming, outgoing) => {
        // What a connection that was cut had sent ahead is still read to its end.
        if (!incoming.socket.destroyed) listener(incoming, outgoing);
      })) as typeof createServer,
  }) as Server;
  server.keepAliveTimeout = idleMs;
  const connections = watchConnections(server, host, options);
  const port = await bind(server, options);
  // A connection that could not be accepted, for want of a descriptor perhaps, ends nothing.
  server.on('error', (error) =>
    host.logger.warn(toErrorInfo(error), 'Could not accept a connection'),
  );
  hosts = ownHosts(options, port);
  const url = `http://${urlHost(options.hostname)}:${port}`;
  const file = serverFile(options.home);
  const info = JSON.stringify({ url, pid: process.pid, token: options.localToken });
  await writeFile(file, info, { mode: 0o600 });
  return {
    url,
    drain: () => {
      draining = true;
      server.prependListener('request', (_, response) => response.setHeader('connection', 'close'));
    },
    settle: (time) => requests.settle(time),
    stopListening: async (time) => {
      await noOneKnocks(server);
      closed = closeListener(server);
      const deadline = performance.now() + time;
      for (let seen = -1; seen < requests.seen && performance.now() < deadline;) {
        ({ seen } = requests);
        const isAlone = await Promise.race([closed.then(() => true), setTimeout(lastRequestsMs)]);
        if (isAlone) return;
        await requests.settle(Math.max(0, deadline - performance.now()));
      }
      // From here on the host ends: a proxy that tries again must be refused, not answered by half of it.
      server.closeIdleConnections();
    },
    close: async () => {
      await rm(file, { force: true });
      closed ??= closeListener(server);
      server.closeIdleConnections();
      await Promise.race([closed, setTimeout(lastBytes)]);
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Milliseconds for which a connection may be idle. Longer than proxies keep theirs (nginx: 60 s): the
 * side that closes first cuts off a request that the other is just sending.
 */
const idleMs = 75_000;
/** Milliseconds between two looks at whose headers are overdue. */
const checkIntervalMs = 2_000;
/** Milliseconds without a request after which a proxy that is refused here sends no more over connections it has. */
const lastRequestsMs = 500;
/** Milliseconds for what is on its way to a reader. */
const lastBytes = 500;

/** Keeps the connections within their limits, which leave descriptors for everything else. */
function watchConnections(
  server: Server,
  { limits, logger }: Pick<Host, 'limits' | 'logger'>,
  { trustedProxies = [] }: ListenOptions,
): Connections {
  const files = openFileLimit();
  const connections = affordableConnections(limits.connections, files);
  if (connections < limits.connections)
    logger.warn(
      { files, connections },
      'The open file limit allows fewer connections than configured',
    );
  return new Connections(server, {
    limits: { ...limits, connections },
    isTrusted: createTrust(trustedProxies),
    logger,
  });
}

/** Only the listener: `close` of HTTP also cuts idle connections, over which a request may be coming. */
function closeListener(server: Server): Promise<void> {
  return new Promise((resolve) => void Listener.prototype.close.call(server, () => resolve()));
}

/** Connections that are not accepted yet would be cut. Each round of the event loop accepts one. */
async function noOneKnocks(server: Server): Promise<void> {
  let knocked = true;
  const onConnection = (): void => void (knocked = true);
  server.on('connection', onConnection);
  for (let round = 0; knocked && round < 1000; round += 1) {
    knocked = false;
    await setImmediate();
    await setImmediate();
  }
  server.off('connection', onConnection);
}

async function bind(server: Server, { hostname, port }: ListenOptions): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, hostname, resolve);
  try {
    await promise;
  } catch (cause) {
    throw bindError(cause, hostname, port);
  }
  return (server.address() as AddressInfo).port;
}

function bindError(cause: unknown, hostname: string, port: number): CeriseError {
  const code = systemCode(cause);
  if (code === 'EADDRINUSE')
    return new CeriseError('port_in_use', say('port-in-use')`Port ${port} is already in use.`, {
      hint: say('port-in-use-hint')`Stop the other program, or set CERISE_PORT to another port.`,
      cause,
    });
  return new CeriseError(
    'bad_setting',
    say('listen-failed')`Can't listen on ${hostname}:${port} (${String(code)}).`,
    {
      hint: say('listen-failed-hint')`Check CERISE_HOST and CERISE_PORT.`,
      cause,
    },
  );
}

function ownHosts(options: ListenOptions, port: number): Set<string> {
  const { hostname, allowedHosts, publicUrl } = options;
  const outer = publicUrl === undefined ? [] : [new URL(publicUrl).host];
  const names = ['127.0.0.1', 'localhost', '[::1]', urlHost(hostname)];
  const own = names.map((name) => `${name}:${port}`.toLowerCase());
  return new Set([...own, ...(port === 80 ? names : []), ...allowedHosts, ...outer]);
}

function urlHost(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname;
}
