import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { runQuietly, SetupError } from './run-quietly.mjs';

const stampFile = 'node_modules/.cerise-setup';
/** npm's own record of what it put into node_modules. */
const recordFile = 'node_modules/.package-lock.json';

/** Whether node_modules holds what package-lock.json asks for. Adopts a by-hand `npm install`. */
export function arePackagesInstalled(root) {
  const record = fs.statSync(path.join(root, recordFile), { throwIfNoEntry: false });
  if (record === undefined) return false;
  if (readIfThere(path.join(root, stampFile)) === stamp(root)) return true;
  if (differences(root).length > 0) return false;
  writeStamp(root);
  return true;
}

/**
 * Installs exactly what the lock file says, whatever NODE_ENV and the user's npm settings leave out.
 * Not `npm ci`: that refuses a lock file without an optional package of some other platform.
 */
export async function installPackages(root) {
  const args = ['install', '--no-save', '--include=dev', '--include=optional', '--ignore-scripts'];
  args.push('--engine-strict=false', '--no-audit', '--no-fund', '--loglevel=error');
  const { NODE_ENV: _, ...env } = process.env;
  const npm = npmCommand();
  await runQuietly(npm.command, [...npm.args, ...args], {
    cwd: root,
    env,
    shell: npm.shell,
    failure: 'npm could not install the packages',
  });
  const strays = differences(root).filter(({ optional }) => !optional);
  if (strays.length > 0) {
    const list = strays.map(({ place }) => place).join(', ');
    throw new SetupError(`package-lock.json does not fit package.json (${list}): run npm install`);
  }
  writeStamp(root);
}

/** The npm that called us, or the one on PATH. */
function npmCommand() {
  const cli = process.env.npm_execpath;
  if (cli !== undefined && path.basename(cli) === 'npm-cli.js') {
    return { command: process.execPath, args: [cli], shell: false };
  }
  return { command: 'npm', args: [], shell: process.platform === 'win32' };
}

function writeStamp(root) {
  fs.writeFileSync(path.join(root, stampFile), stamp(root));
}

/** Changes with the lock file, with the machine, and with anything npm did since. */
function stamp(root) {
  const record = fs.statSync(path.join(root, recordFile));
  return crypto
    .createHash('sha256')
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .update(`${process.platform} ${process.arch} ${record.size} ${record.mtimeMs}`)
    .digest('hex');
}

/** What the lock file wants on this platform and npm did not install in that version. */
function differences(root) {
  const wanted = readJson(path.join(root, 'package-lock.json')).packages;
  const present = readJson(path.join(root, recordFile)).packages;
  return Object.entries(wanted)
    .filter(([place, entry]) => place !== '' && !isForOtherPlatform(entry))
    .filter(([place, { version }]) => present[place]?.version !== version)
    .map(([place, { optional }]) => ({ place, optional: optional === true }));
}

/** Optional packages name their platform; those that do not came with one that does. */
function isForOtherPlatform({ optional, os, cpu, libc }) {
  if (!optional) return false;
  const fits = os?.includes(process.platform) && cpu?.includes(process.arch);
  return !fits || libc !== undefined;
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

function readIfThere(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
}
