import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ourVersions } from '#mcp/protocol/greeting.ts';
import type { AboutView } from '#shared/api/about-api.ts';

/** What there is to say of a host; nothing of it is asked of the network. */
export function describeHost(options: {
  home: string;
  databaseUrl?: string | undefined;
}): AboutView & { dataFolder: string } {
  const place = new URL('../../../package.json', import.meta.url);
  const { version, license } = JSON.parse(readFileSync(place, 'utf8')) as {
    version: string;
    license: string;
  };
  return {
    version,
    licence: license,
    protocols: [...ourVersions],
    database: options.databaseUrl ? 'postgresql' : 'sqlite',
    node: process.versions.node,
    dataFolder: resolve(options.home),
  };
}
