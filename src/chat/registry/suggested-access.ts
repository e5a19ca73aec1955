import { isAbsolute } from 'node:path';
import { packageRun, parseSpec } from '#mcp/install/package-run.ts';
import { pickedRegistry } from '#shared/messages/builtin-tool.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import { withProposedAccess } from '../servers/proposed-access.ts';
import { networkOf, pickedServers } from './picked-servers.ts';

/**
 * A command that somebody brings, with the access that its package has as a suggestion of Cerise. It stays as it is
 * where it names a place that its server could not reach then.
 */
export function withSuggestedAccess(config: ServerConfig): ServerConfig {
  if (config.type !== 'stdio' || config.cwd !== undefined) return config;
  const network = networkOfSuggestion(config);
  if (network === undefined) return config;
  const words = [...(packageRun(config)?.args ?? []), ...Object.values(config.env)];
  const paths = words.filter((word) => /[/\\~]/.test(word));
  const limited = (values: string[]) => withProposedAccess(config, { values, network });
  const canReach = (path: string) => {
    const { access } = limited([path]) as typeof config;
    return isAbsolute(path) && typeof access?.files === 'object';
  };
  return paths.every(canReach) ? limited(paths) : config;
}

/** Undefined where the package is none of the suggestions, or one that needs everything. */
function networkOfSuggestion(config: Extract<ServerConfig, { type: 'stdio' }>) {
  const { packages = [], program } = packageRun(config) ?? {};
  if (packages.length !== 1 || program !== undefined) return undefined;
  const { name } = parseSpec(packages[0] ?? '');
  const isSuggestion = pickedServers.some((one) => one.name === name);
  return isSuggestion ? networkOf({ registry: pickedRegistry, name }) : undefined;
}
