import { parseArgs, type ParseArgsConfig, type ParseArgsOptionsConfig } from 'node:util';
import { CeriseError } from '#shared/errors/errors.ts';

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
  try {
    const { values, positionals } = parseArgs(config);
    const [least, most] = words;
    if (positionals.length < least) throw new Error('Something is missing.');
    if (positionals.length > most) throw new Error('That is too much.');
    return { words: positionals, values };
  } catch (cause) {
    throw wrongUse(cause instanceof Error ? cause.message : '', usage, cause);
  }
}

/** A command that was called wrongly. */
export function wrongUse(message: string, usage: string, cause?: unknown): CeriseError {
  const hint = `Usage: cerise mcp ${usage}`;
  return new CeriseError('invalid_request', message, { hint, cause });
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
        throw wrongUse(`"${pair.slice(0, 100)}" is not KEY=VALUE.`, usage);
      return [key, value];
    }),
  );
}
