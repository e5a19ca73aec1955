import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { isAbsolute } from 'node:path';
import type { Readable } from 'node:stream';
import { systemCode } from '#shared/errors/system-code.ts';

const maxWaitMs = 3000;
const maxOutputChars = 64 * 1024;
const answers = new Map<string, Promise<string | undefined>>();

/**
 * The PATH a person has in a terminal, which a host started from a desktop or by the system lacks.
 * The shell is asked once; undefined if there is none or it does not answer within 3 seconds.
 */
export function loginShellPath(environment: Record<string, string>): Promise<string | undefined> {
  const shell = environment['SHELL'] ?? '';
  if (process.platform === 'win32' || !isAbsolute(shell)) return Promise.resolve(undefined);
  const key = JSON.stringify([shell, environment['HOME'], environment['PATH']]);
  const answer = answers.get(key) ?? askShell(shell, environment, () => answers.delete(key));
  answers.set(key, answer);
  return answer;
}

/**
 * Start-up files may print anything, so the answer stands between two lines nobody can guess. A shell that
 * could not be started is asked again the next time.
 */
function askShell(
  shell: string,
  env: Record<string, string>,
  onFailure: () => void,
): Promise<string | undefined> {
  const fence = randomUUID();
  const script = `printf '\\n%s\\n' ${fence}; printenv PATH; printf '%s\\n' ${fence}`;
  return new Promise((resolve) => {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
    const child = spawn(shell, ['-lc', script], { env, stdio, detached: true });
    child.once('error', onFailure);
    // There is none where the machine has no descriptor left.
    const stdout: Readable | undefined = child.stdout;
    let output = '';
    const finish = (): void => {
      clearTimeout(timer);
      stdout?.destroy();
      resolve(new RegExp(`${fence}\\n(.+)\\n${fence}`).exec(output)?.[1]);
    };
    const giveUp = (): void => {
      if (child.pid !== undefined) killGroup(child.pid);
      finish();
    };
    const timer = setTimeout(giveUp, maxWaitMs);
    stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.split(fence).length > 2) finish();
      else if (output.length > maxOutputChars) giveUp();
    });
    stdout?.once('end', finish);
    child.once('error', finish);
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It has just ended by itself.
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}
