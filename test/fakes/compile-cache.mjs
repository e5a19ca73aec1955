import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Where bin/run-program.mjs has it too: a fake that is started often need not be stripped of its types each time.
module.enableCompileCache(fileURLToPath(new URL('../../.cache/compile', import.meta.url)));
