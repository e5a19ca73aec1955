import type { Sentence } from '#shared/errors/sentence.ts';

/** An option of a command, as `parseArgs` reads it, with the line that explains it. */
export interface Option {
  type: 'string' | 'boolean';
  multiple?: boolean;
  default?: boolean | string | string[];
  /** What its value is called in the help, such as `KEY=VALUE`. */
  value?: string;
  help: Sentence;
}

/** One command: from this its arguments are read, and its help and usage are written. */
export interface Command {
  /** As it is typed after `cerise`. */
  name: string;
  does: Sentence;
  /** Its words in the usage, such as `NAME [TOOL]`, and how many there may be. */
  args: string;
  words: readonly [least: number, most: number];
  options: Readonly<Record<string, Option>>;
  /** Whether `--no-X` says no to an option `--X`. */
  negative?: boolean;
  /** What else there is to know. */
  note?: Sentence;
  /** What is typed after `cerise`. */
  example: string;
}

/** More than so many are listed in the help alone. */
const fewOptions = 5;

/** How a command is typed, without `cerise`. */
export function synopsis({ name, args, options }: Command): string {
  const all = Object.entries(options);
  const listed = all.map(([option, { value }]) => `[--${option}${value ? ` ${value}` : ''}]`);
  const parts = all.length > fewOptions ? [name, '[OPTIONS]', args] : [name, args, ...listed];
  return parts.filter((part) => part !== '').join(' ');
}
