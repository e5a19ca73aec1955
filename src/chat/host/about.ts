import { resolve } from 'node:path';
import { ourVersions } from '#mcp/protocol/greeting.ts';
import type { AboutView } from '#shared/api/about-api.ts';
import manifest from '../../../package.json' with { type: 'json' };

/** What a host says about itself; nothing is fetched for it. */
export function describeHost(options: {
  home: string;
  databaseUrl?: string | undefined;
}): AboutView & { dataFolder: string } {
  return {
    version: manifest.version,
    licence: manifest.license,
    protocols: [...ourVersions],
    database: options.databaseUrl ? 'postgresql' : 'sqlite',
    node: process.versions.node,
    dataFolder: resolve(options.home),
  };
}
