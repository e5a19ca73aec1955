import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

const pollTime = 200;
const touchTime = 5_000;
const staleTime = 60_000;

/**
 * Runs `work` while nobody else does who uses the same folder as the lock. Waits for a living holder
 * (calling `onWait` once) and takes over from one that died.
 */
export async function withLock(folder, work, onWait = () => {}) {
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  for (let waited = false; !tryAcquire(folder); waited = true) {
    if (removeIfStale(folder)) continue;
    if (!waited) onWait();
    await new Promise((resolve) => setTimeout(resolve, pollTime));
  }
  const touch = setInterval(() => touchIfThere(folder), touchTime);
  const release = () => fs.rmSync(folder, { recursive: true, force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(touch);
    process.removeListener('exit', release);
    release();
  }
}

function touchIfThere(folder) {
  if (fs.existsSync(folder)) fs.utimesSync(folder, new Date(), new Date());
}

/** `mkdir` succeeds for exactly one of any number of processes. */
function tryAcquire(folder) {
  try {
    fs.mkdirSync(folder);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  fs.writeFileSync(path.join(folder, 'owner'), `${os.hostname()} ${process.pid}`);
  return true;
}

/** Moves a dead holder's lock aside, and back if it turns out to be a new holder's by now. */
function removeIfStale(folder) {
  const owner = readOwner(folder);
  if (!isStale(folder, owner)) return false;
  const aside = `${folder}.${process.pid}`;
  try {
    fs.renameSync(folder, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return true;
    throw error;
  }
  if (readOwner(aside) === owner) fs.rmSync(aside, { recursive: true, force: true });
  else fs.renameSync(aside, folder);
  return true;
}

function isStale(folder, owner) {
  const stat = fs.statSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (Date.now() - stat.mtimeMs > staleTime) return true;
  const [host, pid] = owner.split(' ');
  return host === os.hostname() && !isAlive(Number(pid));
}

function readOwner(folder) {
  try {
    return fs.readFileSync(path.join(folder, 'owner'), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
