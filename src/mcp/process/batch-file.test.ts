import { describe, expect, it } from 'vitest';
import { batchInvocation, isBatchFile } from './batch-file.ts';
import type { Machine } from './find-program.ts';

const shim = `@ECHO off\r
SETLOCAL\r
endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\srv\\dist\\index.js" %*\r
`;
const oldShim =
  '@IF EXIST "%~dp0\\node.exe" (\r\n  "%~dp0\\node.exe"  "%~dp0\\..\\srv\\cli.cjs" %*\r\n)';

function windows(text: string, files: string[] = []): Machine {
  const look: Machine['look'] = (file) => (files.includes(file) ? 'program' : 'none');
  return { platform: 'win32', look, read: () => text };
}

describe('batchInvocation', () => {
  it('runs the script behind a shim of npm without the command interpreter', () => {
    const args = ['--x', 'a & calc.exe', '%PATH%'];
    expect(batchInvocation('C:\\npm\\srv.cmd', args, windows(shim))).toEqual({
      file: process.execPath,
      args: ['C:\\npm\\node_modules\\srv\\dist\\index.js', ...args],
    });
    expect(batchInvocation('C:\\npm\\bin\\srv.cmd', [], windows(oldShim)).args).toEqual([
      'C:\\npm\\srv\\cli.cjs',
    ]);
  });

  it("runs npm's own npx by its script", () => {
    const script = 'C:\\nodejs\\node_modules\\npm\\bin\\npx-cli.js';
    expect(batchInvocation('C:\\nodejs\\npx.cmd', ['-y', 'a'], windows('', [script]))).toEqual({
      file: process.execPath,
      args: [script, '-y', 'a'],
    });
  });

  it('quotes harmless arguments of any other batch file', () => {
    const { args, verbatim } = batchInvocation('C:\\My Tools\\run.bat', ['a b', ''], windows(''));
    expect(args).toEqual(['/d', '/s', '/c', '""C:\\My Tools\\run.bat" "a b" """']);
    expect(verbatim).toBe(true);
  });

  it.each(['a&b', 'a|b', 'a"b', '%PATH%', '^', '!x!', '>f', 'a\nb', '(', ';', 'C:\\', '\u0000'])(
    'refuses %j, which cmd.exe could take for a command',
    (argument) => {
      expect(() => batchInvocation('C:\\run.bat', [argument], windows(''))).toThrowError(
        expect.objectContaining({ code: 'invalid_server' }),
      );
    },
  );
});

describe('isBatchFile', () => {
  it('knows both endings', () => {
    expect(['a.cmd', 'a.BAT', 'a.exe', 'cmd'].map(isBatchFile)).toEqual([true, true, false, false]);
  });
});
