import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve, sep } from 'node:path';
import {
  expandLaunch,
  fill,
  settingsLookup,
  type VariableLookup,
} from '#shared/text/bundle-variables.ts';
import type { ServerBundle } from '#shared/vocabulary/server/server-bundle.ts';
import type { StdioConfig } from '#shared/vocabulary/server.ts';
import type { BundleManifest } from './manifest.ts';

/** How a bundle is started, with its variables still in it. */
export type BundleLaunch = Pick<StdioConfig, 'command' | 'args' | 'env'> & { cwd: string };

const here = '${__dirname}';

/** The launch that a manifest asks for on a platform. */
export function launchOf(
  { server }: BundleManifest,
  platform: NodeJS.Platform = process.platform,
): BundleLaunch {
  const { command, args, env, platform_overrides: overrides } = server.mcp_config ?? usual(server);
  const own = overrides && Object.hasOwn(overrides, platform) ? overrides[platform] : undefined;
  return {
    command: inBundle(own?.command ?? command),
    args: own?.args ?? args,
    env: own?.env ?? env,
    cwd: here,
  };
}

type McpConfig = NonNullable<BundleManifest['server']['mcp_config']>;

/** Where the manifest leaves it to the host. The environment of `uv` is beside the files, which stay as they are. */
function usual({ type, entry_point: entry }: BundleManifest['server']): McpConfig {
  const file = entry.startsWith(here) ? entry : `${here}/${entry.replace(/^\.\//, '')}`;
  switch (type) {
    case 'node':
      return { command: 'node', args: [file], env: {} };
    case 'python':
      return { command: 'python3', args: [file], env: {} };
    case 'uv':
      return {
        command: 'uv',
        args: ['run', '--directory', here, file],
        env: { UV_PROJECT_ENVIRONMENT: `${here}/../environment` },
      };
    case 'binary':
      return { command: file, args: [], env: {} };
  }
}

/** A program in the bundle may be named by its path there. */
function inBundle(command: string): string {
  const isPath = /[/\\]/.test(command) && !isAbsolute(command) && !command.startsWith('${');
  return isPath ? `${here}/${command.replace(/^\.[/\\]/, '')}` : command;
}

/** What the variables of this machine stand for. */
const machineVariables: VariableLookup = (name) => {
  switch (name) {
    case 'HOME':
      return homedir();
    case 'DESKTOP':
      return join(homedir(), 'Desktop');
    case 'DOCUMENTS':
      return join(homedir(), 'Documents');
    case 'DOWNLOADS':
      return join(homedir(), 'Downloads');
    case 'pathSeparator':
    case '/':
      return sep;
    default:
      return undefined;
  }
};

/** A default as a person sees it: with the folders of this machine filled in. */
export function fillDefault(text: string): string {
  return fill(text, machineVariables, delimiter);
}

/** Where `uv` keeps the environment of a bundle that is unpacked in `folder`, if that is beside the files. */
export function environmentFolder({ env }: Pick<StdioConfig, 'env'>, folder: string) {
  const beside = join(folder, '../environment');
  const named = env['UV_PROJECT_ENVIRONMENT'];
  return named !== undefined && resolve(named) === beside ? beside : undefined;
}

/** What is started on this machine, where the bundle is unpacked in `folder`. */
export function startedFrom(
  config: StdioConfig,
  bundle: ServerBundle,
  folder: string,
): StdioConfig {
  const settings = settingsLookup(bundle);
  const lookup: VariableLookup = (name) =>
    name === '__dirname' ? folder : (machineVariables(name) ?? settings(name));
  const launch = expandLaunch(config, lookup, delimiter);
  return { ...config, ...launch };
}
