import { basename } from 'node:path';
import type { StdioConfig } from '#shared/vocabulary/server.ts';

const inherited: ReadonlySet<string> = new Set(
  `PATH HOME USER LOGNAME SHELL TERM TZ TMPDIR TEMP TMP LANG LANGUAGE
   XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR
   SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS
   APPDATA LOCALAPPDATA COMSPEC HOMEDRIVE HOMEPATH PATHEXT PROGRAMDATA PROGRAMFILES
   PROGRAMFILES(X86) SYSTEMDRIVE SYSTEMROOT USERNAME USERPROFILE WINDIR`.split(/\s+/),
);

/**
 * What a child process sees: an allow-list of the host's environment, then the config's own values.
 * Nothing of the host's settings or secrets, and no exported shell functions.
 */
export function childEnvironment(
  config: Pick<StdioConfig, 'command' | 'env' | 'registryUrl'>,
  host: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    if (value === undefined || value.startsWith('()')) continue;
    if (isInherited(name)) environment[name] = value;
  }
  return { ...environment, ...registryVariables(config), ...config.env };
}

/** Whether a variable of the host is on the allow-list. */
export function isInherited(name: string): boolean {
  const upper = name.toUpperCase();
  return inherited.has(upper) || upper.startsWith('LC_');
}

/** The variable that each tool reads its registry from; what a command starts may be any of its kind. */
function registryVariables({
  command,
  registryUrl: url,
}: Pick<StdioConfig, 'command' | 'registryUrl'>): Record<string, string> {
  if (url === undefined) return {};
  const python = /^(?:uvx?|pipx?\d*|py|python[\d.]*)(?:\.exe)?$/i.test(basename(command));
  if (python) return { UV_DEFAULT_INDEX: url, UV_INDEX_URL: url, PIP_INDEX_URL: url };
  return {
    npm_config_registry: url,
    pnpm_config_registry: url,
    BUN_CONFIG_REGISTRY: url,
    YARN_NPM_REGISTRY_SERVER: url,
  };
}
