import { createRequire } from 'node:module';
import type * as Undici from 'undici';

const require = createRequire(import.meta.url);

/** The HTTP client. It is large, so it is loaded with the first request that leaves. */
export function undici(): typeof Undici {
  return require('undici') as typeof Undici;
}
