import { formProblem } from '#shared/api/form.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { hiddenSecret } from '#shared/text/text.ts';
import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import type { BundleValue, ServerBundle } from '#shared/vocabulary/server/server-bundle.ts';
import type { FormSchema } from '#shared/vocabulary/server-request.ts';
import { fillDefault } from './bundle-launch.ts';
import type { BundleManifest, BundleSetting } from './manifest.ts';

type Settings = Pick<BundleManifest, 'user_config'>;
type Stored = Pick<ServerBundle, 'values' | 'secrets'>;
/** Null stands for a value that is taken away. */
export type NewValues = Readonly<Record<string, BundleValue | null>>;

/** The settings of a bundle as a form. Folders and files are paths on this machine. */
export function settingsForm({
  user_config: settings,
}: Settings): FormSchema & { required: string[] } {
  const entries = Object.entries(settings);
  const required = entries.filter(([, { required: is }]) => is === true).map(([name]) => name);
  const properties = entries.map(([name, setting]) => [name, property(setting)] as const);
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

function property(setting: BundleSetting): JsonObject {
  const { title, description, min, max } = setting;
  const words = { ...(title && { title }), ...(description && { description }) };
  const preset = defaultOf(setting);
  const start = preset === undefined || isSecret(setting) ? {} : { default: preset };
  switch (setting.type) {
    case 'boolean':
      return { type: 'boolean', ...words, ...start };
    case 'number': {
      const range = {
        ...(min !== undefined && { minimum: min }),
        ...(max !== undefined && { maximum: max }),
      };
      return { type: 'number', ...words, ...range, ...start };
    }
    case 'string':
    case 'directory':
    case 'file':
      if (isList(setting)) return { type: 'array', items: { type: 'string' }, ...words, ...start };
      return {
        type: 'string',
        ...(isSecret(setting) && { format: 'password' }),
        ...words,
        ...start,
      };
  }
}

/**
 * The settings to store: what is given, else what is stored and still fits, else the default. A secret that comes
 * back hidden stays as it is. Throws `invalid_bundle` that names the field.
 */
export function settle(
  manifest: Settings,
  given: NewValues,
  stored: Stored = { values: {}, secrets: {} },
): Stored {
  const schema = settingsForm(manifest);
  // What is required may be stored already, so that is looked at below.
  const problem = formProblem({ ...schema, required: [] }, withoutUnset(schema, given));
  if (problem) throw new CeriseError('invalid_bundle', problem);
  const values: [string, BundleValue][] = [];
  const secrets: [string, string][] = [];
  for (const [name, setting] of Object.entries(manifest.user_config)) {
    const value = valueOf(name, setting, { schema, given, stored });
    if (value === undefined && setting.required) throw missing(name);
    if (value === undefined) continue;
    if (isSecret(setting)) secrets.push([name, String(value)]);
    else values.push([name, value]);
  }
  return { values: Object.fromEntries(values), secrets: Object.fromEntries(secrets) };
}

/** What a form starts with: the stored values that still fit; of secrets only that they are there. */
export function startValues(manifest: Settings, stored: Stored | undefined): JsonObject {
  const schema = settingsForm(manifest);
  const { values = {}, secrets = {} } = stored ?? {};
  const entries = Object.entries(manifest.user_config).flatMap(([name, setting]) => {
    if (isSecret(setting)) return Object.hasOwn(secrets, name) ? [[name, hiddenSecret]] : [];
    const value = own(values, name);
    if (value !== undefined && fits(schema, name, value)) return [[name, value]];
    const preset = defaultOf(setting);
    return preset === undefined ? [] : [[name, preset]];
  });
  return Object.fromEntries(entries) as JsonObject;
}

function valueOf(
  name: string,
  setting: BundleSetting,
  { schema, given, stored }: { schema: FormSchema; given: NewValues; stored: Stored },
): BundleValue | undefined {
  const value = own(given, name);
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return undefined;
  const isUnchanged = value === undefined || (isSecret(setting) && value === hiddenSecret);
  if (!isUnchanged) return value;
  // A secret stays where it was one: as a plain value it would be shown.
  if (isSecret(setting)) return own(stored.secrets, name) ?? defaultOf(setting);
  const before = own(stored.values, name);
  return before !== undefined && fits(schema, name, before) ? before : defaultOf(setting);
}

/** With the folders of this machine filled in. */
function defaultOf(setting: BundleSetting): BundleValue | undefined {
  const { default: preset } = setting;
  if (preset === undefined || preset === '') return undefined;
  if (Array.isArray(preset)) {
    const filled = preset.map(fillDefault);
    return isList(setting) ? filled : filled[0];
  }
  const filled = typeof preset === 'string' ? fillDefault(preset) : preset;
  return isList(setting) ? [String(filled)] : filled;
}

function fits({ type, properties }: FormSchema, name: string, value: Json): boolean {
  const field = properties[name];
  return !!field && !formProblem({ type, properties: { [name]: field } }, { [name]: value });
}

function withoutUnset({ properties }: FormSchema, given: NewValues): JsonObject {
  const isUnset = (name: string, value: unknown) =>
    Object.hasOwn(properties, name) && (value === null || value === '');
  const some = Object.entries(given).filter(([name, value]) => !isUnset(name, value));
  return Object.fromEntries(some);
}

function isSecret({ type, sensitive }: BundleSetting): boolean {
  return sensitive === true && type === 'string';
}

function isList(setting: BundleSetting): boolean {
  const { type, multiple } = setting;
  return multiple === true && type !== 'boolean' && type !== 'number' && !isSecret(setting);
}

function own<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function missing(name: string): CeriseError {
  return new CeriseError('invalid_bundle', say('bundle-setting-missing')`${name} is required.`, {
    hint: say('bundle-setting-hint')`Fill in the settings that the bundle asks for.`,
    details: { field: name },
  });
}
