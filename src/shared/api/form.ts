import { counted, say, type Sentence } from '../errors/sentence.ts';
import { countCharacters } from '../text/text.ts';
import type { Json, JsonObject } from '../vocabulary/json.ts';
import type { FormSchema } from '../vocabulary/server-request.ts';

/** One of the values a person may choose, and how it is shown. */
export interface FormOption {
  value: string;
  title: string;
}

/** A field of a server's form in one shape, whichever of MCP's spellings the server used. */
export interface FormField {
  name: string;
  title: string;
  description?: string;
  kind: 'text' | 'texts' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices';
  required: boolean;
  default?: Json;
  /** For `choice` and `choices`. */
  options: FormOption[];
  format?: TextFormat;
  /** A text that should not be read over a shoulder. */
  secret?: true;
  /** Characters of a text, the value of a number, or how many texts or options there may be. */
  least?: number;
  most?: number;
}

/** The formats of a text that are checked. */
export type TextFormat = 'email' | 'uri' | 'date' | 'date-time';

/** The fields of a form, in the server's order. */
export function formFields({ properties, required = [] }: FormSchema): FormField[] {
  return Object.entries(properties).map(([name, field]) => readField(name, field, required));
}

/** What is wrong with the answers to a form, naming the field; undefined if nothing is. */
export function formProblem(schema: FormSchema, content: JsonObject): Sentence | undefined {
  const fields = formFields(schema);
  const unknown = Object.keys(content).find((key) => !fields.some(({ name }) => name === key));
  if (unknown !== undefined)
    return say('form-unknown')`${unknown.slice(0, 100)}: the form has no field with this name.`;
  for (const field of fields) {
    const given = Object.hasOwn(content, field.name) ? content[field.name] : undefined;
    const problem = given === undefined ? missing(field) : fieldProblem(field, given);
    if (problem) return say('misfit-at')`${field.name}: ${problem}`;
  }
  return undefined;
}

/** What is wrong with a value for a field, as the end of a sentence; undefined if nothing is. */
export function fieldProblem(field: FormField, value: Json): Sentence | undefined {
  switch (field.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : say('form-boolean')`must be true or false.`;
    case 'number':
    case 'integer':
      return numberProblem(field, value);
    case 'choice':
      return field.options.some((option) => option.value === value)
        ? undefined
        : say('form-choice')`must be one of ${optionNames(field)}.`;
    case 'choices':
      return choicesProblem(field, value);
    case 'texts':
      return textsProblem(field, value);
    case 'text':
      return textProblem(field, value);
  }
}

/** Whether a text is written as its format asks. */
export function fitsFormat(format: TextFormat, value: string): boolean {
  return formats[format].fits(value);
}

/** What is left open takes the server's default; only what must be given and has none is missing. */
function missing({ required, default: given }: FormField): Sentence | undefined {
  return required && given === undefined ? say('form-required')`is required.` : undefined;
}

function readField(name: string, field: JsonObject, required: string[]): FormField {
  const options = readOptions(field);
  const kind = readKind(field, options);
  const bounds = {
    text: [field.minLength, field.maxLength],
    number: [field.minimum, field.maximum],
    integer: [field.minimum, field.maximum],
    texts: [field.minItems, field.maxItems],
    choices: [field.minItems, field.maxItems],
    boolean: [],
    choice: [],
  }[kind];
  const [least, most] = bounds;
  const { title, description, format, default: given } = field;
  return {
    name,
    title: typeof title === 'string' && title !== '' ? title : name,
    ...(typeof description === 'string' && { description }),
    kind,
    required: required.includes(name),
    options,
    ...(given !== undefined && { default: given }),
    ...(kind === 'text' && isFormat(format) && { format }),
    ...(kind === 'text' && format === 'password' && { secret: true }),
    ...(typeof least === 'number' && { least }),
    ...(typeof most === 'number' && { most }),
  };
}

function readKind({ type }: JsonObject, options: FormOption[]): FormField['kind'] {
  if (type === 'array') return options.length > 0 ? 'choices' : 'texts';
  if (options.length > 0) return 'choice';
  if (type === 'number' || type === 'integer' || type === 'boolean') return type;
  return 'text';
}

/** `enum` (with `enumNames`), `oneOf` or `anyOf` with `const` and `title`, of the field or its items. */
function readOptions(field: JsonObject): FormOption[] {
  const { items } = field;
  const holder = field.type === 'array' ? items : field;
  if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return [];
  const titled = holder.oneOf ?? holder.anyOf;
  if (Array.isArray(titled)) {
    return titled.flatMap((option) => {
      if (typeof option !== 'object' || option === null || Array.isArray(option)) return [];
      const { const: value, title } = option;
      if (typeof value !== 'string') return [];
      return [{ value, title: typeof title === 'string' ? title : value }];
    });
  }
  const names = Array.isArray(holder.enumNames) ? holder.enumNames : [];
  const values = Array.isArray(holder.enum) ? holder.enum : [];
  return values.flatMap((value, index) => {
    const title = names[index];
    if (typeof value !== 'string') return [];
    return [{ value, title: typeof title === 'string' ? title : value }];
  });
}

function numberProblem({ kind, least, most }: FormField, value: Json): Sentence | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value))
    return say('form-number')`must be a number.`;
  if (kind === 'integer' && !Number.isInteger(value))
    return say('form-integer')`must be a whole number.`;
  if (least !== undefined && value < least) return say('form-least')`must be at least ${least}.`;
  return most !== undefined && value > most
    ? say('form-most')`must be at most ${most}.`
    : undefined;
}

function choicesProblem(field: FormField, value: Json): Sentence | undefined {
  const { options, least, most } = field;
  if (!Array.isArray(value)) return say('form-list')`must be a list of options.`;
  const known = new Set<Json>(options.map((option) => option.value));
  if (!value.every((each) => known.has(each)))
    return say('form-only')`can only contain ${optionNames(field)}.`;
  if (new Set(value).size < value.length)
    return say('form-twice')`must not contain the same option twice.`;
  if (least !== undefined && value.length < least)
    return say('form-few')`must have at least ${counted(least, 'option')}.`;
  return most !== undefined && value.length > most
    ? say('form-many')`must have at most ${counted(most, 'option')}.`
    : undefined;
}

function textsProblem({ least, most }: FormField, value: Json): Sentence | undefined {
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string' && each !== ''))
    return say('form-texts')`must be a list of text values.`;
  if (least !== undefined && value.length < least)
    return say('form-texts-few')`must have at least ${least} values.`;
  return most !== undefined && value.length > most
    ? say('form-texts-many')`must have at most ${most} values.`
    : undefined;
}

function textProblem({ least, most, format }: FormField, value: Json): Sentence | undefined {
  if (typeof value !== 'string') return say('form-text')`must be text.`;
  const length = countCharacters(value);
  if (least !== undefined && length < least)
    return say('form-short')`must be at least ${counted(least, 'character')} long.`;
  if (most !== undefined && length > most)
    return say('form-long')`must be at most ${counted(most, 'character')} long.`;
  if (format === undefined || fitsFormat(format, value)) return undefined;
  return say('form-format')`must be ${formats[format].words}.`;
}

const day = /^\d{4}-\d{2}-\d{2}$/;
const moment = /^(\d{4}-\d{2}-\d{2})[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

const formats: Record<TextFormat, { words: Sentence; fits: (value: string) => boolean }> = {
  email: {
    words: say('form-email')`an email address, such as name@example.com`,
    fits: (value) =>
      value.length <= 320 && /^[^\s@"(),:;<>[\\\]]+@[^\s@.]+(?:\.[^\s@.]+)*$/.test(value),
  },
  uri: {
    words: say('form-url')`a full URL, such as https://example.com/page`,
    fits: (value) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(value) && URL.canParse(value),
  },
  date: { words: say('form-date')`a date, such as 2026-07-28`, fits: isDay },
  'date-time': {
    words: say('form-time')`a date and time with a time zone, such as 2026-07-28T09:30:00Z`,
    fits: (value) => {
      const date = moment.exec(value)?.[1];
      return (
        date !== undefined && isDay(date) && !Number.isNaN(Date.parse(value.replace(' ', 'T')))
      );
    },
  },
};

/** February 30 is written like a date but is none. */
function isDay(value: string): boolean {
  const time = day.test(value) ? Date.parse(`${value}T00:00:00Z`) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

/** Whether a schema's `format` is one of those that are checked. */
export function isFormat(value: unknown): value is TextFormat {
  return typeof value === 'string' && Object.hasOwn(formats, value);
}

function optionNames({ options }: FormField): string {
  const shown = options.slice(0, 20).map(({ value }) => JSON.stringify(value).slice(0, 100));
  return shown.join(', ') + (options.length > shown.length ? ', …' : '');
}
