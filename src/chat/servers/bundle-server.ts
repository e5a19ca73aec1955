import { type BundleLaunch, launchOf } from '#mcp/bundles/bundle-launch.ts';
import type { BundleManifest } from '#mcp/bundles/manifest.ts';
import { childEnvironment } from '#mcp/process/environment.ts';
import { resolveCommand } from '#mcp/process/resolve-command.ts';
import { CeriseError, type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import type { ServerBundle } from '#shared/vocabulary/server/server-bundle.ts';
import type { StdioConfig } from '#shared/vocabulary/server.ts';

type Settings = Pick<ServerBundle, 'values' | 'secrets'>;

/** The server that a bundle becomes. Nothing else that the bundle says of itself takes effect. */
export function serverOf(
  manifest: BundleManifest,
  hash: string,
  { values, secrets }: Settings,
): StdioConfig {
  const { name, version, author, description } = manifest;
  return {
    type: 'stdio',
    name: titleOf(manifest),
    ...(description && { description: truncate(description, 4096) }),
    ...launchOf(manifest),
    bundle: { hash, name, version, publisher: author.name, values, secrets },
  };
}

/** The same in the place of one that is installed: what a person set besides its launch stays. */
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
