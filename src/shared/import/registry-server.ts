import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../vocabulary/json.ts';
import type { ImportEntry, ImportText } from './import-text.ts';

const text = z.string().max(4096);
const input = z.looseObject({
  description: text.optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  value: text.optional(),
  default: text.optional(),
  format: z.string().max(50).optional(),
  choices: z.array(text).max(100).optional(),
});
const withVariables = input.extend({ variables: z.record(z.string(), input).optional() });
const named = withVariables.extend({ name: z.string().min(1).max(256) });
const argument = withVariables.extend({
  type: z.enum(['named', 'positional']).default('positional'),
  name: z.string().max(256).optional(),
  valueHint: text.optional(),
});
const transport = z.looseObject({
  type: z.enum(['stdio', 'streamable-http', 'sse']),
  url: text.optional(),
  headers: z.array(named).max(100).optional(),
  variables: z.record(z.string(), input).optional(),
});
const packageSchema = z.looseObject({
  registryType: z.string().max(50),
  registryBaseUrl: text.optional(),
  /** Never one that the program it is passed to would take for an option. */
  identifier: z
    .string()
    .max(1000)
    .regex(/^[^\s-]\S*$/),
  version: z.string().max(256).optional(),
  fileSha256: z.string().max(64).optional(),
  transport: transport.default({ type: 'stdio' }),
  runtimeArguments: z.array(argument).max(100).default([]),
  packageArguments: z.array(argument).max(100).default([]),
  environmentVariables: z.array(named).max(100).default([]),
});

/** A server as the MCP registry describes it (`server.json`), as far as it is used here. */
export const registryServerSchema = z.looseObject({
  name: z.string().min(1).max(500),
  title: z.string().max(500).optional(),
  description: text.optional(),
  version: z.string().max(256).optional(),
  packages: z.array(packageSchema).max(50).default([]),
  remotes: z.array(transport).max(50).default([]),
});
export type RegistryServer = z.output<typeof registryServerSchema>;
type Package = z.output<typeof packageSchema>;
type Transport = z.output<typeof transport>;
type Input = z.output<typeof withVariables>;

/**
 * The servers that an entry of the MCP registry offers: each of its packages and addresses, with its variables as
 * questions. Undefined where the value is no such entry.
 */
export function readRegistryServer(value: unknown): ImportText | undefined {
  if (!isJsonObject(value) || typeof value.name !== 'string') return undefined;
  if (!Array.isArray(value.packages) && !Array.isArray(value.remotes)) return undefined;
  const parsed = registryServerSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const server = parsed.data;
  const questions = new InputQuestions();
  const entries = [
    ...server.packages.map((each, at) => packageEntry(server, each, at, questions)),
    ...server.remotes.map((each, at) => ({
      ...entryOf(server, `remotes[${at}]`),
      fields: remoteFields(each, questions.of(`remote${at}`)),
    })),
  ];
  return { entries, inputs: questions.inputs };
}

function entryOf({ name, title }: RegistryServer, place: string): Omit<ImportEntry, 'fields'> {
  return { place, name: title ?? name.split('/').at(-1) ?? name };
}

function packageEntry(
  server: RegistryServer,
  each: Package,
  at: number,
  questions: InputQuestions,
): ImportEntry {
  const ask = questions.of(`package${at}`);
  const description = server.description && { description: server.description };
  const entry = entryOf(server, `packages[${at}]`);
  const { registryType, identifier, fileSha256 } = each;
  if (registryType === 'mcpb')
    return { ...entry, fields: {}, bundle: { url: identifier, sha256: fileSha256 ?? '' } };
  const env = Object.fromEntries(
    each.environmentVariables.map((one) => [one.name, ask(one, one.name)]),
  );
  const launch = launchOf(each, env, ask);
  if (!launch) return { ...entry, fields: {}, unsupported: registryType };
  return { ...entry, fields: { ...launch, env, ...description } };
}

/** Where a package is run by a tool of its ecosystem, pinned to the version of the entry. */
function launchOf(each: Package, env: JsonObject, ask: Ask): JsonObject | undefined {
  const { registryType, registryBaseUrl, identifier, version } = each;
  const runtime = each.runtimeArguments.flatMap((one) => argumentWords(one, ask));
  const own = each.packageArguments.flatMap((one) => argumentWords(one, ask));
  const mirror = (usual: string) =>
    registryBaseUrl && !registryBaseUrl.startsWith(usual) ? { registryUrl: registryBaseUrl } : {};
  switch (registryType) {
    case 'npm': {
      const pinned = version ? `${identifier}@${version}` : identifier;
      const yes = runtime.includes('-y') ? [] : ['-y'];
      const args = [...yes, ...runtime, pinned, ...own];
      return { command: 'npx', args, ...mirror('https://registry.npmjs.org') };
    }
    case 'pypi': {
      const pinned = version ? `${identifier}==${version}` : identifier;
      return { command: 'uvx', args: [...runtime, pinned, ...own], ...mirror('https://pypi.org') };
    }
    case 'oci': {
      const image =
        version && !/[@:][^/]+$/.test(identifier) ? `${identifier}:${version}` : identifier;
      const passed = Object.keys(env).flatMap((name) => ['-e', name]);
      return {
        command: 'docker',
        args: ['run', '-i', '--rm', ...passed, ...runtime, image, ...own],
      };
    }
    case 'nuget': {
      const pinned = version ? `${identifier}@${version}` : identifier;
      const rest = own.length > 0 ? ['--', ...own] : [];
      return { command: 'dnx', args: [pinned, '--yes', ...runtime, ...rest] };
    }
    default:
      return undefined;
  }
}

function argumentWords(given: z.output<typeof argument>, ask: Ask): string[] {
  const { type, name, valueHint } = given;
  const label = name ?? valueHint ?? 'argument';
  // What it is called is only a hint for documents.
  if (type === 'positional') return [ask({ ...given, isUnnamed: true }, label)];
  const hasValue = given.value !== undefined || given.default !== undefined || !isFlag(given);
  return hasValue && name ? [`${name}=${ask(given, label)}`] : [name ?? ''];
}

/** A named argument of which nothing is said but its name. */
function isFlag({ isRequired, description, choices, isSecret }: Input): boolean {
  return !isRequired && !description && !choices && !isSecret;
}

function remoteFields(
  { type, url = '', headers = [], variables }: Transport,
  ask: Ask,
): JsonObject {
  return {
    type: type === 'sse' ? 'sse' : 'streamableHttp',
    url: ask({ value: url, ...(variables && { variables }) }, 'url'),
    headers: Object.fromEntries(headers.map((one) => [one.name, ask(one, one.name)])),
  };
}

type Ask = (given: Input & { isUnnamed?: true }, label: string) => string;

/** The inputs of an entry, as VS Code declares them; each gets an id of its own. */
class InputQuestions {
  readonly inputs: JsonObject[] = [];

  /** Puts a question in the place of what a person has to give: a whole value, or the variables in it. */
  of(prefix: string): Ask {
    return (given, label) => {
      const { value, variables = {} } = given;
      if (value === undefined) return this.#add(`${prefix}.${label}`, label, given);
      return value.replaceAll(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
        const isDeclared = Object.hasOwn(variables, name);
        // Many name a secret in a text, such as `Bearer {api_key}`, and declare nothing of it.
        if (!isDeclared && !(given.isSecret && /^[a-z_]\w*$/i.test(name))) return whole;
        const { isSecret, isRequired } = given;
        const input = isDeclared ? (variables[name] ?? {}) : { isSecret, isRequired };
        return this.#add(`${prefix}.${label}.${name}`, name, input);
      });
    };
  }

  #add(wanted: string, label: string, given: Input): string {
    if (given.value !== undefined) return given.value;
    const id = wanted.replaceAll(/[^\w.-]+/g, '-').slice(0, 150);
    const { description, isSecret, isRequired, format, isUnnamed } = given;
    const choices = given.choices ?? (format === 'boolean' ? ['true', 'false'] : []);
    this.inputs.push({
      id,
      description: description ? `${isUnnamed ? '' : `${label}: `}${description}` : label,
      password: isSecret === true,
      optional: isRequired !== true,
      ...(given.default !== undefined && { default: given.default }),
      ...(choices.length > 0 && { options: choices }),
    });
    return `\${input:${id}}`;
  }
}
