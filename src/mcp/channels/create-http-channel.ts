import type { ServerConfig } from '#shared/server.ts';
import type { Authorizer } from '../auth/authorizer.ts';
import type { LogRing } from '../log-ring.ts';
import type { Channel } from '../protocol/channel.ts';
import { allowHostOf, createHttp } from './http-client.ts';
import { createSseChannel } from './sse-channel.ts';
import { createStreamableHttpChannel } from './streamable-http-channel.ts';

/** A config that names an address. */
export type HttpConfig = Extract<ServerConfig, { baseUrl: string }>;

/** The channel to a remote server. The address an admin gave is reached wherever it leads, others not. */
export function createHttpChannel(
  config: HttpConfig,
  authorizer: Authorizer | undefined,
  log: LogRing,
  publicOnly = false,
): Channel {
  const url = new URL(config.baseUrl);
  const create = config.type === 'sse' ? createSseChannel : createStreamableHttpChannel;
  return create({
    url,
    headers: config.headers ?? {},
    authorizer,
    http: createHttp(publicOnly ? {} : { allow: allowHostOf(url) }),
    log,
  });
}
