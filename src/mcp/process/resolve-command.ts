import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';
import type { StdioConfig } from '#shared/vocabulary/server.ts';
import { batchInvocation, type Invocation, isBatchFile } from './batch-file.ts';
import {
  findProgram,
  type ProgramLookup,
  type Machine,
  namesFile,
  thisMachine,
  variable,
} from './find-program.ts';
import { loginShellPath } from './login-shell.ts';
import { commandNotFound, startError } from './start-error.ts';

/** What to start, and why it differs from the command that was asked for. */
export interface Launch extends Invocation {
  environment: Record<string, string>;
  note?: string;
}

/** What finding a command depends on. */
export interface ResolveContext {
  /** The environment the process will get; its PATH is searched. */
  environment: Record<string, string>;
  hostEnvironment: NodeJS.ProcessEnv;
  machine?: Machine;
}

type Command = Pick<StdioConfig, 'command' | 'args' | 'env'>;

/**
 * Finds the program of a command: on the PATH, on the login shell's PATH, else npm's own `npx`, our
 * own `node`, the other name of Python, or `uv tool run` for `uvx`. The arguments stay as they are. Throws `command_not_found`.
 */
export async function resolveCommand(config: Command, context: ResolveContext): Promise<Launch> {
  const { environment, machine = thisMachine } = context;
  const { command, args } = config;
  if (namesFile(command, machine)) {
    return { ...invocation(command, args, machine), environment };
  }
  const program = findProgram(command, environment, machine);
  if (program && 'file' in program) {
    return { ...invocation(program.file, args, machine), environment };
  }
  const wider = await withLoginPath(config, environment);
  return (
    onLoginPath(config, wider, machine) ??
    standIn(config, { ...context, environment: wider ?? environment }, machine) ??
    fail(command, program)
  );
}

function invocation(file: string, args: string[], machine: Machine): Invocation {
  if (machine.platform === 'win32' && isBatchFile(file))
    return batchInvocation(file, args, machine);
  return { file, args };
}

/** A PATH that a person wrote into the config is final; nobody else's is added. */
async function withLoginPath(
  { env }: Command,
  environment: Record<string, string>,
): Promise<Record<string, string> | undefined> {
  if (variable(env, 'PATH') !== undefined) return undefined;
  const path = await loginShellPath(environment);
  return path === undefined ? undefined : appendPath(environment, path);
}

function onLoginPath(
  { command, args }: Command,
  environment: Record<string, string> | undefined,
  machine: Machine,
): Launch | undefined {
  const program = environment && findProgram(command, environment, machine);
  if (!program || !('file' in program)) return undefined;
  const note = `found ${command} in the login shell's PATH: ${program.file}`;
  return { ...invocation(program.file, args, machine), environment, note };
}

/** What can do the work of a well-known command that is not installed. */
function standIn(
  { command, args }: Command,
  { environment, hostEnvironment }: ResolveContext,
  machine: Machine,
): Launch | undefined {
  const node = process.execPath;
  const name = command.replace(/\.(exe|cmd)$/i, '');
  if (name === 'node') {
    return { file: node, args, environment, note: `no node in PATH: using ${node}` };
  }
  if (name === 'npx' || name === 'npm') {
    const script = npmScript(`${name}-cli.js`, hostEnvironment, machine);
    if (script === undefined) return undefined;
    const note = `no ${name} in PATH: using ${script}`;
    // What npx starts looks for `node` on the PATH itself.
    const path = appendPath(environment, dirname(node));
    return { file: node, args: [script, ...args], environment: path, note };
  }
  const python = name === 'python' ? 'python3' : name === 'python3' ? 'python' : undefined;
  const other = python && findProgram(python, environment, machine);
  if (other && 'file' in other) {
    const note = `no ${name} in PATH: using ${other.file}`;
    return { ...invocation(other.file, args, machine), environment, note };
  }
  const uv = name === 'uvx' ? findProgram('uv', environment, machine) : undefined;
  if (!uv || !('file' in uv)) return undefined;
  const note = `no uvx in PATH: using ${uv.file} tool run`;
  return { ...invocation(uv.file, ['tool', 'run', ...args], machine), environment, note };
}

/** A script of the npm that runs us, that came with our Node, or that is installed beside us. */
function npmScript(
  name: string,
  { npm_execpath: running }: NodeJS.ProcessEnv,
  machine: Machine,
): string | undefined {
  const bin = dirname(process.execPath);
  const candidates = [
    ...(running !== undefined && basename(running) === 'npm-cli.js' ? [dirname(running)] : []),
    join(bin, '../lib/node_modules/npm/bin'),
    join(bin, 'node_modules/npm/bin'),
    ...(createRequire(import.meta.url).resolve.paths('npm') ?? []).map((folder) =>
      join(folder, 'npm/bin'),
    ),
  ];
  return candidates
    .map((folder) => join(folder, name))
    .find((file) => machine.look(file) !== 'none');
}

function appendPath(environment: Record<string, string>, path: string): Record<string, string> {
  const name = Object.keys(environment).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const before = environment[name];
  return { ...environment, [name]: before ? `${before}${delimiter}${path}` : path };
}

function fail(command: string, program: ProgramLookup | undefined): never {
  if (program && 'forbidden' in program) {
    const error: NodeJS.ErrnoException = new Error(`${program.forbidden} isn't allowed to run`);
    throw startError(command, Object.assign(error, { code: 'EACCES' }));
  }
  throw commandNotFound(command);
}
