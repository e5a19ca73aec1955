import { fieldProblem, type FormField, formFields } from '#shared/api/form.ts';
import type { AnswerInput } from '#shared/api/input-api.ts';
import { hiddenSecret } from '#shared/text/text.ts';
import { markedText } from '#shared/text/visible-text.ts';
import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import type { FormSchema } from '#shared/vocabulary/server-request.ts';
import { quotedText, terminalLine } from './terminal-text.ts';
import type { Dialogue } from './terminal.ts';
import { say } from '#shared/errors/sentence.ts';
import { tell } from '../messages/tell.ts';

const yes = new Set(['y', 'yes', 'true', '1']);
const no = new Set(['n', 'no', 'false', '0']);

/** What a line said: a value, nothing (the field stays open), or that the person has had enough. */
type FieldAnswer = { value: Json } | 'nothing' | 'decline' | 'cancel';

/** Goes through a form field by field, shows what would be sent, and sends it after a yes. */
export async function askForm(dialogue: Dialogue, schema: FormSchema): Promise<AnswerInput> {
  const fields = formFields(schema);
  dialogue.write(
    `${tell(say('cli-form')`Press Enter to use the default or skip. Type /d to decline or /c to cancel.`)}\n`,
  );
  for (;;) {
    const content: JsonObject = {};
    for (const field of fields) {
      const answer = await askField(dialogue, field);
      if (answer === 'decline' || answer === 'cancel') return { action: answer };
      if (answer !== 'nothing')
        Object.defineProperty(content, field.name, { value: answer.value, enumerable: true });
    }
    dialogue.write('\n');
    const sent = markedText(JSON.stringify(withoutSecrets(fields, content), null, 2));
    if (!(await dialogue.show(sent))) return { action: 'cancel' };
    const last = await askLast(dialogue);
    if (last === 'accept') return { action: 'accept', content };
    if (last !== 'again') return { action: last };
  }
}

/** What is shown before it is sent; secrets are not. */
function withoutSecrets(fields: readonly FormField[], content: JsonObject): JsonObject {
  const secret = new Set(fields.filter((field) => field.secret).map(({ name }) => name));
  const entries = Object.entries(content).map(([name, value]) => [
    name,
    secret.has(name) ? hiddenSecret : value,
  ]);
  return Object.fromEntries(entries) as JsonObject;
}

type LastChoice = 'accept' | 'again' | 'decline' | 'cancel';

/** Whole words alone: what only begins like a yes is none. */
const lastChoices = new Map<string, LastChoice>([
  ['', 'accept'],
  ['y', 'accept'],
  ['yes', 'accept'],
  ['a', 'again'],
  ['again', 'again'],
  ['d', 'decline'],
  ['decline', 'decline'],
  ['c', 'cancel'],
  ['cancel', 'cancel'],
]);

async function askLast(dialogue: Dialogue): Promise<LastChoice> {
  for (;;) {
    const line = await dialogue.decision(
      tell(say('cli-send')`Send this? [Y]es, [a]gain, [d]ecline, [c]ancel: `),
    );
    if (line === undefined) return 'cancel';
    const choice = lastChoices.get(line.trim().toLowerCase().replace(/^\//, ''));
    if (choice) return choice;
  }
}

async function askField(dialogue: Dialogue, field: FormField): Promise<FieldAnswer> {
  dialogue.write(describe(field));
  for (;;) {
    const line = await dialogue.question(promptFor(field));
    const answer = line === undefined ? 'cancel' : read(field, line.trim());
    if (typeof answer === 'string') {
      if (answer !== 'nothing' || !isMissing(field)) return answer;
      dialogue.write(`${tell(say('cli-required')`This field is required.`)}\n`);
      continue;
    }
    const problem = fieldProblem(field, answer.value);
    if (problem === undefined) return answer;
    dialogue.write(`${terminalLine(tell(say('cli-field-problem')`This value ${problem}`))}\n`);
  }
}

function describe({ title, name, required, description, options }: FormField): string {
  const names = title === name ? name : `${title} (${name})`;
  const choices = options.map((option, index) => {
    const value = option.title === option.value ? '' : ` (${option.value})`;
    return `  ${index + 1}. ${terminalLine(`${option.title}${value}`)}`;
  });
  const lines = [
    `\n${terminalLine(names)}${required ? ' *' : ''}`,
    ...(description ? [quotedText(description)] : []),
    ...choices,
  ];
  return `${lines.join('\n')}\n`;
}

function promptFor(field: FormField): string {
  const preset = field.default === undefined ? '' : ` [${showDefault(field)}]`;
  const kind = {
    text: field.format ?? tell(say('cli-kind-text')`text`),
    number: tell(say('cli-kind-number')`number`),
    integer: tell(say('cli-kind-integer')`whole number`),
    boolean: 'y/n',
    choice: tell(say('cli-kind-choice')`option number`),
    texts: tell(say('cli-kind-texts')`text values, separated by commas`),
    choices: tell(say('cli-kind-choices')`option numbers, separated by commas`),
  }[field.kind];
  return `${kind}${terminalLine(preset) && ` ${terminalLine(preset)}`}: `;
}

function showDefault({ kind, default: given }: FormField): string {
  if (kind === 'boolean') return given === true ? 'y' : 'n';
  const values = Array.isArray(given) ? given : [given];
  const texts = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return texts.join(', ').slice(0, 200);
}

function isMissing(field: FormField): boolean {
  return field.required && field.default === undefined;
}

function read(field: FormField, line: string): FieldAnswer {
  if (line === '/d') return 'decline';
  if (line === '/c') return 'cancel';
  if (line === '') return field.default === undefined ? 'nothing' : { value: field.default };
  switch (field.kind) {
    case 'number':
    case 'integer':
      return { value: /^[+-]?[\d.]+(e[+-]?\d+)?$/i.test(line) ? Number(line) : line };
    case 'boolean': {
      const word = line.toLowerCase();
      return { value: yes.has(word) ? true : no.has(word) ? false : line };
    }
    case 'choice':
      return { value: choose(field, line) };
    case 'choices': {
      const parts = line.split(',').map((part) => part.trim());
      return { value: parts.filter((part) => part !== '').map((part) => choose(field, part)) };
    }
    case 'texts': {
      const parts = line.split(',').map((part) => part.trim());
      return { value: parts.filter((part) => part !== '') };
    }
    case 'text':
      return { value: line };
  }
}

/** By number, by value or by the name that is shown. */
function choose({ options }: FormField, word: string): string {
  const numbered = /^\d{1,4}$/.test(word) ? options[Number(word) - 1] : undefined;
  const named = options.find(({ value, title }) => value === word || title === word);
  return (named ?? numbered)?.value ?? word;
}
