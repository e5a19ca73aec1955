import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { canRun, findPinnedNode, isNodeNewEnough, oldNodeMessage } from '../bin/pinned-node.mjs';
import { hasBubblewrap, installBubblewrap } from './bubblewrap.mjs';
import { build, isBuilt, program, webApp } from './build.mjs';
import { hasQuickChromium, installChromium } from './chromium.mjs';
import { withLock } from './lock.mjs';
import { arePackagesInstalled, installPackages } from './packages.mjs';
import { SetupError } from './run-quietly.mjs';

// Runs on the machine's own Node, before the pinned one is there: plain JavaScript, no packages.

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Brings whatever `npm start` or `npm test` needs and is not there yet: packages, what is built of our sources,
 * for tests a Chromium and bubblewrap. Silent when nothing is to be done. Throws SetupError.
 */
export async function setUp(purpose) {
  if (!arePackagesInstalled(root) || unbuilt().length > 0) {
    const lock = path.join(root, '.cache/setup.lock');
    await withLock(lock, installAndBuild, () => say('waiting for another set-up to finish …'));
  }
  if (purpose !== 'test') return;
  await provideChromium();
  await provideBubblewrap();
}

async function installAndBuild() {
  if (!arePackagesInstalled(root)) {
    say('installing packages …');
    await installPackages(root);
    removeUnusablePinnedNode();
  }
  const node = isNodeNewEnough() ? process.execPath : findPinnedNode();
  if (node === undefined || !canRun(node)) throw new SetupError(oldNodeMessage());
  for (const part of unbuilt()) {
    say(`building ${part.name} …`);
    await build(root, node, part);
  }
}

function unbuilt() {
  return [webApp, program].filter((part) => !isBuilt(root, part));
}

/** Without its link in node_modules/.bin, npm scripts use the machine's own Node. */
function removeUnusablePinnedNode() {
  const node = findPinnedNode();
  if (node === undefined || canRun(node)) return;
  for (const name of ['node', 'node.cmd', 'node.ps1']) {
    fs.rmSync(path.join(root, 'node_modules/.bin', name), { force: true });
  }
}

async function provideChromium() {
  if (hasQuickChromium()) return;
  say('looking for a Chromium to install …');
  if (await installChromium()) return;
  const missing = 'no Chromium found; install one or name it with CERISE_CHROMIUM';
  if (process.env.CI)
    throw new SetupError(`Cerise: ${missing}. With CI set, browser tests must run.`);
  say(`${missing}. Browser tests will be SKIPPED.`);
}

async function provideBubblewrap() {
  if (process.platform !== 'linux' || hasBubblewrap()) return;
  say('installing bubblewrap …');
  if (await installBubblewrap()) return;
  const missing = 'no bubblewrap that works here; install it, or allow user namespaces';
  if (process.env.CI)
    throw new SetupError(`Cerise: ${missing}. With CI set, tests of the sandbox must run.`);
  say(`${missing}. Tests of the sandbox will be SKIPPED.`);
}

function say(line) {
  console.error(`Cerise: ${line}`);
}

/** Runs a step and turns its expected failure into one line and exit code 1. */
export async function orExplain(step) {
  try {
    await step();
    return true;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
    return false;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await orExplain(() => setUp(process.argv[2]));
}
