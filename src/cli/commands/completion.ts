import { say } from '#shared/errors/sentence.ts';
import { tell } from '../messages/tell.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { commands, groups } from '../usage/commands.ts';
import { type CompletedWord, completionScripts } from '../usage/completion-scripts.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import type { Command } from '../usage/command.ts';
import { readOptions, wrongUse } from '../usage/options.ts';

/** `cerise completion bash|zsh|fish`: written from the declarations of the commands. */
export async function completion(_: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words } = readOptions(argv, commands.completion);
  const write = Object.entries(completionScripts).find(([shell]) => shell === words[0])?.[1];
  if (!write)
    throw wrongUse(say('cli-which-shell')`Choose bash, zsh or fish.`, commands.completion);
  io.stdout.write(write(completedWords()));
  return 0;
}

/** What may follow each word or two, with what it does. */
function completedWords(): Map<string, CompletedWord[]> {
  const words = new Map<string, CompletedWord[]>();
  const add = (after: string, word: string, does: string) => {
    const known = words.get(after) ?? [];
    if (!known.some((each) => each.word === word)) known.push({ word, does });
    words.set(after, known);
  };
  const all: Command[] = [...Object.values(commands), ...Object.values(mcpCommands)];
  for (const { name, does } of groups) add('', name, tell(does));
  for (const { name, does, options } of all) {
    const [first = '', second] = name.split(' ');
    add('', first, tell(does));
    if (second !== undefined) add(first, second, tell(does));
    for (const [option, { help }] of Object.entries(options)) add(name, `--${option}`, tell(help));
    add(name, '--help', tell(say('cli-option-help')`Show this help`));
  }
  for (const shell of Object.keys(completionScripts)) add('completion', shell, shell);
  return words;
}
