import { extname } from 'node:path';

/** A script that is run by itself, named by its source: where the program is built, it stands beside it as JavaScript. */
export function scriptUrl(source: URL): URL {
  return import.meta.url.endsWith('.ts')
    ? source
    : new URL(source.href.replace(/\.ts$/, extname(import.meta.url)));
}
