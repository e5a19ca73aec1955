import type { ImportQuestionView } from '#shared/api/import-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { questionWords } from '#shared/messages/builtin-tool.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { askForm } from '../terminal/ask-form.ts';
import { tell } from '../messages/tell.ts';
import type { Io } from '../terminal/io.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { readPairs, wrongUse } from '../usage/options.ts';

/**
 * What to answer to the questions of an entry: from `--set`, with a variable's value where none is given, then from whoever
 * is at the terminal, then their defaults.
 */
export async function answersFor(
  io: Io,
  questions: readonly ImportQuestionView[],
  pairs: readonly string[],
): Promise<Record<string, string>> {
  const set = readPairs(pairs, mcpCommands.install, (key) => io.env[key]);
  const given: Record<string, string> = {};
  for (const [key, value] of Object.entries(set)) {
    const question =
      questions.find(({ id }) => id === key || shortName(id) === key) ??
      questions.find(({ id }) => plainName(id) === key);
    if (!question) throw noSetting(key, questions);
    given[question.id] = value;
  }
  const open = questions.filter(({ id }) => !Object.hasOwn(given, id));
  const defaults = open.flatMap(({ id, default: value }) =>
    value === undefined ? [] : [[id, value] as const],
  );
  const answers = { ...Object.fromEntries(defaults), ...given, ...(await askOpen(io, open)) };
  const missing = questions.filter(({ id, optional }) => !optional && !answers[id]);
  if (missing.length > 0) throw missingSettings(missing.map(({ id }) => plainName(id)));
  return answers;
}

function missingSettings(names: string[]): CeriseError {
  const options = names.map((name) => `--set ${name}=…`).join(' ');
  return new CeriseError(
    'invalid_server',
    say('import-unanswered')`Missing values: ${names.join(', ')}.`,
    { hint: say('cli-answer-by-set')`Enter them with ${options}.` },
  );
}

/** What a question is called on the command line: its id without the way that it belongs to. */
function shortName(id: string): string {
  return id.replace(/^input:\w+\./, '');
}

/** The questions in a text by what they are called on the command line. */
export function withQuestions(text: string): string {
  return text.replaceAll(/\$\{(input:[^}]{1,200})\}/g, (_, id: string) => `<${plainName(id)}>`);
}

/** The same without the dashes of an option and the name that a value is a part of. */
function plainName(id: string): string {
  return shortName(id)
    .replace(/^.*\.(?=\w)/, '')
    .replace(/^-+(?=\w)/, '');
}

async function askOpen(
  io: Io,
  open: readonly ImportQuestionView[],
): Promise<Record<string, string>> {
  const terminal = openTerminal(io);
  if (open.length === 0 || !terminal.interactive) return {};
  const properties = open.map((question): [string, JsonObject] => [
    shortName(question.id),
    propertyOf(question),
  ]);
  const required = open.filter(({ optional }) => !optional).map(({ id }) => shortName(id));
  const form = { type: 'object' as const, properties: Object.fromEntries(properties), required };
  const answer = await terminal.dialogue((dialogue) => askForm(dialogue, form));
  if (answer?.action !== 'accept')
    throw new CeriseError('cancelled', say('cli-not-installed')`Not installed.`);
  const said = answer.content ?? {};
  return Object.fromEntries(
    open.flatMap(({ id }) => {
      const value = said[shortName(id)];
      return typeof value === 'string' && value !== '' ? [[id, value]] : [];
    }),
  );
}

function propertyOf({ label, secret, options, default: start }: ImportQuestionView): JsonObject {
  return {
    type: 'string',
    ...(label !== undefined && { title: tell(questionWords(label)) }),
    ...(secret && { format: 'password' }),
    ...(options && { enum: options }),
    ...(start !== undefined && !secret && { default: start }),
  };
}

function noSetting(key: string, questions: readonly ImportQuestionView[]): CeriseError {
  const names = questions.map(({ id }) => plainName(id)).join(', ');
  return wrongUse(
    say('cli-no-setting')`"${key.slice(0, 100)}" isn't a setting with a value. Settings: ${names}.`,
    mcpCommands.install,
  );
}
