import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { isMachineFull } from '#shared/errors/machine-full.ts';
import { scriptUrl } from './script-url.ts';

const reapScript = fileURLToPath(scriptUrl(new URL('./reap.ts', import.meta.url)));

/**
 * Keeps the last complete line it was sent. Its input ends when the host ends, however that happens;
 * if the last line named processes, they are ended by the reaper, which takes this shell's place.
 */
const watchScript = `trap '' HUP INT QUIT TERM
list=
while read -r line; do list=$line; done
[ -z "$list" ] || exec "$@" $list`;

/**
 * A shell of 2 MB in a session of its own that outlives the host only to end its servers, so that
 * not even SIGKILL leaves any behind. It runs while there are servers.
 */
export class HostWatch {
  #shell: ChildProcess | undefined;

  /** Says which processes to end; the words must hold no space. Sent before this returns. */
  update(words: readonly string[]): void {
    if (process.platform === 'win32') return;
    if (words.length > 0) this.#shell ??= this.#start();
    this.#shell?.stdin?.write(`${words.join(' ')}\n`);
    if (words.length > 0) return;
    this.#shell?.stdin?.end();
    this.#shell = undefined;
  }

  /** Undefined where the machine has no room for it: the next change tries again. */
  #start(): ChildProcess | undefined {
    const args = ['-c', watchScript, 'cerise-watch', process.execPath, reapScript];
    const shell = spawnShell(args);
    if (!shell?.stdin) return undefined;
    const forget = (): void => {
      if (this.#shell === shell) this.#shell = undefined;
    };
    // Without it (no shell on this system, or somebody killed it) the ledger is the net that is left.
    shell.once('error', forget);
    shell.once('exit', forget);
    shell.stdin.on('error', forget);
    shell.unref();
    (shell.stdin as Socket).unref();
    return shell;
  }
}

function spawnShell(args: string[]): ChildProcess | undefined {
  try {
    const stdio: ['pipe', 'ignore', 'ignore'] = ['pipe', 'ignore', 'ignore'];
    const shell = spawn('/bin/sh', args, { cwd: '/', env: {}, detached: true, stdio });
    // Heard from the first moment, or it would end the host.
    shell.on('error', () => undefined);
    return shell;
  } catch (error) {
    if (isMachineFull(error)) return undefined;
    throw error;
  }
}
