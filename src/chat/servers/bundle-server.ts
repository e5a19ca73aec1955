import { type BundleLaunch, launchOf } from '#mcp/bundles/bundle-launch.ts';
import type { BundleManifest } from '#mcp/bundles/manifest.ts';
import { childEnvironment } from '#mcp/process/environment.ts';
import { resolveCommand } from '#mcp/process/resolve-command.ts';
import { CeriseError, type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import { isNarrower } from '#shared/vocabulary/server-access.ts';
import type { ServerBundle } from '#shared/vocabulary/server/server-bundle.ts';
import type { StdioConfig } from '#shared/vocabulary/server.ts';
import { withAccess } from './proposed-access.ts';

type Settings = Pick<ServerBundle, 'values' | 'secrets'>;

/** The server that a bundle becomes. Nothing else that the bundle says of itself takes effect. */
export function serverOf(
  manifest: BundleManifest,
  hash: string,
  { values, secrets }: Settings,
): StdioConfig {
  const { name, version, author, description, server } = manifest;
  const config: StdioConfig = {
    type: 'stdio',
    name: titleOf(manifest),
    ...(description && { description: truncate(description, 4096) }),
    ...launchOf(manifest),
    bundle: { hash, name, version, publisher: author.name, values, secrets },
  };
  // `uv` installs at each start, from where it keeps what it downloads.
  if (server.type === 'uv') return config;
  return withAccess(config, config.command, { values: placesIn(manifest, values) });
}

/** The folders and files that its settings name. */
function placesIn({ user_config: settings }: BundleManifest, values: Settings['values']): string[] {
  const isPlace = (name: string) => /^(?:directory|file)$/.test(settings[name]?.type ?? '');
  return Object.entries(values)
    .filter(([name]) => isPlace(name))
    .flatMap(([, value]) => [value].flat())
    .filter((value) => typeof value === 'string');
}

/** The same in the place of one that is installed: what a person set besides its launch stays, its access too. */
export function updatedServer(present: StdioConfig, next: StdioConfig): StdioConfig {
  const { command, args, env, cwd, bundle, description } = next;
  const { description: _, ...rest } = present;
  return { ...rest, command, args, env, cwd, bundle, ...(description && { description }) };
}

export function titleOf({ display_name: title, name }: BundleManifest): string {
  return truncate(title || name, 100);
}

const platformNames: Record<string, string> = { darwin: 'macOS', win32: 'Windows', linux: 'Linux' };

/** Throws `invalid_bundle` for a bundle that was made for other systems. */
export function assertRunsHere({ compatibility }: BundleManifest): void {
  const { platforms } = compatibility ?? {};
  if (!platforms?.length || platforms.includes(process.platform)) return;
  const named = platforms.map((platform) => platformNames[platform] ?? platform).join(', ');
  throw new CeriseError(
    'invalid_bundle',
    say('bundle-platform')`This bundle doesn't run on this system. It supports: ${named}.`,
  );
}

/**
 * The access with other settings: where it is what was proposed for those of before, it follows them, so that a folder
 * that is chosen later can be used.
 */
export function accessAfter(
  manifest: BundleManifest,
  present: StdioConfig,
  settings: Settings,
): Pick<StdioConfig, 'access'> {
  const { bundle, access } = present;
  if (!bundle) return { ...(access && { access }) };
  const before = serverOf(manifest, bundle.hash, bundle).access;
  const isProposed = isNarrower(before, access) && isNarrower(access, before);
  const next = isProposed ? serverOf(manifest, bundle.hash, settings).access : access;
  return { ...(next && { access: next }) };
}

/** Why a server would not start here: the program that runs it is missing. */
export async function runtimeProblem(
  { command, env }: Pick<BundleLaunch, 'command' | 'env'>,
  hostEnvironment: NodeJS.ProcessEnv = process.env,
): Promise<ErrorInfo | undefined> {
  if (command.includes('${')) return undefined;
  const environment = childEnvironment({ command, env }, hostEnvironment);
  try {
    await resolveCommand({ command, args: [], env }, { environment, hostEnvironment });
    return undefined;
  } catch (error) {
    if (error instanceof CeriseError) return toErrorInfo(error);
    throw error;
  }
}
