import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { program, webApp } from './build.mjs';
import { runQuietly, SetupError } from './run-quietly.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The name on npm; a scope may stand before it. */
const packageName = 'cerise';

/** The package is JavaScript and runs on this too; the clone runs its sources and is tested on `engines`. */
const alsoRunsOn = '^24.16.0';

/** What is built into the package, and where it stands there. */
const parts = [
  { name: 'the library', config: 'src/library/vite.config.ts', built: 'lib/library' },
  webApp,
  program,
];

/** What people import, after the name of the package. */
const doors = {
  '.': 'cerise',
  './shared': 'shared',
  './client': 'client',
  './mcp': 'mcp',
  './stream': 'stream',
};

/** The package.json of the package, from that of the clone: no dev package, no script, no Node of its own. */
export function packedManifest(manifest) {
  const { version, description, license, type, dependencies, engines } = manifest;
  const entry = (file) => ({
    types: `./lib/library/${file}.d.ts`,
    default: `./lib/library/${file}.js`,
  });
  return {
    name: packageName,
    version,
    description,
    license,
    keywords: ['mcp', 'model-context-protocol', 'chat', 'agent', 'llm'],
    type,
    bin: { cerise: 'bin/cerise.cjs' },
    imports: { '#*.ts': { types: './lib/*.d.ts' } },
    exports: {
      ...Object.fromEntries(Object.entries(doors).map(([door, file]) => [door, entry(file)])),
      './package.json': './package.json',
    },
    files: ['bin', 'lib', 'dist'],
    sideEffects: false,
    dependencies,
    engines: { node: `${alsoRunsOn} || ${engines.node}` },
  };
}

/** Makes the folder of the package anew, and the archive of it in `target`. Resolves to the archive's path. */
export async function pack(target = path.join(root, 'dist')) {
  fs.mkdirSync(path.join(root, 'dist'), { recursive: true });
  // A folder of its own until it is whole: others may pack at the same time.
  const folder = fs.mkdtempSync(path.join(root, 'dist/package-'));
  try {
    return await packIn(folder, target);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function packIn(folder, target) {
  await run(
    'typescript/bin/tsc',
    ['-p', 'tsconfig.package.json', '--outDir', folder],
    'TypeScript could not emit the types of the library',
  );
  fs.renameSync(path.join(folder, 'src'), path.join(folder, 'lib'));
  nameScripts(path.join(folder, 'lib'));
  for (const part of parts) {
    const args = ['build', '--config', part.config, '--outDir', path.join(folder, part.built)];
    await run(
      'vite/bin/vite.js',
      [...args, '--logLevel', 'warn'],
      `Vite could not build ${part.name}`,
    );
  }
  const copies = {
    'bin/packed.cjs': 'bin/cerise.cjs',
    'bin/end-with-parent.cjs': 'bin/end-with-parent.cjs',
    'bin/node-range.cjs': 'bin/node-range.cjs',
    'bin/pinned-node.mjs': 'bin/pinned-node.mjs',
    'README.md': 'README.md',
    LICENSE: 'LICENSE',
    'CHANGELOG.md': 'CHANGELOG.md',
  };
  fs.mkdirSync(path.join(folder, 'bin'));
  for (const [from, to] of Object.entries(copies))
    fs.copyFileSync(path.join(root, from), path.join(folder, to));
  fs.chmodSync(path.join(folder, 'bin/cerise.cjs'), 0o755);
  const manifest = packedManifest(
    JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')),
  );
  fs.writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  fs.chmodSync(folder, 0o755);
  fs.mkdirSync(target, { recursive: true });
  const npm = ['pack', '--ignore-scripts', '--pack-destination', target];
  await runQuietly('npm', npm, { cwd: folder, failure: 'npm could not pack the package' });
  replaceFolder(path.join(root, 'dist/package'), folder);
  const name = packageName.replace('@', '').replace('/', '-');
  return path.join(target, `${name}-${manifest.version}.tgz`);
}

/** Another that packs may have put its folder there in between. */
function replaceFolder(present, next) {
  for (;;) {
    fs.rmSync(present, { recursive: true, force: true });
    try {
      return fs.renameSync(next, present);
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
    }
  }
}

/** Types name the JavaScript that they are of. `#folder/file.ts` stays: `imports` of the package leads it. */
function nameScripts(folder) {
  for (const name of fs.globSync('**/*.d.ts', { cwd: folder })) {
    const types = path.join(folder, name);
    const text = fs.readFileSync(types, 'utf8');
    const named = text.replaceAll(
      /((?:from|import)\s*\(?\s*['"]\.{1,2}\/[^'"\n]+)\.ts(['"])/g,
      '$1.js$2',
    );
    fs.writeFileSync(types, named);
  }
}

function run(script, args, failure) {
  return runQuietly(process.execPath, [path.join(root, 'node_modules', script), ...args], {
    cwd: root,
    failure,
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    console.log(await pack(process.argv[2]));
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
