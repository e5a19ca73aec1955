import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, textOf } from '#shared/errors/sentence.ts';
import type { Json } from '#shared/vocabulary/json.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import type { StdioConfig } from '#shared/vocabulary/server.ts';
import { refusesScripts } from './npm-places.ts';
import { readText } from './package-names.ts';
import { type NpmDeps, runNpm } from './run-npm.ts';

/** An installed package with scripts that have not run yet. */
interface Scripted {
  name: string;
  /** Below the folder of the installation. */
  path: string;
  /** Whether what needs it works without it. */
  optional: boolean;
}

/**
 * Runs what packages want to run at their installation, in a process of its own: unlike the npm that fetched them, it
 * sees neither the credentials of the registry nor npm's cache. Nothing is started where no package has a script.
 */
export async function runInstallScripts(
  folder: string,
  config: StdioConfig,
  deps: NpmDeps,
): Promise<void> {
  const all = scriptedIn(folder);
  if (all.length === 0 || refusesScripts(config.env)) return;
  const place = join(folder, '.scripts');
  mkdirSync(place, { recursive: true });
  const run = async (some: readonly Scripted[]) => {
    const packages = [...new Set(some.map(({ name }) => name))];
    // Compiling takes minutes and prints nothing, and the last download would seem to hang.
    const names = packages.join(', ');
    deps.onProgress(textOf(say('install-scripts')`Running the install scripts of ${names}`));
    const args = ['rebuild', '--prefix', folder, '--no-update-notifier', ...packages];
    await runNpm(config, { args, cwd: folder, scripts: { packages, folder: place } }, deps);
  };
  const needed = all.filter(({ optional }) => !optional);
  if (needed.length > 0) await run(needed);
  for (const one of all.filter(({ optional }) => optional)) {
    try {
      await run([one]);
    } catch (error) {
      deps.signal.throwIfAborted();
      if (!(error instanceof CeriseError)) throw error;
      // As npm does: what cannot be built and need not be there is not there.
      rmSync(join(folder, one.path), { recursive: true, force: true });
      deps.log.forgetOutput();
    }
  }
  rmSync(place, { recursive: true, force: true });
}

/** What npm notes of an installation. */
function scriptedIn(folder: string): Scripted[] {
  const text = readText(join(folder, 'node_modules/.package-lock.json'));
  const lock: Json = text === undefined ? null : JSON.parse(text);
  const packages = isJsonObject(lock) && isJsonObject(lock.packages) ? lock.packages : {};
  return Object.entries(packages).flatMap(([path, about]) => {
    if (!isJsonObject(about) || about.hasInstallScript !== true) return [];
    const name = path.replace(/^.*node_modules\//, '');
    return { name, path, optional: about.optional === true };
  });
}
