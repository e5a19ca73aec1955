/**
 * `npm run standalone:check [ARCHIVE]`: the self-contained archive on a file system that has a C library, a shell and
 * a few tools, but no Node, no npm and no network beyond itself. It is unpacked and installed there, answers in the
 * terminal and over HTTP, and stops. Needs bubblewrap.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { makeStandalone } from './standalone.mjs';

/** All that the system has. Nothing of these is Node, and none of Node's libraries but libc is among theirs. */
const tools = ['sh', 'tar', 'gzip', 'sha256sum', 'uname', 'id', 'mkdir', 'rm', 'cp', 'mv', 'ln'];
const more = ['dirname', 'readlink', 'sleep', 'cat', 'kill', 'ls'];

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'cerise-bare-'));
try {
  const archive = process.argv[2] ?? (await makeStandalone(place));
  const system = makeSystem(path.join(place, 'system'));
  fs.copyFileSync(archive, path.join(system, 'root/cerise.tar.gz'));
  const use = fileURLToPath(new URL('use-server.mjs', import.meta.url));
  fs.copyFileSync(use, path.join(system, 'root/use-server.mjs'));
  const sum = fs.readFileSync(`${archive}.sha256`, 'utf8').split(' ')[0];
  fs.writeFileSync(path.join(system, 'root/sum'), `${sum}  cerise.tar.gz\n`);
  say(
    'no Node, no npm, none of its libraries',
    shell(
      '! command -v node && ! command -v npm && ! ls /lib/x86_64-linux-gnu/libstdc++* 2>/dev/null',
    ),
  );
  say('checksum', shell('sha256sum -c sum'));
  say(
    'install',
    shell('tar -xzf cerise.tar.gz && rm cerise.tar.gz && cerise-*/install.sh && rm -rf cerise-*'),
  );
  say('again, over itself', shell('/usr/local/lib/cerise/install.sh /opt && ls /opt/bin'));
  const answer = shell("cerise chat 'What is 6*7?'");
  if (!answer.includes('42')) throw new Error(answer);
  say('answers in the terminal', answer.split('\n')[0]);
  say('signs in, answers over HTTP, stops', serves());
  say(
    'npm for servers',
    shell('$NODE /usr/local/lib/cerise/node/lib/node_modules/npm/bin/npm-cli.js --version'),
  );
} finally {
  fs.rmSync(place, { recursive: true, force: true });
}

/** Starts the server inside, uses it from inside by its own Node, and ends it with SIGTERM. */
function serves() {
  const said = shell(`
    cerise serve > log 2>&1 & server=$!
    until cat log | { read line && test -n "$line"; }; do sleep 0.2; done
    link=$(cerise sign-in | while read line; do case $line in http*) echo "$line" ;; esac; done)
    $NODE use-server.mjs http://127.0.0.1:4310 "$link" > topic || { cat log; kill $server; exit 1; }
    kill -TERM $server; wait $server; echo "stopped with $?"; cat log`);
  if (!said.includes('stopped with 0')) throw new Error(said);
  return said;
}

/** A root folder of the tools with the libraries they are linked to, and nothing else. */
function makeSystem(folder) {
  for (const each of [
    'bin',
    'lib64',
    'lib/x86_64-linux-gnu',
    'root',
    'tmp',
    'usr/local',
    'opt',
    'etc',
    'proc',
    'dev',
  ])
    fs.mkdirSync(path.join(folder, each), { recursive: true });
  const copied = new Set();
  const copy = (file, to) => {
    if (copied.has(to)) return;
    copied.add(to);
    fs.copyFileSync(fs.realpathSync(file), path.join(folder, to));
    fs.chmodSync(path.join(folder, to), 0o755);
  };
  const copyLibrary = (file) => {
    const isLoader = path.basename(file).startsWith('ld-linux');
    copy(file, `${isLoader ? 'lib64' : 'lib/x86_64-linux-gnu'}/${path.basename(file)}`);
  };
  for (const tool of [...tools, ...more]) {
    const file = execFileSync('sh', ['-c', `command -v -- ${tool} || true`], {
      encoding: 'utf8',
    }).trim();
    const found = file.startsWith('/')
      ? file
      : ['/bin', '/usr/bin'].map((each) => `${each}/${tool}`).find(fs.existsSync);
    if (found === undefined) continue;
    copy(found, `bin/${tool}`);
    for (const [library] of execFileSync('ldd', [found], { encoding: 'utf8' }).matchAll(
      /\/\S+\.so\S*/g,
    ))
      copyLibrary(library);
  }
  // What libc itself loads, and what Node takes of it by its old names.
  for (const name of [
    'libc.so.6',
    'libm.so.6',
    'libdl.so.2',
    'libpthread.so.0',
    'libresolv.so.2',
  ]) {
    const found = ['/lib/x86_64-linux-gnu', '/lib64', '/usr/lib64']
      .map((each) => `${each}/${name}`)
      .find(fs.existsSync);
    if (found) copyLibrary(found);
  }
  fs.writeFileSync(path.join(folder, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  return folder;
}

function jail() {
  const system = path.join(place, 'system');
  const environment = {
    PATH: '/usr/local/bin:/bin',
    HOME: '/root',
    NODE: '/usr/local/lib/cerise/node/bin/node',
    CERISE_DISCOVER: '0',
    CERISE_DEMO_PACE: '0',
  };
  const places = ['--bind', system, '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'];
  const alone = ['--unshare-all', '--die-with-parent', '--uid', '0', '--gid', '0', '--clearenv'];
  return [
    ...places,
    ...alone,
    '--chdir',
    '/root',
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}

function shell(script) {
  return execFileSync('bwrap', [...jail(), '/bin/sh', '-c', script], { encoding: 'utf8' }).trim();
}

function say(what, said) {
  console.log(`ok  ${what}${said ? `: ${said.replaceAll('\n', ' · ')}` : ''}`);
}
