import { parseArgs, type ParseArgsConfig } from 'node:util';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Sentence, type Words } from '#shared/errors/sentence.ts';
import { badArguments } from '../settings/bad-arguments.ts';
import { type Command, synopsis } from './command.ts';

type Parsed<C extends Command> = ReturnType<
  typeof parseArgs<{ args: string[]; allowPositionals: true; options: C['options'] }>
>;

/** Reads the arguments of a command as it is declared. Throws `invalid_request` with the usage for anything else. */
export function readOptions<C extends Command>(
  argv: string[],
  command: C,
): { words: string[]; values: Parsed<C>['values'] } {
  const config = {
    args: argv,
    allowPositionals: true,
    allowNegative: command.negative === true,
    options: command.options,
  } satisfies ParseArgsConfig;
  try {
    const { values, positionals } = parseArgs(config);
    const [least, most] = command.words;
    if (positionals.length < least) throw wrongUse(say('cli-too-few')`Missing argument.`, command);
    if (positionals.length > most)
      throw wrongUse(say('cli-too-many')`Too many arguments.`, command);
    return { words: positionals, values: values as Parsed<C>['values'] };
  } catch (cause) {
    throw badArguments(cause, usageOf(command));
  }
}

/** A command that was called wrongly. */
export function wrongUse(message: Words, command: Command, cause?: unknown): CeriseError {
  return new CeriseError('invalid_request', message, { hint: usageOf(command), cause });
}

function usageOf(command: Command): Sentence {
  return say('cli-usage')`Usage: cerise ${synopsis(command)}`;
}

/** Every `KEY=VALUE` of an option; `other` may give the value of a key that stands alone. */
export function readPairs(
  pairs: readonly string[],
  command: Command,
  other: (key: string) => string | undefined = () => undefined,
): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      const key = at < 0 ? pair : pair.slice(0, at);
      const value = at < 0 ? other(key) : pair.slice(at + 1);
      if (key === '' || value === undefined)
        throw wrongUse(say('cli-key-value')`"${pair.slice(0, 100)}" must be KEY=VALUE.`, command);
      return [key, value];
    }),
  );
}
