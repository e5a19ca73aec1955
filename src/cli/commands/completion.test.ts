// Starts processes.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { run } from '../../../test/fixtures/cerise-in-process.ts';

/** What bash itself would offer after these words; the last one is not finished. */
async function offered(...words: string[]): Promise<string[]> {
  const { stdout } = await run(['completion', 'bash']);
  const typed = ['cerise', ...words].map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _cerise; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const text = execFileSync('bash', ['-c', `${stdout}\n${ask}`], { encoding: 'utf8' });
  return text.split('\n').filter((line) => line !== '');
}

describe('completion', () => {
  it('offers commands, their commands and their options in bash', async () => {
    expect(await offered('')).toEqual(expect.arrayContaining(['chat', 'mcp', 'topics', 'serve']));
    expect(await offered('mc')).toEqual(['mcp']);
    expect(await offered('mcp', 'app')).toEqual(['approve']);
    expect(await offered('chat', '--mo')).toEqual(['--model']);
    expect(await offered('mcp', 'call', '--ar')).toEqual(['--arg']);
    expect(await offered('topics', 'ex')).toEqual(['export']);
    expect(await offered('topics', 'export', '--f')).toEqual(['--format']);
    expect(await offered('completion', '')).toEqual(
      expect.arrayContaining(['bash', 'zsh', 'fish']),
    );
  });

  it.each(['zsh', 'fish'])('says in %s what each word does, in the language', async (shell) => {
    const english = await run(['completion', shell]);
    expect(english.stdout).toContain('Call a tool');
    const chinese = await run(['completion', shell], { CERISE_LANG: 'zh' });
    expect(chinese.stdout).toContain('列出可用的模型');
  });
});
