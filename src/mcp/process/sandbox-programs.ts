import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findProgram } from './find-program.ts';
import { isInside, isSystem } from './sandbox-mounts.ts';

/** Variables of the allow-list that name files which a program reads. */
const fileVariables = ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'];

/**
 * What a process that does not see the whole machine needs besides the system's own folders: its program,
 * the Node it may be written for, what they were installed with, and certificates.
 */
export function programPaths(file: string, environment: Record<string, string>): string[] {
  const node = findProgram('node', environment);
  const programs = [file, ...(node && 'file' in node ? [node.file] : [])];
  const certificates = fileVariables.flatMap((name) => environment[name] ?? []);
  const paths = [...programs.flatMap(installedWith), ...certificates];
  const needed = [...new Set(paths)].filter((path) => !isSystem(path) && existsSync(path));
  const isPart = (path: string) => needed.some((each) => each !== path && isInside(path, each));
  return needed.filter((path) => !isPart(path));
}

/**
 * A link and what it leads to: the folder of programs they stand in, if it is one, and the packages
 * beside it. Never more of a home folder than that.
 */
function installedWith(file: string): string[] {
  return [...new Set([file, realpathSync(file)])].flatMap((path) => {
    const folder = dirname(path);
    const modules = /^(.+?\/node_modules)\//.exec(path)?.[1];
    // Node itself needs nothing of the packages that it may have come with.
    if (modules !== undefined && basename(path) !== 'node') return [modules];
    if (basename(folder) !== 'bin') return [path];
    const prefix = dirname(folder);
    if (existsSync(join(prefix, 'pyvenv.cfg'))) return [prefix];
    return [folder, join(prefix, 'lib/node_modules'), ...pythonLibraries(join(prefix, 'lib'))];
  });
}

function pythonLibraries(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^(python3|libpython3)/.test(name))
    .map((name) => join(folder, name));
}
