import { existsSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { StdioConfig } from '#shared/vocabulary/server.ts';
import { variable } from '../process/find-program.ts';
import { commandNotFound } from '../process/start-error.ts';
import { type InstallDeps, installPackage } from './install-package.ts';
import { type PackageRun, packageRun, parseSpec } from './package-run.ts';

/** What to run in the end, and what it has to be able to read for that. */
export interface PreparedRun {
  config: StdioConfig;
  /** The folder of the installed package; absent where nothing is installed in a step of its own. */
  folder?: string;
}

/**
 * Makes ready what a command runs: the package behind `npx` is installed in its own folder, in a process of
 * its own, and what is returned only runs it. Every other command stays as it is. Throws CeriseError.
 */
export async function prepareRun(config: StdioConfig, deps: InstallDeps): Promise<PreparedRun> {
  const run = packageRun(config);
  if (!run || isInstalledNearby(run, config)) return { config };
  try {
    const { registryUrl = config.registryUrl } = run;
    const from = registryUrl === undefined ? config : { ...config, registryUrl };
    const { folder, program } = await installPackage(run, from, deps);
    const { command: _, args: __, env, ...rest } = config;
    return {
      config: { ...rest, command: program, args: run.args, env: withPath(env, program) },
      folder,
    };
  } catch (error) {
    if (deps.signal.aborted)
      throw new CeriseError('cancelled', say('connecting-cancelled')`Connection cancelled.`);
    if (error instanceof CeriseError && error.code === 'command_not_found')
      throw commandNotFound(config.command, error);
    throw error;
  }
}

/** npx prefers what the project in the working directory has installed: that is left to it. */
function isInstalledNearby({ packages, program }: PackageRun, { cwd }: StdioConfig): boolean {
  const { name, version } = parseSpec(packages[0]);
  if (cwd === undefined || version !== undefined || program !== undefined) return false;
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return true;
    if (folder === dirname(folder)) return false;
  }
}

/** The programs of its packages come first, as with npx; our own Node comes last, where there is no other. */
function withPath(env: Record<string, string>, program: string): Record<string, string> {
  const path =
    variable(env, 'PATH') ?? variable(process.env as Record<string, string>, 'PATH') ?? '';
  const folders = [dirname(program), ...path.split(delimiter), dirname(process.execPath)];
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  return { ...env, [name]: folders.filter((folder) => folder !== '').join(delimiter) };
}
