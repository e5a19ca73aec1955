import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute } from 'node:path';
import { packageRun } from '#mcp/install/package-run.ts';
import { findProgram } from '#mcp/process/find-program.ts';
import { systemCode } from '#shared/errors/system-code.ts';
import type { ServerAccess } from '#shared/vocabulary/server-access.ts';
import type { ServerConfig, StdioConfig } from '#shared/vocabulary/server.ts';

/** What a proposal is made from. */
export interface AccessNeeds {
  /** What a person filled in: the folders and files among it are what the server is for. */
  values: readonly string[];
  /** Whether it is worth nothing without the network, as far as anyone knows. */
  network?: boolean | undefined;
}

/**
 * The least access that a package from npm usually works with: its own folder and what a person named. What fetches
 * itself at each start (`uvx`, `docker`) needs more of the machine than can be told; it stays as it is.
 */
export function withProposedAccess(config: ServerConfig, needs: AccessNeeds): ServerConfig {
  if (config.type !== 'stdio' || config.access || !packageRun(config)) return config;
  return withAccess(config, 'node', needs);
}

/** The same for any command that is run by `program`. */
export function withAccess(config: StdioConfig, program: string, needs: AccessNeeds): StdioConfig {
  const access = isItself(program) ? accessFor(needs) : undefined;
  return access ? { ...config, access } : config;
}

/** Whether a program is no stand-in that looks for the real one elsewhere, as those of pyenv, asdf and Volta do. */
function isItself(program: string): boolean {
  const place = findProgram(program, process.env as Record<string, string>);
  if (!place || !('file' in place)) return true;
  const real = realpathSync(place.file);
  const name = basename(program).replace(/[\d.]+$/, '');
  return basename(real).startsWith(name) && !isScript(real);
}

function isScript(file: string): boolean {
  const start = Buffer.alloc(2);
  try {
    const open = openSync(file, 'r');
    readSync(open, start);
    closeSync(open);
  } catch (error) {
    // One that may be run and not read is no script.
    if (systemCode(error) === undefined) throw error;
  }
  return start.toString() === '#!';
}

/** Undefined for full access, also where a value is a place that no server can be given. */
function accessFor({ values, network = true }: AccessNeeds): ServerAccess | undefined {
  const paths = [...new Set(values.filter(isAbsolute).flatMap((path) => folderOf(path) ?? []))];
  if (paths.some((path) => /^\/(?:$|proc\b|sys\b|dev\b(?!\/shm\b))/.test(path))) return undefined;
  const folders = paths.map((path) => ({ path, write: true }));
  return { files: folders.length > 0 ? { folders } : 'own', network };
}

/** The folder that a path is or would be in, without links; undefined where there is none of its own. */
function folderOf(path: string): string | undefined {
  const real = realOf(path);
  if (real !== undefined && statSync(real).isDirectory()) return real;
  const parent = real === undefined ? realOf(dirname(path)) : dirname(real);
  return parent === undefined || isShared(parent) ? undefined : parent;
}

/** Whether a folder holds so much else that it is only given to a server if somebody names it: a home, `/etc`, `/tmp`. */
function isShared(folder: string): boolean {
  return dirname(folder) === '/' || folder === realOf(homedir());
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
