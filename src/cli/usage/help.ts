import { say, type Sentence } from '#shared/errors/sentence.ts';
import { programName } from '../messages/program-name.ts';
import { tell } from '../messages/tell.ts';
import { widthOf } from '../terminal/text-width.ts';
import { type Command, synopsis } from './command.ts';

const widest = 40;

/** Whether help is asked for; the words after `--` are for somebody else. */
export function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).some((word) => word === '--help' || word === '-h');
}

/** Everything about one command. */
export function helpOf(command: Command): string {
  const { options, does, example, negative, note } = command;
  const rows = Object.entries(options).map(([name, { type, value, help }]): [string, string] => {
    const no = negative && type === 'boolean' && name !== 'json' ? '[no-]' : '';
    return [`--${no}${name}${value ? ` ${value}` : ''}`, tell(help)];
  });
  const help = tell(say('cli-option-help')`Show this help`);
  return [
    tell(does),
    section(say('cli-title-usage')`Usage:`, [`${programName()} ${synopsis(command)}`]),
    section(say('cli-title-options')`Options:`, table([...rows, ['--help', help]])),
    ...(note ? [tell(note)] : []),
    section(say('cli-title-example')`Example:`, [`${programName()} ${example}`]),
  ]
    .join('\n\n')
    .concat('\n');
}

/** A list of commands, each with what it does. */
export function overview(
  title: Sentence,
  commands: readonly Pick<Command, 'name' | 'args' | 'does'>[],
  end: Sentence,
): string {
  const rows = commands.map(({ name, args, does }): [string, string] => [
    `cerise ${name} ${args}`.trimEnd(),
    tell(does),
  ]);
  const lines = table(rows).map((line) => `  ${line}`);
  const more = tell(say('cli-more-help')`To see the options of a command, add --help.`);
  return `${tell(title)}\n\n${lines.join('\n')}\n\n${more}\n${tell(end)}\n`;
}

function section(title: Sentence, lines: string[]): string {
  return `${tell(title)}\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

/** Two columns; what is wider than the first has a line of its own. */
function table(rows: [string, string][]): string[] {
  const fitting = rows.map(([left]) => widthOf(left)).filter((width) => width <= widest);
  const width = Math.max(0, ...fitting) + 2;
  return rows.flatMap(([left, right]) =>
    widthOf(left) > widest
      ? [left, `${' '.repeat(width)}${right}`]
      : [`${left}${' '.repeat(width - widthOf(left))}${right}`],
  );
}
