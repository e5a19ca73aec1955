import { spawn } from 'node:child_process';
import type { Io } from './io.ts';

/** Opens a page where a person sits in front of this machine; false, and nothing done, anywhere else. */
export function openBrowser(url: string, { env, stdout }: Io): boolean {
  if (!stdout.isTTY || env['CI'] || env['SSH_CONNECTION'] || env['CERISE_OPEN'] === '0')
    return false;
  const command = opener(env);
  if (!command) return false;
  const [program, ...args] = command;
  // Who has no such program has the printed link.
  spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
  return true;
}

function opener(env: NodeJS.ProcessEnv): [string, ...string[]] | undefined {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined;
}
