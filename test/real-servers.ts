import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedPackage } from './npm-cache.ts';

/**
 * The script of a real MCP server from npm, installed in its own folder at the first use. Undefined,
 * with one visible line, if it cannot be had; with CI set that is an error.
 */
export async function realServer(name: string, version: string): Promise<string | undefined> {
  const folder = await cachedPackage(name, version);
  return folder === undefined ? undefined : scriptOf(join(folder, 'package.json'));
}

function scriptOf(packageFile: string): string {
  const { bin } = JSON.parse(readFileSync(packageFile, 'utf8')) as {
    bin: string | Record<string, string>;
  };
  const script = typeof bin === 'string' ? bin : Object.values(bin)[0];
  if (script === undefined) throw new Error(`${packageFile} has no command.`);
  return join(packageFile, '..', script);
}
