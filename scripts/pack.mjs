import fs from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { program, webApp } from './build.mjs';
import { runQuietly, SetupError } from './run-quietly.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The name on npm; a scope may stand before it. */
const packageName = 'cerise';

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
    imports: { '#*.ts': { types: './lib/*.d.ts', default: './lib/*.js' } },
    exports: {
      ...Object.fromEntries(Object.entries(doors).map(([door, file]) => [door, entry(file)])),
      './package.json': './package.json',
    },
    files: ['bin', 'lib', 'dist'],
    sideEffects: false,
    dependencies,
    engines,
  };
}

/** Makes the folder of the package anew, and the archive of it in `target`. Resolves to the archive's path. */
export async function pack(target = path.join(root, 'dist')) {
  const folder = path.join(root, 'dist/package');
  fs.rmSync(folder, { recursive: true, force: true });
  await run(
    'typescript/bin/tsc',
    ['-p', 'tsconfig.package.json'],
    'TypeScript could not emit the library',
  );
  fs.renameSync(path.join(folder, 'src'), path.join(folder, 'lib'));
  writeScripts(path.join(folder, 'lib'));
  for (const part of [webApp, program]) {
    const args = ['build', '--config', part.config, '--outDir', path.join(folder, part.built)];
    await run(
      'vite/bin/vite.js',
      [...args, '--logLevel', 'warn'],
      `Vite could not build ${part.name}`,
    );
  }
  const copies = {
    'bin/packed.cjs': 'bin/cerise.cjs',
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
  fs.mkdirSync(target, { recursive: true });
  const npm = ['pack', '--ignore-scripts', '--pack-destination', target];
  await runQuietly('npm', npm, { cwd: folder, failure: 'npm could not pack the package' });
  const name = packageName.replace('@', '').replace('/', '-');
  return path.join(target, `${name}-${manifest.version}.tgz`);
}

/** Beside the types of each source its JavaScript. `#folder/file.ts` stays: `imports` of the package leads it. */
function writeScripts(folder) {
  for (const types of fs.globSync('**/*.d.ts', { cwd: folder })) {
    const name = types.replace(/\.d\.ts$/, '');
    const source = fs.readFileSync(path.join(root, 'src', `${name}.ts`), 'utf8');
    const script = stripTypeScriptTypes(source)
      .replaceAll(/[ \t]+$/gm, '')
      .replaceAll(/\n{3,}/g, '\n\n');
    fs.writeFileSync(path.join(folder, `${name}.js`), withScriptNames(script));
    const declared = fs.readFileSync(path.join(folder, types), 'utf8');
    fs.writeFileSync(path.join(folder, types), withScriptNames(declared));
  }
}

function withScriptNames(text) {
  return text.replaceAll(/((?:from|import)\s*\(?\s*['"]\.{1,2}\/[^'"\n]+)\.ts(['"])/g, '$1.js$2');
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
