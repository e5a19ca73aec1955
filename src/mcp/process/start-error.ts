import { CeriseError } from '#shared/errors.ts';

/** Failures of the machine, not of the command: trying again later may help. */
const machineIsFull = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']);

/** Why a command could not be started, in a sentence a person can act on. */
export function startError(command: string, error: NodeJS.ErrnoException): CeriseError {
  const { code = '' } = error;
  if (code === 'ENOENT') return commandNotFound(command, error);
  if (code === 'ERR_INVALID_ARG_VALUE') {
    return new CeriseError('invalid_server', `The command ${printable(command)} cannot be run.`, {
      hint: 'Its command, arguments and environment must not hold zero characters.',
      cause: error,
    });
  }
  if (code === 'E2BIG') {
    return new CeriseError('invalid_server', `The arguments of ${command} are too long.`, {
      hint: 'Shorten the arguments or the environment of this server.',
      cause: error,
    });
  }
  if (machineIsFull.has(code)) {
    return new CeriseError('connection_refused', `This machine cannot start ${command} now.`, {
      hint: `It has too many processes or open files, or too little memory (${code}).`,
      cause: error,
    });
  }
  const reason = code === 'EACCES' ? 'permission denied' : error.message;
  return new CeriseError(
    'command_not_found',
    `The command ${command} could not be started: ${reason}.`,
    { hint: 'Check that the file is a program you may run.', cause: error },
  );
}

/** The error for a command that is nowhere, with where to get it. */
export function commandNotFound(command: string, cause?: unknown): CeriseError {
  return new CeriseError('command_not_found', `The command ${command} was not found.`, {
    hint: installHint(command),
    cause,
  });
}

function installHint(command: string): string {
  const name = command.replace(/\.(exe|cmd|bat)$/i, '');
  if (/^(npx|npm|node)$/.test(name)) return 'Install Node.js from https://nodejs.org.';
  if (/^uvx?$/.test(name)) return 'Install uv: https://docs.astral.sh/uv/getting-started.';
  if (/^(python3?|pipx?)$/.test(name)) return 'Install Python from https://www.python.org.';
  if (/^(bunx?|deno)$/.test(name)) {
    return `Install it from https://${name === 'deno' ? 'deno.com' : 'bun.sh'}.`;
  }
  if (name === 'docker') return 'Install Docker: https://docs.docker.com/get-docker.';
  if (/[/\\]/.test(name)) return 'Check the path; it must name a program on this machine.';
  return 'Install the program, or give its full path.';
}

function printable(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u001f]/g, '?');
}
