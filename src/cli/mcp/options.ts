import { parseArgs, type ParseArgsConfig, type ParseArgsOptionsConfig } from 'node:util';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Sentence, type Words } from '#shared/errors/sentence.ts';
import { badArguments } from '../settings/bad-arguments.ts';

type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ args: string[]; allowPositionals: true; options: Options }>
>;

/**
 * Reads the arguments of a command: `least` to `most` words and these options. Throws
 * `invalid_request` with the usage for anything else.
 */
export function readOptions<Options extends ParseArgsOptionsConfig>(
  argv: string[],
  {
    usage,
    words,
    options,
  }: { usage: string; words: [least: number, most: number]; options: Options },
): { words: string[]; values: Parsed<Options>['values'] } {
  const config = { args: argv, allowPositionals: true, options } satisfies ParseArgsConfig;
  const hint = usageOf(usage);
  try {
    const { values, positionals } = parseArgs(config);
    const [least, most] = words;
    if (positionals.length < least)
      throw new CeriseError('invalid_request', say('cli-too-few')`Missing argument.`, { hint });
    if (positionals.length > most)
      throw new CeriseError('invalid_request', say('cli-too-many')`Too many arguments.`, { hint });
    return { words: positionals, values };
  } catch (cause) {
    throw badArguments(cause, hint);
  }
}

/** A command that was called wrongly. */
export function wrongUse(message: Words, usage: string, cause?: unknown): CeriseError {
  return new CeriseError('invalid_request', message, { hint: usageOf(usage), cause });
}

function usageOf(usage: string): Sentence {
  return say('cli-usage')`Usage: cerise mcp ${usage}`;
}

/** Every `KEY=VALUE` of an option; `other` may give the value of a key that stands alone. */
export function readPairs(
  pairs: readonly string[],
  usage: string,
  other: (key: string) => string | undefined = () => undefined,
): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      const key = at < 0 ? pair : pair.slice(0, at);
      const value = at < 0 ? other(key) : pair.slice(at + 1);
      if (key === '' || value === undefined)
        throw wrongUse(say('cli-key-value')`"${pair.slice(0, 100)}" must be KEY=VALUE.`, usage);
      return [key, value];
    }),
  );
}
