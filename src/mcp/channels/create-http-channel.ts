import type { Limits } from '#shared/vocabulary/limits.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import type { Authorizer } from '../auth/authorizer.ts';
import { allowHostOf, createHttp } from '../http/http-client.ts';
import type { LogRing } from '../process/log-ring.ts';
import type { Channel } from '../protocol/channel.ts';
import { createSseChannel } from './sse-channel.ts';
import { createStreamableHttpChannel } from './streamable-http-channel.ts';

/** A config that names an address. */
export type HttpConfig = Extract<ServerConfig, { baseUrl: string }>;

/** The channel to a remote server. The address an admin gave is reached wherever it leads, others not. */
export function createHttpChannel(
  config: HttpConfig,
  parts: {
    authorizer?: Authorizer | undefined;
    log: LogRing;
    limits: Limits;
    publicOnly?: boolean | undefined;
  },
): Channel {
  const { authorizer, log, limits, publicOnly } = parts;
  const { connectTime } = limits;
  const url = new URL(config.baseUrl);
  const create = config.type === 'sse' ? createSseChannel : createStreamableHttpChannel;
  return create({
    url,
    headers: config.headers ?? {},
    authorizer,
    http: createHttp({ connectTime, ...(!publicOnly && { allow: allowHostOf(url) }) }),
    log,
    limits,
  });
}
