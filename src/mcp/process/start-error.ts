import { CeriseError } from '#shared/errors/errors.ts';
import { isMachineFull } from '#shared/errors/machine-full.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';

/** Why a command could not be started, in a sentence a person can act on. */
export function startError(command: string, error: NodeJS.ErrnoException): CeriseError {
  const { code = '' } = error;
  if (code === 'ENOENT') return commandNotFound(command, error);
  if (code === 'ERR_INVALID_ARG_VALUE') {
    return new CeriseError(
      'invalid_server',
      say('command-cannot-run')`The command ${printable(command)} can't be run.`,
      {
        hint: say(
          'no-zero-characters',
        )`The command, arguments and environment can't contain null characters.`,
        cause: error,
      },
    );
  }
  if (code === 'E2BIG') {
    return new CeriseError(
      'invalid_server',
      say('arguments-too-long')`The arguments of ${command} are too long.`,
      {
        hint: say(
          'arguments-too-long-hint',
        )`Shorten the arguments or the environment of this server.`,
        cause: error,
      },
    );
  }
  // Linux says so where a descriptor of the child would be beyond a limit that was lowered since.
  if (isMachineFull(error) || (code === 'EINVAL' && process.platform === 'linux')) {
    return new CeriseError(
      'connection_refused',
      say('machine-full')`This machine can't start ${command} right now.`,
      {
        hint: say(
          'machine-full-hint',
        )`There are too many processes or open files, or not enough memory (${code}).`,
        cause: error,
      },
    );
  }
  const reason = code === 'EACCES' ? say('permission-denied')`permission denied` : error.message;
  return new CeriseError(
    'command_not_found',
    say('command-not-started')`The command ${command} couldn't be started: ${reason}.`,
    {
      hint: say('command-check-file')`Check that the file is a program you're allowed to run.`,
      cause: error,
    },
  );
}

/** The error for a command that is nowhere, with where to get it. */
export function commandNotFound(command: string, cause?: unknown): CeriseError {
  return new CeriseError(
    'command_not_found',
    say('command-missing')`The command ${command} wasn't found.`,
    {
      hint: installHint(command),
      cause,
    },
  );
}

/** Where to get a program. */
export function installHint(command: string): Sentence {
  if (/^(?:cd|export|source|set|alias|eval|exec|\.)$|^\w+=/.test(command))
    return say(
      'command-shell',
    )`Servers start without a shell. Enter only the program here, and use the variables and the working directory of the server, or run a script that does the rest.`;
  if (/^(["']).*\1$/.test(command)) return say('command-quoted')`Remove the quotes around it.`;
  if (command.includes('~/'))
    return say('command-home')`Write the full path: ~ only works in a shell.`;
  if (/https?:\//.test(command))
    return say('command-url')`This is a URL, not a program. Add the server by its URL instead.`;
  if (process.platform !== 'win32' && /^(?:cmd|powershell|wsl)(?:\.exe)?$/i.test(command))
    return say(
      'command-windows',
    )`This command is for Windows. Enter the program that it starts, such as npx.`;
  const name = command.replace(/\.(exe|cmd|bat)$/i, '');
  if (/^(npx|npm|node)$/.test(name))
    return say('install-node')`Install Node.js from https://nodejs.org.`;
  if (/^uvx?$/.test(name))
    return say('install-uv')`Install uv: https://docs.astral.sh/uv/getting-started.`;
  if (/^(python3?|pipx?)$/.test(name))
    return say('install-python')`Install Python from https://www.python.org.`;
  if (/^(bunx?|deno)$/.test(name)) {
    return say('install-from')`Install it from https://${name === 'deno' ? 'deno.com' : 'bun.sh'}.`;
  }
  if (name === 'docker')
    return say('install-docker')`Install Docker: https://docs.docker.com/get-docker.`;
  if (/[/\\]/.test(name))
    return say('check-path')`Check the path. It must point to a program on this machine.`;
  return say('install-program')`Install the program, or enter its full path.`;
}

function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- controls are what is looked for
  return text.replaceAll(/[\u0000-\u001f]/g, '?');
}
