import { resolve } from 'node:path';
import { shellSize } from '../../test/shell-size.ts';
import { pageFolder } from './pages.ts';

/** The JavaScript that a page loads first, gzipped: of Cerise, or of React alone. */
const [name = ''] = process.argv.slice(2);
const built = resolve(import.meta.dirname, '../../dist/web');
const folder = name === 'cerise' ? built : pageFolder(name);
console.log(JSON.stringify({ kilobytes: shellSize(folder) / 1024 }));
