import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = resolve(import.meta.dirname, '../node_modules/.cache/cerise-test');
const installTime = 110_000;

/**
 * The folder of a package from npm, installed in a folder of its own at the first use. Undefined, with
 * one visible line, if it cannot be had; with CI set that is an error.
 */
export async function cachedPackage(name: string, version: string): Promise<string | undefined> {
  const folder = join(cache, `${name.replace('@', '').replace('/', '-')}@${version}`);
  const installed = join(folder, 'node_modules', name);
  try {
    if (!existsSync(join(installed, 'package.json'))) await install(folder, `${name}@${version}`);
    return installed;
  } catch (error) {
    if (process.env.CI) throw error;
    process.stderr.write(`SKIPPED: ${name}@${version} could not be installed from npm.\n`);
    return undefined;
  }
}

/** Whole or not at all, also when two processes want the same package at once. */
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
