import { win32 } from 'node:path';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Machine } from './find-program.ts';

/** How to run a file; `verbatim` means that the arguments are quoted already (Windows). */
export interface Invocation {
  file: string;
  args: string[];
  verbatim?: boolean;
}

/** The script at the end of a shim as npm writes it for each program of a package. */
const shimTarget = /"%(?:~dp0|dp0%)\\([^"%\r\n]+\.[cm]?js)"\s+%\*/i;
/** Nothing in here means anything to cmd.exe inside quotes. */
const harmless = /^[\w \-./:\\=@+,~]*$/;

/** Whether Windows needs its command interpreter for a file. */
export function isBatchFile(file: string): boolean {
  return /\.(cmd|bat)$/i.test(file);
}

/**
 * Runs a Windows batch file without letting an argument become a command: a shim of npm is replaced
 * by the script it stands for; any other batch file gets only arguments without special characters.
 */
export function batchInvocation(file: string, args: string[], machine: Machine): Invocation {
  const script = shimScript(file, machine);
  if (script !== undefined) return { file: process.execPath, args: [script, ...args] };
  const words = [file, ...args];
  const harmful = words.find((word) => !harmless.test(word) || word.endsWith('\\'));
  if (harmful !== undefined) {
    throw new CeriseError(
      'invalid_server',
      say(
        'batch-unsafe',
      )`The batch file ${file} can't be started safely with the argument ${JSON.stringify(harmful)}.`,
      {
        hint: say(
          'batch-unsafe-hint',
        )`Use the full path of the program that the batch file starts as the command.`,
      },
    );
  }
  const line = words.map((word) => `"${word}"`).join(' ');
  const comspec = win32.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'cmd.exe');
  return { file: comspec, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

/** npm's own `npx.cmd` finds its script at run time, others name it in their text. */
function shimScript(file: string, machine: Machine): string | undefined {
  const folder = win32.dirname(file);
  const own = /^(npx|npm)\.cmd$/i.exec(win32.basename(file))?.[1]?.toLowerCase();
  if (own !== undefined) {
    const script = win32.join(folder, 'node_modules', 'npm', 'bin', `${own}-cli.js`);
    if (machine.look(script) !== 'none') return script;
  }
  const target = shimTarget.exec(machine.read(file))?.[1];
  return target === undefined ? undefined : win32.join(folder, target);
}
