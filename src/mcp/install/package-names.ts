import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

/** The folder of packages from a registry: one for each set of them. A tag was made a version before. */
export function folderName(packages: readonly string[], registryUrl: string | undefined): string {
  const key = JSON.stringify([packages, registryUrl ?? '']);
  const digest = createHash('sha256').update(key).digest('hex').slice(0, 12);
  return `${fileName(packages[0] ?? '').slice(0, 80)}-${digest}`;
}

/** The file that remembers which version the tag of a package meant last. */
export function tagFileName(spec: string): string {
  return `${fileName(spec)}.tag`;
}

/** A package as the name of a file begins with it. */
export function fileName(spec: string): string {
  return spec.replaceAll(/[^\w.@-]+/g, '+');
}

/** A file as text; undefined if it is not there. */
export function readText(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false }) && readFileSync(file, 'utf8');
}
