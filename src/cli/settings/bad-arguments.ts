import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';

/** Why the arguments of a command could not be read, as `parseArgs` or we found. */
export function badArguments(cause: unknown, hint?: Words): CeriseError {
  if (cause instanceof CeriseError) return cause;
  return new CeriseError('invalid_request', problemOf(cause), { hint, cause });
}

function problemOf(cause: unknown): Words {
  const { code = '', message = '' } = cause as { code?: string; message?: string };
  const option = /'([^']*)'/.exec(message)?.[1] ?? '';
  switch (code) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION':
      return say('cli-unknown-option')`Unknown option: ${option}.`;
    case 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE':
      return say('cli-option-value')`Invalid value for the option ${option}.`;
    default:
      return message;
  }
}
