import { rm, writeFile } from 'node:fs/promises';
import { createAdaptorServer } from '@hono/node-server';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Host } from '#chat/host.ts';
import { CeriseError } from '#shared/errors.ts';
import type { Logger } from '#shared/ports.ts';
import { createApp } from './app.ts';

export interface ListenOptions {
  home: string;
  hostname: string;
  port: number;
  /** Further names the server is reached by, for instance behind a proxy. */
  allowedHosts: string[];
  /** The https address people reach it by, if there is one. */
  publicUrl?: string;
  /** Lets the command line on this machine talk to the running server. */
  localToken: string;
  webRoot: string;
  logger: Logger;
  onSignIn: () => void;
}

export interface RunningServer {
  url: string;
  /** Stops taking requests; streams end with the host. */
  close(): Promise<void>;
  drain(): void;
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
    logger: options.logger,
    webRoot: options.webRoot,
    onSignIn: options.onSignIn,
    allowedHosts: () => hosts,
    isDraining: () => draining,
  });
  const server = createAdaptorServer({ fetch: (request: Request) => app.fetch(request) }) as Server;
  const port = await bind(server, options);
  hosts = ownHosts(options, port);
  const url = `http://${urlHost(options.hostname)}:${port}`;
  const file = serverFile(options.home);
  const info = JSON.stringify({ url, pid: process.pid, token: options.localToken });
  await writeFile(file, info, { mode: 0o600 });
  return {
    url,
    drain: () => void (draining = true),
    close: async () => {
      await rm(file, { force: true });
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
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
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE')
    return new CeriseError('port_in_use', `Port ${port} is already in use.`, {
      hint: 'End the other program, or choose another port with CERISE_PORT.',
      cause,
    });
  return new CeriseError('bad_setting', `Cannot listen on ${hostname}:${port} (${String(code)}).`, {
    hint: 'Check CERISE_HOST and CERISE_PORT.',
    cause,
  });
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
