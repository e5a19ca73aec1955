import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { runQuietly } from './run-quietly.mjs';

/** The page, which sees no more of our sources than these. */
export const webApp = {
  name: 'the web app',
  config: 'src/web/vite.config.ts',
  built: 'dist/web',
  proof: 'index.html',
  isSource: (folder) => ['web', 'shared', 'client'].includes(folder),
};

/** The program, in a few files that start faster than its sources. */
export const program = {
  name: 'the program',
  config: 'src/cli/vite.config.ts',
  built: 'dist/host',
  proof: 'cerise.mjs',
  isSource: (folder) => folder !== 'web',
};

/** Whether a part was built from the sources as they are now. */
export function isBuilt(root, { built, proof, isSource }) {
  const stamp = path.join(root, `${built}.stamp`);
  if (!fs.existsSync(path.join(root, built, proof)) || !fs.existsSync(stamp)) return false;
  return fs.readFileSync(stamp, 'utf8') === sourceHash(root, isSource);
}

/** Builds a part with Vite beside the present one and then swaps the two. */
export async function build(root, node, { name, config, built, isSource }) {
  const hash = sourceHash(root, isSource);
  const next = path.join(root, `${built}.next`);
  const old = path.join(root, `${built}.old`);
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const args = ['build', '--config', config, '--outDir', next, '--emptyOutDir'];
  await runQuietly(node, [vite, ...args, '--logLevel', 'warn'], {
    cwd: root,
    failure: `Vite could not build ${name}`,
    // A run of the tests has NODE_ENV=test, which would bring the development build of React.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  keepRecent(path.join(root, built), next);
  fs.rmSync(path.join(root, `${built}.stamp`), { force: true });
  fs.rmSync(old, { recursive: true, force: true });
  if (fs.existsSync(path.join(root, built))) fs.renameSync(path.join(root, built), old);
  fs.renameSync(next, path.join(root, built));
  fs.rmSync(old, { recursive: true, force: true });
  fs.writeFileSync(path.join(root, `${built}.stamp`), hash);
}

/** How long files of earlier builds stay. */
const keptMs = 24 * 60 * 60_000;

/** A host that runs, or a page that is open, loads parts of the build it came from when it first needs them. */
function keepRecent(present, next) {
  if (!fs.existsSync(present)) return;
  const isRecent = (file) => {
    const stats = fs.statSync(file);
    return stats.isDirectory() || Date.now() - stats.mtimeMs < keptMs;
  };
  const options = { recursive: true, force: false, preserveTimestamps: true, filter: isRecent };
  fs.cpSync(present, next, options);
}

/** By content, so that a checkout or a touch that changes nothing builds nothing. */
function sourceHash(root, isSource) {
  const hash = crypto.createHash('sha256');
  const folders = fs.readdirSync(path.join(root, 'src')).filter(isSource);
  const files = folders.flatMap((folder) => listFiles(path.join(root, 'src', folder)));
  const manifests = ['package.json', 'package-lock.json'].map((name) => path.join(root, name));
  for (const file of [...files, ...manifests]) {
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(fs.readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(place) {
  if (fs.statSync(place).isFile()) return [place];
  return fs
    .readdirSync(place, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(place, entry.name);
      if (entry.isDirectory()) return listFiles(file);
      return entry.isFile() && !/\.test\.tsx?$/.test(entry.name) ? [file] : [];
    });
}
