import { execFile } from 'node:child_process';
import fs from 'node:fs';
import process from 'node:process';
import { promisify } from 'node:util';

/** Whether we may install packages of the system: Debian, as root. */
export function canInstall() {
  return fs.existsSync('/etc/debian_version') && process.getuid?.() === 0;
}

/** Installs the first of these choices of packages that can be had; says in a line why there is none. */
export async function install(...choices) {
  const run = promisify(execFile);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  let failure;
  try {
    await run('apt-get', ['update', '-qq'], { env });
    for (const packages of choices) {
      const flags = ['install', '-y', '-qq', '--no-install-recommends'];
      failure = await run('apt-get', [...flags, ...packages], { env }).then(
        () => undefined,
        Object,
      );
      if (failure === undefined) return;
    }
  } catch (error) {
    failure = error;
  }
  console.error(`Cerise: apt-get could not install ${choices.at(-1)?.[0]}: ${lastLine(failure)}`);
}

function lastLine(error) {
  return String(error.stderr || error.message)
    .trim()
    .split('\n')
    .at(-1);
}
