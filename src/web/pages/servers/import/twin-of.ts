import type { ServerView } from '#shared/api/api.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import { packageOf } from '../launch/package-of.ts';

/** A server that runs the same package, in whatever version, or is at the same address. */
export function twinOf(config: unknown, servers: readonly ServerView[]): ServerView | undefined {
  const own = sourceOf(config);
  if (own === undefined) return undefined;
  return servers.find((server) => !server.builtin && sourceOf(server.config) === own);
}

function sourceOf(given: unknown): string | undefined {
  const config = (given ?? {}) as Partial<ServerConfig>;
  if (config.type === 'streamableHttp' || config.type === 'sse') return config.baseUrl;
  if (config.type !== 'stdio' || config.command === undefined) return undefined;
  const run = packageOf({ command: config.command, args: config.args ?? [] });
  return run?.name.replace(/(?<=.)(?:@|==).*$/, '');
}
