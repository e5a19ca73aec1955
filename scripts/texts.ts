/**
 * Prints a Markdown table of the English texts that differ between a commit and the working tree, for the review
 * of wording: texts of the page, sentences of host and command line, texts of built-in tools.
 *
 *   npm run texts -- COMMIT > texts.md
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addTexts, mayHaveTexts, type Texts } from './english-texts.ts';
import { textsTable } from './texts-table.ts';

const root = join(import.meta.dirname, '..');
/** Far more than our sources; a commit with more is none of ours. */
const maxBytes = 256 * 1024 * 1024;

function git(args: string[], input = ''): Buffer {
  const { status, stdout, stderr, error } = spawnSync('git', args, {
    cwd: root,
    input,
    maxBuffer: maxBytes,
  });
  if (status === 0) return stdout;
  throw new Error(error?.message ?? stderr.toString().trim());
}

/** Reads all files with one process, as `<id> blob <size>`, the bytes, a line end. */
function textsAt(commit: string): Texts {
  const paths = git(['ls-tree', '-rz', '--name-only', commit, 'src'])
    .toString()
    .split('\0')
    .filter(mayHaveTexts);
  const files = git(['cat-file', '--batch'], paths.map((path) => `${commit}:${path}\n`).join(''));
  const texts: Texts = new Map();
  let at = 0;
  for (const path of paths) {
    const start = files.indexOf(10, at) + 1;
    const end = start + Number(files.toString('utf8', at, start).split(' ')[2]);
    addTexts(texts, path, files.toString('utf8', start, end));
    at = end + 1;
  }
  return texts;
}

function textsHere(): Texts {
  const texts: Texts = new Map();
  for (const path of globSync('src/**/*.{ts,tsx}', { cwd: root }).filter(mayHaveTexts))
    addTexts(texts, path, readFileSync(join(root, path), 'utf8'));
  return texts;
}

const [name = ''] = process.argv.slice(2);
try {
  const commit = git(['rev-parse', '--verify', '--end-of-options', `${name}^{commit}`]);
  process.stdout.write(textsTable(textsAt(commit.toString().trim()), textsHere()));
} catch (error) {
  console.error(`Usage: npm run texts -- COMMIT\n${(error as Error).message}`);
  process.exitCode = 2;
}
