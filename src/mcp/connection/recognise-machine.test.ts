import { describe, expect, it } from 'vitest';
import type { EndCause } from './end-cause.ts';
import { recogniseEnd } from './recognise-end.ts';

describe('an end on this machine', () => {
  it.each<[line: string, cause: EndCause]>([
    ['Error: stdin is not a TTY. Run it in an interactive terminal.', { kind: 'terminal' }],
    ['TypeError: process.stdin.setRawMode is not a function', { kind: 'terminal' }],
    [
      '❌ .env file not found. Copy .env.example to .env and fill it in.',
      { kind: 'absent', path: '.env' },
    ],
    [
      'Error: OAuth keys file not found. Please place gcp-oauth.keys.json in current directory or /home/ana/.gmail-mcp.',
      { kind: 'absent', path: 'gcp-oauth.keys.json' },
    ],
    [
      '[DEBUG 2026-11-20T00:08:30.107Z] Uncaught exception: Error: No config file found at /home/ana/.config/default.toml',
      { kind: 'absent', path: '/home/ana/.config/default.toml' },
    ],
    ['Config file found at /home/ana/default.toml, but token is invalid', { kind: 'refused' }],
  ])('%s', (line, cause) => {
    const output = { stderr: [line], stdout: [] };
    expect(recogniseEnd({ output, config: { args: [], env: {} } }).cause).toEqual(cause);
  });

  it('names a path that means nothing here as it was typed', () => {
    const end = (word: string) => {
      const stderr = [`Error: Cannot find module '/data/servers/1/${word}'`];
      const config = { command: 'node', args: [word], env: {} };
      return recogniseEnd({ output: { stderr, stdout: [] }, config }).cause;
    };
    expect(end('~/mcp/index.js')).toEqual({ kind: 'file', path: '~/mcp/index.js' });
    expect(end('C:\\Users\\me\\index.js')).toEqual({
      kind: 'file',
      path: 'C:\\Users\\me\\index.js',
    });
  });

  it('reads what programs of Windows write in UTF-16', () => {
    const stderr = [Buffer.from('Error: no key', 'utf16le').toString('utf8')];
    expect(
      recogniseEnd({ output: { stderr, stdout: [] }, config: { args: [], env: {} } }).line,
    ).toBe('Error: no key');
  });

  it('knows a question from other last lines', () => {
    const waiting = (line: string) =>
      recogniseEnd({
        output: { stderr: [], stdout: [line] },
        silent: true,
        config: { args: [], env: {} },
      }).cause?.kind;
    expect(waiting('? Do you accept the terms of service? (y/N) ')).toBe('prompt');
    expect(waiting('Password:')).toBe('prompt');
    expect(waiting('Type: stdio')).not.toBe('prompt');
    expect(waiting('Ready')).not.toBe('prompt');
  });
});
