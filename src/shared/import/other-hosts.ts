import { splitCommandLine } from '../text/command-line.ts';
import { isJsonObject, type Json, type JsonObject } from '../vocabulary/json.ts';
import { withOwnVariables } from './own-variables.ts';

/** What other hosts call fields that are ours, where only their settings have these names. */
const names = new Map([
  ['cmd', 'command'],
  ['envs', 'env'],
  ['uri', 'url'],
  ['working_directory', 'cwd'],
  ['workingDirectory', 'cwd'],
  ['http_headers', 'headers'],
  ['requestHeaders', 'headers'],
  ['tool_timeout_sec', 'timeout'],
  ['startup_timeout_sec', 'startTimeout'],
  ['disabled_tools', 'disabledTools'],
]);

/**
 * An entry in the form that most hosts share: Codex, Goose, Zed and others have names and shapes of their own.
 * A whole command line becomes a command with arguments, without the `cmd /c` that Windows needs elsewhere.
 */
export function asCommonEntry(given: JsonObject): JsonObject {
  const fields: JsonObject = {};
  for (const [key, value] of Object.entries(withTransport(given))) {
    const name = names.get(key) ?? key;
    if (value !== null && (name === key || !Object.hasOwn(given, name))) fields[name] = value;
  }
  return withStartTime(
    withType(
      withOwnVariables(withWords(withMilliseconds(withVariables(withProgram(withClient(fields)))))),
    ),
  );
}

/** Some say how a server is reached in an object of its own. */
function withTransport({ transport, ...rest }: JsonObject): JsonObject {
  if (isJsonObject(transport)) return { ...transport, ...rest };
  return { ...rest, ...(transport !== undefined && { transport }) };
}

/** Only what is started here has a time to start. */
function withStartTime({ startTimeout, ...fields }: JsonObject): JsonObject {
  const isStarted = startTimeout !== undefined && typeof fields.command === 'string';
  return { ...fields, ...(isStarted && { startTimeout }) };
}

/** A command is run, whatever type stands beside it. */
function withType(fields: JsonObject): JsonObject {
  const { type, transport, ...rest } = fields;
  if (type === undefined && transport === undefined) return fields;
  const isReached = ['url', 'serverUrl', 'httpUrl', 'baseUrl', 'builtin'].some(
    (key) => fields[key],
  );
  const isMemory = typeof type === 'string' && /memory/i.test(type);
  return typeof fields.command === 'string' && fields.command !== '' && !isReached && !isMemory
    ? { ...rest, type: 'stdio' }
    : fields;
}

/** Cursor writes the client that is registered at the authorization server as variables. */
function withClient({ auth, ...fields }: JsonObject): JsonObject {
  if (!isJsonObject(auth) || !Object.hasOwn(auth, 'CLIENT_ID'))
    return { ...fields, ...(auth !== undefined && { auth }) };
  const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, scopes } = auth;
  return {
    ...fields,
    auth: {
      ...(clientId !== undefined && { clientId }),
      ...(clientSecret !== undefined && { clientSecret }),
      ...(scopes !== undefined && { scopes }),
    },
  };
}

/** Zed wrote a program with its arguments and variables as one thing. */
function withProgram({ command, ...rest }: JsonObject): JsonObject {
  if (!isJsonObject(command)) return { ...(command !== undefined && { command }), ...rest };
  const { path, args, env } = command;
  return {
    ...(path !== undefined && { command: path }),
    ...(args !== undefined && { args }),
    ...(env !== undefined && { env }),
    ...rest,
  };
}

/** Some name the variables that a value comes from: they are asked for. */
function withVariables(fields: JsonObject): JsonObject {
  const { bearer_token_env_var: bearer, env_http_headers: fromEnv, ...rest } = fields;
  const { env_vars: passed, env_keys: kept, ...others } = rest;
  const asked = [passed, kept].flatMap((list) => (Array.isArray(list) ? list : []));
  const listed = Array.isArray(others.env) ? pairsOf(others.env) : undefined;
  const env = asked.flatMap((name): [string, Json][] =>
    typeof name === 'string' ? [[name, `\${${name}}`]] : [],
  );
  const named = isJsonObject(fromEnv) ? Object.entries(fromEnv) : [];
  const filled = named.flatMap(([name, value]): [string, Json][] =>
    typeof value === 'string' ? [[name, `\${${value}}`]] : [],
  );
  if (typeof bearer === 'string') filled.push(['Authorization', `Bearer \${${bearer}}`]);
  const own = (value: Json | undefined) => (isJsonObject(value) ? value : {});
  return {
    ...others,
    ...(listed && { env: listed }),
    ...(env.length > 0 && { env: { ...Object.fromEntries(env), ...(listed ?? own(others.env)) } }),
    ...(filled.length > 0 && {
      headers: { ...Object.fromEntries(filled), ...own(others.headers) },
    }),
  };
}

/** Variables as Compose lists them: `NAME=value`, or a name alone for one of the host. */
function pairsOf(list: Json[]): JsonObject {
  const pairs = list.flatMap((word): [string, Json][] => {
    if (typeof word !== 'string') return [];
    const [, name, value] = /^([A-Za-z_]\w*)(?:=([^]*))?$/.exec(word) ?? [];
    return name === undefined ? [] : [[name, value ?? `\${${name}}`]];
  });
  return Object.fromEntries(pairs);
}

function withMilliseconds({ startup_timeout_ms: time, ...fields }: JsonObject): JsonObject {
  return typeof time === 'number' ? { startTimeout: time / 1000, ...fields } : fields;
}

function withWords(given: JsonObject): JsonObject {
  const fields = withoutList(given);
  const { command, args = [] } = fields;
  if (typeof command !== 'string' || !Array.isArray(args)) return fields;
  const isLine = args.length === 0 && /^[\w.-]+\s/.test(command);
  const words = (isLine && splitCommandLine(command)) || [command];
  const [program = '', ...rest] = withoutShell([...words, ...args]);
  if (program === command && !isLine) return fields;
  return { ...fields, command: program, args: rest };
}

/** OpenCode writes a program and its arguments as one list. */
function withoutList({ command, args, ...rest }: JsonObject): JsonObject {
  const words = Array.isArray(args) ? args : [];
  if (Array.isArray(command))
    return { command: command[0] ?? '', args: [...command.slice(1), ...words], ...rest };
  return {
    ...(command !== undefined && { command }),
    ...(args !== undefined && { args }),
    ...rest,
  };
}

/** Elsewhere Windows starts `npx` only through its shell; here it is found without one. */
function withoutShell(words: Json[]): Json[] {
  const [program, option, command] = words;
  const isShell = typeof program === 'string' && /^(?:.*[\\/])?cmd(?:\.exe)?$/i.test(program);
  const isRun = typeof option === 'string' && /^\/[ck]$/i.test(option);
  if (!isShell || !isRun || typeof command !== 'string') return words;
  const inner = words.length === 3 ? (splitCommandLine(command) ?? [command]) : words.slice(2);
  return inner;
}
