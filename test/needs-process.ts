import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** What a test has in it, or in a helper of the tests, that starts a process or a browser. */
const marks = /node:child_process|process\.execPath|playwright-core|^\/\/ Starts processes\.$/m;
const imports = /^(?:import|export|\}) ?.*'(\.[^']+\.ts)';$/gm;

/**
 * Whether a test file starts processes, by its own text and that of the helpers it imports. What src starts for it
 * cannot be seen here: such a file says `// Starts processes.`, and no-process.ts fails it if it does not.
 */
export function needsProcess(file: string, texts = new Map<string, string>()): boolean {
  const path = resolve(file);
  if (texts.has(path)) return false;
  const text = readFileSync(path, 'utf8');
  texts.set(path, text);
  if (marks.test(text)) return true;
  return [...text.matchAll(imports)]
    .map(([, specifier = '']) => resolve(dirname(path), specifier))
    .some((helper) => /\/(?:test|bench)\//.test(helper) && needsProcess(helper, texts));
}
