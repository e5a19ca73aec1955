import { readdirSync, renameSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '#shared/errors/system-code.ts';
import type { StdioConfig } from '#shared/vocabulary/server.ts';
import { runningCommands } from '../process/ledger.ts';
import { withInstallLock } from './install-lock.ts';
import { fileName, folderName, readText, tagFileName } from './package-names.ts';
import { packageRun, parseSpec } from './package-run.ts';

/** What was used within this time stays: somebody may be about to start it, here or on another host. */
const keepMs = 24 * 60 * 60 * 1000;
/** What is being removed, or was left half-installed by a host that was killed. */
const leftover = /\.(?:new|old)$/;

/** Stands for a variable in a command. */
const unknown = '__variable__';

/** Where packages are, and who may use them. */
export interface PruneDeps {
  packagesFolder: string;
  /** Where all hosts with this data folder note what they run. */
  ledgerFolder: string;
  /** The commands of all servers there are, of all hosts. */
  configs: () => Promise<Pick<StdioConfig, 'command' | 'args' | 'registryUrl'>[]>;
  signal: AbortSignal;
}

/**
 * Removes installed packages that no server has in its command any more, that none still runs, and that were not
 * started for a day. What is being installed is left alone. Returns the names of what it removed.
 */
export async function prunePackages(deps: PruneDeps): Promise<string[]> {
  const { packagesFolder, ledgerFolder, signal } = deps;
  const old = oldNames(packagesFolder);
  if (old.length === 0) return [];
  const isUsed = usedNames(packagesFolder, await deps.configs());
  const removed: string[] = [];
  for (const name of old.filter((each) => !isUsed(each))) {
    signal.throwIfAborted();
    const path = join(packagesFolder, name);
    const isRunning = () =>
      runningCommands(ledgerFolder).some((each) => each.startsWith(`${path}/`));
    const drop = async () => {
      if (isRunning() || !isOld(path)) return;
      // A folder that is half removed has no name by which it would be started.
      const going = leftover.test(name) ? path : `${path}.old`;
      if (going !== path) renameSync(path, going);
      await rm(going, { recursive: true, force: true, maxRetries: 3 });
      removed.push(name);
    };
    const lock = join(packagesFolder, `${name.replace(leftover, '')}.lock`);
    // Who installs it now needs it.
    const nobody = new AbortController();
    await withInstallLock(lock, drop, {
      signal: nobody.signal,
      onWait: () => nobody.abort(),
    }).catch((error: unknown) => {
      if (!nobody.signal.aborted && systemCode(error) === undefined) throw error;
    });
  }
  return removed;
}

/** Everything that has not been touched for a while. */
function oldNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter(
      (name) => !name.endsWith('.lock') && isOld(join(folder, name)),
    );
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function isOld(path: string): boolean {
  const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return mtimeMs !== undefined && Date.now() - mtimeMs > keepMs;
}

/** Tells folders and remembered tags that a start of one of these commands would use. */
function usedNames(
  packagesFolder: string,
  configs: Awaited<ReturnType<PruneDeps['configs']>>,
): (name: string) => boolean {
  const names = new Set<string>();
  const beginnings: string[] = [];
  for (const config of configs) {
    const args = config.args.map((word) => word.replaceAll(/\$\{[^}]*\}/g, unknown));
    const run = packageRun({ ...config, args });
    if (!run) continue;
    const versions = run.packages.map((spec) => {
      names.add(tagFileName(spec));
      const last = readText(join(packagesFolder, tagFileName(spec)));
      return last === undefined ? spec : `${parseSpec(spec).name}@${last}`;
    });
    names.add(folderName(versions, run.registryUrl ?? config.registryUrl));
    // A version that is only known at a start could be any.
    const [known = ''] = run.packages[0].split(unknown, 1);
    if (known !== run.packages[0]) beginnings.push(fileName(known));
  }
  return (name) => names.has(name) || beginnings.some((each) => name.startsWith(each));
}
