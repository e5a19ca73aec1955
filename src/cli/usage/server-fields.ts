import { z } from 'zod';
import { besideServerSchema } from '#shared/api/api.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import { serverConfigSchema } from '#shared/vocabulary/server.ts';
import type { Command, Option } from './command.ts';
import { readLogo } from '../terminal/logo-file.ts';
import { readPairs, wrongUse } from './options.ts';

interface Field {
  help: Sentence;
  value?: string;
  /** Its option, where that is not the field in kebab-case. */
  option?: string;
  /** Every server of its type has one. */
  required?: true;
  /** A name that stands alone takes its value from the environment. */
  fromEnvironment?: true;
}

/** Every field of a server that has an option; what its value may be is derived from the schema. */
const fields: Record<string, Field> = {
  name: { value: 'NAME', required: true, help: say('cli-field-name')`Rename it` },
  description: { value: 'TEXT', help: say('cli-field-description')`Set its description` },
  baseUrl: {
    value: 'URL',
    option: 'url',
    required: true,
    help: say('cli-field-url')`Connect to this URL`,
  },
  type: { value: 'TYPE', required: true, help: say('cli-field-type')`streamableHttp or sse` },
  headers: {
    value: 'KEY=VALUE',
    option: 'header',
    help: say('cli-field-header')`Send a header; repeatable`,
  },
  auth: { value: 'JSON', help: say('cli-field-auth')`Set how to get credentials, as JSON` },
  env: {
    value: 'KEY[=VALUE]',
    fromEnvironment: true,
    help: say('cli-field-env')`Set a variable; without a value, use yours; repeatable`,
  },
  secrets: {
    value: 'NAME[=VALUE]',
    option: 'secret',
    fromEnvironment: true,
    help: say(
      'cli-field-secret',
    )`Set a secret for placeholders; without a value, use yours; repeatable`,
  },
  cwd: { value: 'FOLDER', help: say('cli-field-cwd')`Set the working directory` },
  registryUrl: { value: 'URL', help: say('cli-field-registry')`Download packages from here` },
  timeout: { value: 'SECONDS', help: say('cli-field-timeout')`Limit the duration of a call` },
  longRunning: { help: say('cli-field-long')`Let calls continue while they report progress` },
  totalTimeout: {
    value: 'SECONDS',
    help: say('cli-field-total')`Limit the duration of a long-running call`,
  },
  startTimeout: {
    value: 'SECONDS',
    help: say('cli-field-start')`Limit the time it takes to start`,
  },
  roots: {
    value: 'FOLDER',
    option: 'root',
    help: say('cli-field-root')`Tell the server that it can work in a folder; repeatable`,
  },
  callerRoots: {
    help: say(
      'cli-field-caller-roots',
    )`Pass on the roots of programs that use it through Cerise (admins)`,
  },
  disabledTools: {
    value: 'TOOL',
    option: 'disabled-tool',
    help: say('cli-field-disabled-tool')`Disable a tool; repeatable`,
  },
  autoApprove: {
    value: 'TOOL',
    help: say('cli-field-auto')`Run a tool without approval (* for all tools); repeatable`,
  },
  tags: { value: 'TAG', option: 'tag', help: say('cli-field-tag')`Set a tag; repeatable` },
  logo: { value: 'FILE', help: say('cli-field-logo')`Set its logo, a small image` },
  logLevel: { value: 'LEVEL', help: say('cli-field-log')`Set how much it logs, such as warning` },
  disabled: { help: say('cli-field-disabled')`Disable the server` },
  shared: { help: say('cli-field-shared')`Let everyone on this host use it (admins)` },
};

type Schema = z.core.$ZodType;
type Kind = 'number' | 'boolean' | 'text' | 'list' | 'pairs' | 'json';

const shapes = serverConfigSchema.options.map(({ shape }) => shape as Record<string, Schema>);
/** Every field that a server can have, whatever its type. */
export const schemaFields: Record<string, Schema> = Object.assign({}, ...shapes, {
  shared: besideServerSchema.shape.shared,
}) as Record<string, Schema>;

function kindOf(schema: Schema): Kind {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ('innerType' in def) return kindOf(def.innerType);
  switch (def.type) {
    case 'number':
    case 'boolean':
      return def.type;
    case 'string':
    case 'enum':
    case 'literal':
      return 'text';
    case 'array':
      return 'list';
    case 'record':
      return 'pairs';
    default:
      return 'json';
  }
}

interface ServerOption extends Field {
  field: string;
  option: string;
  kind: Kind;
}

const serverOptions = Object.entries(fields).flatMap(([field, given]): ServerOption[] => {
  const schema = schemaFields[field];
  if (!schema) return [];
  const option = given.option ?? field.replaceAll(/[A-Z]/g, (big) => `-${big.toLowerCase()}`);
  return [{ ...given, field, option, kind: kindOf(schema) }];
});

/** The options of `add` and `edit`, by their names. */
export const fieldOptions: Record<string, Option> = Object.fromEntries(
  serverOptions.map(({ option, kind, value, help }) => [
    option,
    {
      type: kind === 'boolean' ? 'boolean' : 'string',
      multiple: kind === 'list' || kind === 'pairs',
      ...(value && { value }),
      help,
    },
  ]),
);

/** The fields that have an option. */
export const optionalFields: readonly string[] = Object.keys(fields);

type Values = Readonly<Record<string, unknown>>;
type Body = Record<string, unknown>;

/** What the options say, as fields of a config. Pairs are added to those that `config` has. */
export function readFields(
  values: Values,
  command: Command,
  { env, config = {} }: { env: NodeJS.ProcessEnv; config?: Body },
): Body {
  const body: Body = {};
  for (const one of serverOptions) {
    const given = values[one.option];
    if (given === undefined) continue;
    if (one.kind === 'pairs') {
      const own = one.fromEnvironment ? (key: string) => env[key] : undefined;
      const had = isJsonObject(config[one.field]) ? (config[one.field] as object) : {};
      body[one.field] = { ...had, ...readPairs(given as string[], command, own) };
    } else body[one.field] = readValue(one, given, command);
  }
  return body;
}

function readValue(
  { field, kind, option }: ServerOption,
  given: unknown,
  command: Command,
): unknown {
  if (field === 'logo') return readLogo(String(given));
  if (kind === 'number') {
    const number = String(given).trim() === '' ? Number.NaN : Number(given);
    if (Number.isNaN(number))
      throw wrongUse(say('cli-field-number')`--${option} must be a number.`, command);
    // The host would take a large one for milliseconds, as other apps write them.
    const schema = schemaFields[field];
    if (schema && z.safeParse(schema, number).success) return number;
    throw wrongUse(
      say('cli-option-value')`Invalid value for the option ${`--${option}`}.`,
      command,
    );
  }
  if (kind !== 'json') return given;
  try {
    return JSON.parse(String(given)) as unknown;
  } catch (cause) {
    throw wrongUse(say('cli-field-json')`--${option} must be valid JSON.`, command, cause);
  }
}

/** Adds what is to be removed: a field by its option, or one pair of it, such as `env.KEY`. */
export function removeFields(
  body: Body,
  unset: readonly string[],
  command: Command,
  config: Body,
): void {
  for (const word of unset) {
    const [option = '', ...rest] = word.split('.');
    const key = rest.join('.');
    const one = serverOptions.find((each) => each.option === option);
    if (!one || one.required || (key !== '' && one.kind !== 'pairs'))
      throw wrongUse(say('cli-unset-unknown')`Can't unset "${word.slice(0, 100)}".`, command);
    if (key === '' && one.field in body)
      throw wrongUse(say('cli-set-and-unset')`${option} can't be set and unset.`, command);
    const pairs = body[one.field] ?? config[one.field];
    body[one.field] =
      key === ''
        ? null
        : Object.fromEntries(Object.entries(pairs ?? {}).filter(([name]) => name !== key));
  }
}

/** Throws where a server of this type has no such field: the host would leave it out. */
export function assertFieldsOf(type: unknown, body: Body, command: Command): void {
  const { shape } = serverConfigSchema.options.find((each) => each.shape.type.value === type) ?? {};
  if (!shape) return;
  for (const field of Object.keys(body)) {
    if (field in shape || !(field in schemaFields) || field === 'shared') continue;
    const option = serverOptions.find((each) => each.field === field)?.option;
    const shown = option === undefined ? '-- COMMAND' : `--${option}`;
    throw wrongUse(
      say('cli-field-not-of')`${shown} isn't available for servers of type ${String(type)}.`,
      command,
    );
  }
}
