import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The bytes, gzipped, of the JavaScript that a built page names, with what it preloads. */
export function shellSize(folder: string): number {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const files = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)];
  return files
    .map(([, file = '']) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length)
    .reduce((sum, size) => sum + size, 0);
}
