import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { runQuietly } from './run-quietly.mjs';

const built = 'dist/web';
const stampFile = 'dist/web.stamp';

/** Whether dist/web was built from the sources as they are now. */
export function isWebAppBuilt(root) {
  const stamp = path.join(root, stampFile);
  if (!fs.existsSync(path.join(root, built, 'index.html')) || !fs.existsSync(stamp)) return false;
  return fs.readFileSync(stamp, 'utf8') === sourceHash(root);
}

/** Builds the web app with Vite beside the present one and then swaps the two. */
export async function buildWebApp(root, node) {
  const hash = sourceHash(root);
  const next = path.join(root, `${built}.next`);
  const old = path.join(root, `${built}.old`);
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const args = ['build', '--config', 'src/web/vite.config.ts', '--outDir', next, '--emptyOutDir'];
  await runQuietly(node, [vite, ...args, '--logLevel', 'warn'], {
    cwd: root,
    failure: 'Vite could not build the web app',
  });
  fs.rmSync(path.join(root, stampFile), { force: true });
  fs.rmSync(old, { recursive: true, force: true });
  if (fs.existsSync(path.join(root, built))) fs.renameSync(path.join(root, built), old);
  fs.renameSync(next, path.join(root, built));
  fs.rmSync(old, { recursive: true, force: true });
  fs.writeFileSync(path.join(root, stampFile), hash);
}

/** By content, so that a checkout or a touch that changes nothing builds nothing. */
function sourceHash(root) {
  const hash = crypto.createHash('sha256');
  const files = ['src/web', 'src/shared'].flatMap((folder) => listFiles(path.join(root, folder)));
  for (const file of [...files, path.join(root, 'package-lock.json')]) {
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(fs.readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(folder) {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return listFiles(file);
      return entry.isFile() && !/\.test\.tsx?$/.test(entry.name) ? [file] : [];
    });
}
