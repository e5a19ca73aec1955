import { CeriseError } from '../errors/errors.ts';
import { say } from '../errors/sentence.ts';
import { splitCommandLine, splitOption } from '../text/command-line.ts';
import { isJsonObject, type JsonObject } from '../vocabulary/json.ts';
import { readJsonc } from './read-jsonc.ts';

const editors = /^(?:code|code-insiders|codium|cursor|windsurf)$/;
const isCommand =
  /^[\w.-]+\s+(?:mcp\s+add(?:-json)?|--add-mcp)\s|^goose\s[^]*\s--with-(?:streamable-http-|remote-)?extension\s|^npx\s+(?:-y\s+)?add-mcp(?:@\w+)?\s/;
/** What a shell leaves out of a line: variables for the command itself, and a comment. */
const aside = /^(?:[A-Za-z_]\w*=\S*\s+)+|(?<=\s)#\s[^'"]{0,500}$/g;

/**
 * Reads the commands with which a document adds servers to another host: `claude mcp add`, which many programs have
 * taken over, `claude mcp add-json`, `code --add-mcp`, `npx add-mcp`. What stands around them does not matter.
 * Undefined for any other text. Nothing is run, and nothing in it is expanded.
 */
export function readImportCommand(text: string): unknown {
  if (/^\s*[[{"]/.test(text)) return undefined;
  const lines = text
    .replaceAll(/[\\^`]\r?\n/g, ' ')
    .split(/\r?\n/)
    .map((line) =>
      line
        .trim()
        .replace(/^(?:\$|>|PS>)\s+/, '')
        .replaceAll(aside, ''),
    );
  const found = lines.filter((line) => isCommand.test(line)).map((line) => readLine(line));
  return found.length === 0 ? undefined : found;
}

/** Programs that fetch a server and run it, as documents name them alone. */
const runner =
  /^(?:npx|uvx|bunx|pnpx|dnx|npm exec|pnpm dlx|yarn dlx|bun x|uv (?:tool )?run|pipx run|(?:docker|podman) run|deno run|dotnet (?:run|tool exec)|go run|docker mcp gateway)\s+\S/;
/** Programs that run a server which is there already: only with a file, or they begin a sentence. */
const ownProgram =
  /^(?:node|bun|deno|python3?|java|php|ruby)\s(?:-\S*\s+)*\S+\.(?:[cm]?[jt]s|py|jar|php|rb)(?=\s|$)|^python3? -m \w/;
/** A variable for the command behind it, as the shells of Linux and Windows set one. */
const assignment =
  /^(?:(?:export|set)\s+([A-Za-z_]\w*)=|\$env:([A-Za-z_]\w*)\s?=\s?|([A-Za-z_]\w*)=)("[^"]*"|'[^']*'|[^\s;&]*)(?:\s*(?:;|&&|\r?\n)\s*|[ \t]+)/;
/** Programs that write a server into the settings of another app. */
const installer =
  /^npx\s+(?:-y\s+)?(?:@smithery\/cli|@michaellatman\/mcp-get|mcp-get|install-mcp)(?:@\S+)?\s+(?!run\b)/;

/** A text that is nothing but commands of servers, and comments on them; undefined for any other. */
export function readPlainCommands(text: string): JsonObject[] | undefined {
  const whole = readPlainCommand(text);
  if (whole) return [whole];
  const lines = text
    .replaceAll(/[\\^`]\r?\n/g, ' ')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:#|\/\/)/.test(line));
  const commands: JsonObject[] = [];
  let variables = '';
  for (const line of lines) {
    const isVariable = `${line}\n`.replace(assignment, '') === '';
    const command = isVariable ? undefined : readPlainCommand(variables + line);
    if (!isVariable && !command) return undefined;
    variables = isVariable ? `${variables}${line}\n` : '';
    if (command) commands.push(command);
  }
  return commands.length === 0 ? undefined : commands;
}

/** A text that is nothing but the command of a server, or its package; undefined for any other. */
function readPlainCommand(text: string): JsonObject | undefined {
  const env: JsonObject = {};
  let line = text.replaceAll(/[\\^`]\r?\n/g, ' ').replace(/^(?:\$|>|PS>)\s+/, '');
  for (let found = assignment.exec(line); found; found = assignment.exec(line)) {
    const [whole, exported, shell, own, value = ''] = found;
    env[exported ?? shell ?? own ?? ''] = asReference(value.replace(/^(["'])(.*)\1$/, '$2'));
    line = line.slice(whole.length);
  }
  if (line.includes('\n') || isCommand.test(line)) return undefined;
  if (/^@[\w.-]+\/[\w.-]+(?:@[\w.^~-]+)?$/.test(line))
    return { command: 'npx', args: ['-y', line], env };
  if (installer.test(line)) throw forAnotherApp();
  if (!runner.test(line) && !ownProgram.test(line)) return undefined;
  const [command = '', ...args] = splitCommandLine(line.replaceAll(aside, '')) ?? [];
  return { command, args: args.map(asReference), env };
}

function forAnotherApp(): CeriseError {
  return new CeriseError(
    'invalid_server',
    say('import-installer')`This command adds a server to another app.`,
    { hint: say('import-page-hint')`Paste the settings from its documentation instead.` },
  );
}

function readLine(line: string): unknown {
  const [program = '', ...words] = splitCommandLine(line) ?? [];
  const name = program.replace(/\.(?:exe|cmd)$/, '');
  if (editors.test(name) && words[0] === '--add-mcp') return readJsonc(words[1] ?? '');
  if (name === 'goose') return readGoose(words);
  if (name === 'npx') return readAddMcp(words.slice(words[0] === '-y' ? 2 : 1));
  return words[1] === 'add' ? readAdd(words.slice(2)) : readAddJson(words.slice(2));
}

/** `goose session --with-extension COMMAND`, or an address. */
function readGoose(words: string[]): JsonObject {
  const at = words.findIndex((word) => /^--with-.*extension$/.test(word));
  const target = words[at + 1] ?? '';
  if (/^https?:\/\//.test(target)) return { url: target };
  return readPlainCommand(target) ?? { command: target };
}

interface Added {
  type?: string;
  url?: string;
  command?: string;
  args: string[];
  env: JsonObject;
  headers: JsonObject;
  words: string[];
}

/** Options that mean nothing here: where the other host keeps the server, and whether it asks. */
const skipped = new Set(
  '-s --scope -a --agent -c --client --timeout --description --include-tools --exclude-tools'.split(
    ' ',
  ),
);
const flags = new Set(['--trust', '-y', '--yes', '-g', '--global', '--force']);

function readWords(words: string[]): Added {
  const added: Added = { args: [], env: {}, headers: {}, words: [] };
  let last = '';
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') {
      added.words.push(...words.slice(at + 1));
      break;
    }
    const [option, inline] = splitOption(word);
    // From the command on, everything is its own.
    const isOwn = added.words.length > 1 && !known.has(option);
    // One option may take several variables.
    if (isVariable(last, word)) take(added, last, asReference(word));
    else if (!word.startsWith('-') || isOwn) added.words.push(word);
    else if (!flags.has(option)) {
      const value = inline ?? words[(at += 1)] ?? '';
      if (!skipped.has(option)) take(added, option, asReference(value));
      last = option;
      continue;
    }
    if (!isVariable(last, word)) last = '';
  }
  return { ...added, words: added.words.map(asReference) };
}

function isVariable(option: string, word: string): boolean {
  return (option === '-e' || option === '--env') && /^[A-Za-z_]\w*=/.test(word);
}

const known = new Set([
  '-t',
  '--transport',
  '--type',
  '-e',
  '--env',
  '-H',
  '--header',
  '--url',
  '--command',
  '--args',
  '--bearer-token-env-var',
  ...skipped,
]);

function take(added: Added, option: string, value: string): void {
  if (['-t', '--transport', '--type'].includes(option)) added.type = value;
  else if (option === '--url') added.url = value;
  else if (option === '--command') added.command = value;
  else if (option === '--args') added.args.push(...readArgs(value));
  else if (option === '--bearer-token-env-var') added.headers.Authorization = `Bearer \${${value}}`;
  else if (option === '-e' || option === '--env') put(added.env, value, '=');
  else if (option === '-H' || option === '--header')
    put(added.headers, value, /^[\w-]+=/.test(value) ? '=' : ':');
  else if (option === '-n' || option === '--name') added.words.unshift(value);
  else throw unknownOption(option);
}

/** `q mcp add` takes a list in JSON, or words with commas between them. */
function readArgs(text: string): string[] {
  const value = text.startsWith('[') ? readJsonc(text) : text.split(',');
  return Array.isArray(value) ? value.map(String) : [];
}

/** What a shell would fill in has to be asked for. */
function asReference(word: string): string {
  return word.replaceAll(/\$([A-Z_][A-Z0-9_]*)/g, (_, name: string) => `\${${name}}`);
}

function put(values: JsonObject, text: string, sign: string): void {
  const at = text.indexOf(sign);
  if (at > 0) values[text.slice(0, at).trim()] = text.slice(at + 1).trim();
}

function readAdd(words: string[]): JsonObject {
  const { type, url, command, args: listed, env, headers, words: plain } = readWords(words);
  if (command !== undefined) return { name: plain[0] ?? 'server', command, args: listed, env };
  const isNamed = plain.length > 1 || url !== undefined;
  const [name = 'server', first = '', ...args] = isNamed ? plain : ['server', ...plain];
  const address = url ?? (/^https?:\/\//.test(first) ? first : undefined);
  if (address === undefined) return { name, command: first, args, env };
  const host = URL.parse(address)?.host ?? 'server';
  return {
    name: isNamed ? name : host,
    ...(type !== undefined && { type }),
    url: address,
    headers,
  };
}

/** `npx add-mcp TARGET`: a package or an address. */
function readAddMcp(words: string[]): JsonObject {
  const { type, env, headers, words: plain } = readWords(words);
  const [target = ''] = plain.slice(-1);
  const name = plain.length > 1 ? plain[0] : undefined;
  if (/^https?:\/\//.test(target))
    return { ...(name && { name }), ...(type && { type }), url: target, headers };
  const [program = '', ...args] = splitCommandLine(target) ?? [];
  if (args.length > 0) return { ...(name && { name }), command: program, args, env };
  return { ...(name && { name }), command: 'npx', args: ['-y', target], env };
}

function readAddJson(words: string[]): JsonObject {
  const [name = 'server', text = ''] = words.filter(
    (word, at) => !skipped.has(word) && !skipped.has(words[at - 1] ?? ''),
  );
  const value = readJsonc(text);
  return { ...(isJsonObject(value) && value), name };
}

function unknownOption(option: string): CeriseError {
  return new CeriseError(
    'invalid_server',
    say('import-option')`Cerise doesn't support the option ${option} of this command.`,
    { hint: say('import-option-hint')`Paste the server's JSON, or add it with the form.` },
  );
}
