import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import process from 'node:process';

// This file also runs on the old Node versions it is there to replace: plain JavaScript only.

const require = createRequire(import.meta.url);

const { isNodeIn, oldNodeMessage: message } = require('./node-range.cjs');
const range = require('../package.json').engines.node;

/** Whether the Node that runs this is one that package.json `engines` allows. */
export function isNodeNewEnough() {
  return isNodeIn(range, process.version);
}

/** The one line for a machine on which no suitable Node can be had. */
export function oldNodeMessage() {
  return message(range, process.version);
}

/** The Node that npm installed with Cerise for this platform, or undefined. */
export function findPinnedNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  for (const prefix of ['node', 'node-bin']) {
    const name = `${prefix}-${platform}-${process.arch}`;
    try {
      return require.resolve(`${name}/bin/${file}`);
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return undefined;
}

/** Whether a Node binary starts here at all; one made for another C library does not. */
export function canRun(node) {
  return spawnSync(node, ['--version'], { stdio: 'ignore' }).status === 0;
}

/**
 * Runs a script on the pinned Node in place of this process: same terminal, same signals, same exit
 * code. Resolves to false, having done nothing, if there is no pinned Node that starts.
 */
export function runOnPinnedNode(script, args) {
  const node = findPinnedNode();
  if (node === undefined || node === process.execPath) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(node, [fileURLToPath(script), ...args], { stdio: 'inherit' });
    child.once('error', () => resolve(false));
    child.once('spawn', () => forwardSignals(child));
    child.once('exit', (code, signal) => {
      if (signal === null) process.exit(code === null ? 1 : code);
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    });
  });
}

/** A terminal signals the whole foreground group itself; passing that on would signal twice. */
function forwardSignals(child) {
  const fromTerminal = process.stdin.isTTY ? ['SIGINT', 'SIGQUIT', 'SIGHUP'] : [];
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']) {
    if (process.platform === 'win32' && signal === 'SIGUSR2') continue;
    process.on(signal, () => {
      if (!fromTerminal.includes(signal)) child.kill(signal);
    });
  }
}
