import { mkdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CeriseError, messageOf } from '#shared/errors/errors.ts';
import { say, textOf } from '#shared/errors/sentence.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import type { StdioConfig } from '#shared/vocabulary/server.ts';
import { withInstallLock } from './install-lock.ts';
import { runInstallScripts } from './install-scripts.ts';
import { folderName, readText, tagFileName } from './package-names.ts';
import { isTag, type PackageRun, parseSpec } from './package-run.ts';
import { type NpmDeps, runNpm } from './run-npm.ts';

const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--no-progress'];
/** Asking which version a tag means; whoever has one installed does not wait long for it. */
const viewMs = 15_000;

/** What installing needs from its surroundings. */
export interface InstallDeps extends NpmDeps {
  /** Where the folders of all packages are. */
  packagesFolder: string;
}

/** A package that is there: its folder, and the program to run. */
export interface InstalledPackage {
  folder: string;
  program: string;
}

/**
 * Installs packages in a folder of their own, at most once: it is filled beside and renamed when whole. Who
 * wants the same one meanwhile waits. Throws CeriseError; nothing half-installed is left behind.
 */
export async function installPackage(
  run: PackageRun,
  config: StdioConfig,
  deps: InstallDeps,
): Promise<InstalledPackage> {
  const folder = await folderFor(run, config, deps);
  // Whoever removes what is not used any more sees that this is.
  touch(folder);
  const installed = programIn(folder, run);
  if (installed !== undefined) return { folder, program: installed };
  const wait = {
    signal: deps.signal,
    onWait: () => deps.onProgress(textOf(say('install-waits')`Waiting for another installation`)),
  };
  return withInstallLock(
    `${folder}.lock`,
    async () => {
      if (programIn(folder, run) === undefined) await fill(folder, run, config, deps);
      const program = programIn(folder, run);
      if (program === undefined) throw noProgram(run);
      return { folder, program };
    },
    wait,
  );
}

async function fill(
  folder: string,
  run: PackageRun,
  config: StdioConfig,
  deps: InstallDeps,
): Promise<void> {
  const staging = `${folder}.new`;
  // What a host that was killed left behind, and what somebody damaged.
  await remove(staging);
  mkdirSync(staging, { recursive: true });
  writeFileSync(join(staging, 'package.json'), '{"private":true}\n');
  try {
    deps.log.push('event', `installing ${run.packages.join(', ')}`);
    deps.onProgress(run.packages.join(', '));
    const { sandbox } = deps;
    const isApart = sandbox !== undefined && !('reason' in (await sandbox.state()));
    const flags = ['--loglevel=http', ...quiet, ...(isApart ? ['--ignore-scripts'] : [])];
    const args = ['install', '--prefix', staging, ...flags, ...run.packages];
    await runNpm(config, { args, cwd: staging }, deps);
    if (isApart) await runInstallScripts(staging, config, deps);
    await remove(folder);
    touch(staging);
    renameSync(staging, folder);
    deps.log.push('event', `installed ${run.packages.join(', ')}`);
  } finally {
    await remove(staging);
  }
}

/** Thousands of files, which would keep everybody waiting. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** One folder for each set of packages, of each registry. A tag counts as the version it means now. */
async function folderFor(run: PackageRun, config: StdioConfig, deps: InstallDeps): Promise<string> {
  const packages: string[] = [];
  for (const spec of run.packages) packages.push((await untagged(spec, config, deps)) ?? spec);
  return join(deps.packagesFolder, folderName(packages, config.registryUrl));
}

/** A package with the version that its tag means; undefined where it has none or nobody can be asked. */
async function untagged(
  spec: string,
  config: StdioConfig,
  deps: InstallDeps,
): Promise<string | undefined> {
  const { name, version } = parseSpec(spec);
  if (!isTag(version)) return undefined;
  const memory = join(deps.packagesFolder, tagFileName(spec));
  mkdirSync(deps.packagesFolder, { recursive: true });
  try {
    const args = ['view', spec, 'version', '--json', ...quiet];
    const silenceMs = Math.min(viewMs, deps.silenceMs);
    const answer: unknown = JSON.parse(
      await runNpm(config, { args, cwd: deps.packagesFolder }, { ...deps, silenceMs }),
    );
    const found = Array.isArray(answer) ? answer.at(-1) : answer;
    if (typeof found !== 'string') return undefined;
    writeFileSync(memory, found);
    return `${name}@${found}`;
  } catch (error) {
    deps.signal.throwIfAborted();
    const last = readText(memory);
    if (last === undefined) return undefined;
    const reason = error instanceof CeriseError ? textOf(messageOf(error)) : String(error);
    deps.log.push('event', `using ${name}@${last}: ${reason}`);
    // What npm wrote about it does not explain an end of the server.
    deps.log.forgetOutput();
    return `${name}@${last}`;
  }
}

/** The program of an installed package, as npx chooses it; undefined if it is not there. */
function programIn(folder: string, { packages: [spec], program }: PackageRun): string | undefined {
  const name = program ?? binOf(join(folder, 'node_modules', parseSpec(spec).name));
  if (name === undefined) return undefined;
  const ending = process.platform === 'win32' ? '.cmd' : '';
  const file = join(folder, 'node_modules', '.bin', `${name}${ending}`);
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

function binOf(folder: string): string | undefined {
  const text = readText(join(folder, 'package.json'));
  if (text === undefined) return undefined;
  const { bin, name } = JSON.parse(text) as { bin?: unknown; name: string };
  const own = name.replace(/^@[^/]*\//, '');
  if (typeof bin === 'string') return own;
  if (!isJsonObject(bin)) return undefined;
  // npm leaves out the scope that some give their programs.
  const names = Object.keys(bin).map((each) => each.replace(/^@[^/]*\//, ''));
  if (new Set(Object.values(bin)).size === 1) return names[0];
  return names.find((each) => each === own);
}

/** Notes that a folder is used now; nothing where there is none. */
function touch(folder: string): void {
  const now = new Date();
  if (statSync(folder, { throwIfNoEntry: false })) utimesSync(folder, now, now);
}

function noProgram({ packages: [spec], program }: PackageRun): CeriseError {
  const { name } = parseSpec(spec);
  const missing =
    program === undefined
      ? say('package-no-program')`The package ${name} has no program to run.`
      : say('package-no-such-program')`The package ${name} has no program named ${program}.`;
  return new CeriseError('invalid_server', missing, {
    hint: say('package-no-program-hint')`Check the command in the server's documentation.`,
  });
}
