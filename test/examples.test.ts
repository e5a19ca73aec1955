import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs Node as a program that has installed the package, and gives what it printed. */
async function run(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  return stdout.trim();
}

const outputs: Record<string, string> = {
  'ask-once': 'success true',
  'http-route': '200 success',
  'durable-host': 'true success',
  'streaming-callbacks':
    'thought: A greeting is due.\ntext: Hello \ntext: there\nsuccess thinking,main_text',
  'own-block-store': 'answer-1.0 main_text success Kept by you.',
  'server-in-memory': 'Hello Ada',
  'convert-tools': "mcp__greeter__greet\n[ 'name' ]\n1\nHello Ada",
  approval: 'files idle\nstranger draft',
  'page-state': 'true Hello',
};
/** What examples import of each other. */
const helpers = ['ask', 'greeter'];

describe('the examples', () => {
  it('are all run', () => {
    const names = globSync('examples/*', { cwd: root }).map((file) => basename(file, '.mjs'));
    expect(names.toSorted()).toEqual([...Object.keys(outputs), ...helpers].toSorted());
  });

  it.each(Object.entries(outputs))('%s prints what it should', async (name, output) => {
    expect(await run(`examples/${name}.mjs`)).toBe(output);
  });
});

describe('the code in docs/library.md', () => {
  const text = readFileSync(`${root}/docs/library.md`, 'utf8');
  const blocks = [...text.matchAll(/^```js\n([^]*?)^```/gm)].map(([, code = '']) => code);

  it('is there', () => expect(blocks.length).toBe(3));

  it.each(blocks)('prints what its last lines say: %#', async (code) => {
    const printed = [...code.matchAll(/^\/\/ (.*)$/gm)].map(([, line]) => line).join('\n');
    expect(printed).not.toBe('');
    expect(await run('--input-type=module', '-e', code)).toBe(printed);
  });
});
