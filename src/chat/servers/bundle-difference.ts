import type { Bundle } from '#mcp/bundles/read-bundle.ts';
import type { BundleDifference } from '#shared/api/bundle-api.ts';
import type { StdioConfig } from '#shared/vocabulary/server.ts';

/** One version of a bundle and what it runs, or would run. */
interface Version {
  bundle: Bundle;
  config: StdioConfig;
}

/** What an update changes. Names and versions are the bundle's own words. */
export function bundleDifference(before: Version, after: Version): BundleDifference {
  const [old, next] = [before.config, after.config];
  const text = (a: string, b: string) => (a === b ? undefined : { before: a, after: b });
  const version = text(old.bundle?.version ?? '', next.bundle?.version ?? '');
  const publisher = text(old.bundle?.publisher ?? '', next.bundle?.publisher ?? '');
  const command = text(old.command, next.command);
  const isSame = JSON.stringify(old.args) === JSON.stringify(next.args);
  const args = isSame ? undefined : { before: old.args, after: next.args };
  const [oldNames, newNames] = [Object.keys(old.env), Object.keys(next.env)];
  const both = newNames.filter((name) => Object.hasOwn(old.env, name));
  return {
    ...(version && { version }),
    ...(publisher && { publisher }),
    ...(command && { command }),
    ...(args && { args }),
    env: {
      ...compared(oldNames, newNames),
      changed: both.filter((name) => old.env[name] !== next.env[name]),
    },
    settings: compared(settingsOf(before), settingsOf(after)),
    files: filesChanged(before.bundle, after.bundle),
  };
}

function settingsOf({ bundle }: Version): string[] {
  return Object.keys(bundle.manifest.user_config);
}

function compared(before: readonly string[], after: readonly string[]) {
  return {
    added: after.filter((name) => !before.includes(name)),
    removed: before.filter((name) => !after.includes(name)),
  };
}

function filesChanged({ files: before }: Bundle, { files: after }: Bundle) {
  const hashes = new Map(before.map(({ path, hash }) => [path, hash]));
  const paths = new Set(after.map(({ path }) => path));
  return {
    added: after.filter(({ path }) => !hashes.has(path)).length,
    removed: before.filter(({ path }) => !paths.has(path)).length,
    changed: after.filter(({ path, hash }) => hashes.has(path) && hashes.get(path) !== hash).length,
  };
}
