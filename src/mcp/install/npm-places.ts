import { mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { systemCode } from '#shared/errors/system-code.ts';
import { findProgram, variable } from '../process/find-program.ts';

/** What npm needs outside of the folder that it installs into. */
export interface NpmPlaces {
  /** Where it finds them. */
  env: Record<string, string>;
  /** Its settings, and the certificates that they name. */
  readable: string[];
  /** Its cache, or those of the browsers that packages download at their installation. */
  writable: string[];
}

const maxSettingsBytes = 1024 * 1024;
/** Settings with which npm shows who it is. */
const credential =
  /(?:^|[:_])(?:_?auth|_?authtoken|_?password|username|email|otp|key|cert|keyfile|certfile)$/i;
/** Where tools keep what they download for all who use them. */
const browsers = { puppeteer: 'PUPPETEER_CACHE_DIR', playwright: 'PLAYWRIGHT_BROWSERS_PATH' };

/** Finds the settings and the cache of npm as it would itself, with these variables over those of the host. */
export function npmPlaces(env: Record<string, string>): NpmPlaces {
  const own = { ...(process.env as Record<string, string>), ...env };
  const home = variable(own, 'HOME') ?? homedir();
  const given = (name: string) => variable(env, `npm_config_${name}`);
  const files = settingsFiles(env);
  const user = userSettings(env, home);
  const settings = files.flatMap((file) => readSettings(file, own, home));
  const cache =
    given('cache') ?? settings.find(([name]) => name === 'cache')?.[1] ?? join(home, '.npm');
  const named = settings.flatMap(([name, value]) =>
    /(?:^|:)(?:ca|cert|key)file$/.test(name) ? value : [],
  );
  const writable = [cache].filter(canBeMade);
  return {
    env: {
      HOME: home,
      ...(isFile(user) && { npm_config_userconfig: realpathSync(user) }),
      npm_config_cache: cache,
    },
    readable: [...files, ...named.filter(isFile)],
    writable,
  };
}

/**
 * The same for the scripts that packages run at their installation: the settings without credentials, and what is only
 * theirs in a folder that goes with it. Of the person's files, the browsers that they download.
 */
export function scriptPlaces(
  folder: string,
  env: Record<string, string>,
  packages: readonly string[],
): NpmPlaces {
  const own = { ...(process.env as Record<string, string>), ...env };
  const files = settingsFiles(env);
  const settings = join(folder, 'npmrc');
  writeFileSync(settings, files.toReversed().map(withoutCredentials).join('\n'), { mode: 0o600 });
  const home = variable(own, 'HOME') ?? homedir();
  const needed = Object.entries(browsers).filter(([name]) =>
    packages.some((each) => each.startsWith(name)),
  );
  const caches = needed.map(([name, key]): [string, string] => [
    key,
    join(home, '.cache', name === 'playwright' ? 'ms-playwright' : name),
  ]);
  return {
    env: {
      HOME: folder,
      npm_config_userconfig: settings,
      npm_config_globalconfig: '/dev/null',
      npm_config_cache: join(folder, 'cache'),
      ...Object.fromEntries(caches),
    },
    readable: files.flatMap((file) => certificatesIn(readSettings(file, own, home))),
    writable: caches.map(([, path]) => path).filter(canBeMade),
  };
}

/** Whether somebody wants no scripts of packages to run. */
export function refusesScripts(env: Record<string, string>): boolean {
  const given = variable(env, 'npm_config_ignore_scripts');
  if (given !== undefined) return given === 'true';
  const isSet = (text: string) => /^\s*ignore-scripts\s*=\s*"?true\b/m.test(text);
  return settingsFiles(env).some((file) => isSet(readText(file)));
}

/** Whether a variable shows who npm is. */
export function isCredential(name: string): boolean {
  return credential.test(name);
}

function withoutCredentials(file: string): string {
  const nameOf = (line: string) => /^\s*([^#;=\s][^=]*?)\s*=/.exec(line)?.[1] ?? '';
  return readText(file)
    .split('\n')
    .filter((line) => !isCredential(nameOf(line)))
    .join('\n');
}

/** The settings that npm reads, those that count more first. */
function settingsFiles(env: Record<string, string>): string[] {
  const own = { ...(process.env as Record<string, string>), ...env };
  const user = userSettings(env, variable(own, 'HOME') ?? homedir());
  const everybody = variable(env, 'npm_config_globalconfig') ?? globalSettings(own);
  return [user, everybody, '/etc/npmrc'].filter(isFile);
}

function userSettings(env: Record<string, string>, home: string): string {
  return variable(env, 'npm_config_userconfig') ?? join(home, '.npmrc');
}

/** The settings of everybody who uses the same Node. */
function globalSettings(env: Record<string, string>): string {
  const node = findProgram('node', env);
  const program = node && 'file' in node ? realpathSync(node.file) : process.execPath;
  return join(dirname(dirname(program)), 'etc/npmrc');
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Whether a folder is there, by now. */
function canBeMade(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return true;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

/** `name = value` lines; what npm fills in and shortens in a path is filled in. */
function readSettings(
  file: string,
  env: Record<string, string>,
  home: string,
): [name: string, value: string][] {
  return readText(file)
    .split('\n')
    .flatMap((line): [string, string][] => {
      const [, name, value = ''] = /^\s*([^#;=\s][^=]*?)\s*=\s*"?(.*?)"?\s*$/.exec(line) ?? [];
      if (name === undefined || value === '') return [];
      const filled = value.replaceAll(/\$\{([^}]+)\}/g, (all, key: string) => env[key] ?? all);
      return [[name, resolve(home, filled.replace(/^~(?=\/)/, home))]];
    });
}

/** The certificates of authorities that settings name. */
function certificatesIn(settings: [name: string, value: string][]): string[] {
  return settings.flatMap(([name, value]) =>
    /(?:^|:)cafile$/.test(name) && isFile(value) ? value : [],
  );
}

function readText(file: string): string {
  const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return size > maxSettingsBytes ? '' : readFileSync(file, 'utf8');
}
