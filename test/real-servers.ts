import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = resolve(import.meta.dirname, '../node_modules/.cache/cerise-test');
const installTime = 110_000;

/**
 * The script of a real MCP server from npm, installed in its own folder at the first use. Undefined,
 * with one visible line, if it cannot be had; with CI set that is an error.
 */
export async function realServer(name: string, version: string): Promise<string | undefined> {
  const folder = join(cache, `${name.replace(/^.*\//, '')}@${version}`);
  const installed = join(folder, 'node_modules', name, 'package.json');
  try {
    if (!existsSync(installed)) await install(folder, `${name}@${version}`);
    return scriptOf(installed);
  } catch (error) {
    if (process.env.CI) throw error;
    process.stderr.write(`SKIPPED: ${name}@${version} could not be installed from npm.\n`);
    return undefined;
  }
}

/** Whole or not at all, also when two test files want the same server at once. */
async function install(folder: string, what: string): Promise<void> {
  const staging = `${folder}.${process.pid}`;
  mkdirSync(staging, { recursive: true });
  try {
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', ['install', '--prefix', staging, ...flags, what], { timeout: installTime });
    if (!existsSync(folder)) renameSync(staging, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function scriptOf(packageFile: string): string {
  const { bin } = JSON.parse(readFileSync(packageFile, 'utf8')) as {
    bin: string | Record<string, string>;
  };
  const script = typeof bin === 'string' ? bin : Object.values(bin)[0];
  if (script === undefined) throw new Error(`${packageFile} has no command.`);
  return join(packageFile, '..', script);
}
