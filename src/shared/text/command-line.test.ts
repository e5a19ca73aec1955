import { describe, expect, it } from 'vitest';
import { splitCommandLine } from './command-line.ts';

describe('splitCommandLine', () => {
  it.each([
    ['npx -y pkg', ['npx', '-y', 'pkg']],
    ['  a\t b\n', ['a', 'b']],
    ['', []],
    [`--name "two words" 'it is'`, ['--name', 'two words', 'it is']],
    [`"" ''`, ['', '']],
    [`a"b c"d`, ['ab cd']],
    [`a\\ b "say \\"hi\\""`, ['a b', 'say "hi"']],
    [`'\\"'`, ['\\"']],
    ['C:\\Users\\me\\x.js', ['C:\\Users\\me\\x.js']],
    ['$HOME `id` ; rm *', ['$HOME', '`id`', ';', 'rm', '*']],
  ])('splits %j', (line, words) => {
    expect(splitCommandLine(line)).toEqual(words);
  });

  it('does not guess where a quote ends', () => {
    expect(splitCommandLine('a "b')).toBeUndefined();
    expect(splitCommandLine("it's")).toBeUndefined();
  });
});
