import { CeriseError } from '../errors/errors.ts';
import { say } from '../errors/sentence.ts';
import { splitCommandLine, splitOption } from '../text/command-line.ts';
import { isJsonObject, type JsonObject } from '../vocabulary/json.ts';
import { readJsonc } from './read-jsonc.ts';

/** `claude mcp add NAME …`, as documents print it; other programs have taken over its words. */
const adds = /^(?:claude|codex|gemini|qwen|kimi|droid|copilot|cerise)$/;
const editors = /^(?:code|code-insiders|codium|cursor|windsurf)$/;

/**
 * Reads the command with which a document adds a server to another host: `claude mcp add`, `claude mcp add-json`,
 * `code --add-mcp`. Undefined for any other text. Nothing is run, and nothing in it is expanded.
 */
export function readImportCommand(text: string): unknown {
  const line = text
    .replace(/^(?:\$|>|PS>)\s+/, '')
    .replaceAll(/\s*[\\^`]\r?\n\s*/g, ' ')
    .trim();
  if (line.includes('\n') || !/^[\w-]+(?:\.exe|\.cmd)?\s/.test(line)) return undefined;
  const [program = '', ...words] = splitCommandLine(line) ?? [];
  const name = program.replace(/\.(?:exe|cmd)$/, '');
  if (editors.test(name) && words[0] === '--add-mcp') return readJsonc(words[1] ?? '');
  if (!adds.test(name) || words[0] !== 'mcp') return undefined;
  if (words[1] === 'add') return { mcpServers: readAdd(words.slice(2)) };
  if (words[1] === 'add-json') return { mcpServers: readAddJson(words.slice(2)) };
  return undefined;
}

interface Added {
  type?: string;
  url?: string;
  env: JsonObject;
  headers: JsonObject;
  words: string[];
}

/** Options that mean nothing here: where the other host keeps the server. */
const skipped = new Set(['-s', '--scope']);

function readAdd(words: string[]): JsonObject {
  const added: Added = { env: {}, headers: {}, words: [] };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') {
      added.words.push(...words.slice(at + 1));
      break;
    }
    const [option, inline] = splitOption(word);
    // From the command on, everything is its own.
    const isOwn = added.words.length > 1 && !known.has(option);
    if (!word.startsWith('-') || isOwn) added.words.push(word);
    else {
      const value = inline ?? words[(at += 1)] ?? '';
      if (!skipped.has(option)) take(added, option, value);
    }
  }
  return toEntry(added);
}

const known = new Set(['-t', '--transport', '-e', '--env', '-H', '--header', '--url', ...skipped]);

function take(added: Added, option: string, value: string): void {
  if (option === '-t' || option === '--transport') added.type = value;
  else if (option === '--url') added.url = value;
  else if (option === '-e' || option === '--env') put(added.env, value, '=');
  else if (option === '-H' || option === '--header') put(added.headers, value, ':');
  else throw unknownOption(option);
}

function put(values: JsonObject, text: string, sign: string): void {
  const at = text.indexOf(sign);
  if (at > 0) values[text.slice(0, at).trim()] = text.slice(at + 1).trim();
}

function toEntry({ type, url, env, headers, words }: Added): JsonObject {
  const [name = 'server', first = '', ...args] = words;
  const address = url ?? (/^https?:\/\//.test(first) ? first : undefined);
  if (address === undefined) return { [name]: { command: first, args, env } };
  return { [name]: { ...(type !== undefined && { type }), url: address, headers } };
}

function readAddJson(words: string[]): JsonObject {
  const [name = 'server', text = ''] = words.filter(
    (word, at) => !skipped.has(word) && !skipped.has(words[at - 1] ?? ''),
  );
  const value = readJsonc(text);
  return { [name]: isJsonObject(value) ? value : {} };
}

function unknownOption(option: string): CeriseError {
  return new CeriseError(
    'invalid_server',
    say('import-option')`Cerise doesn't know the option ${option} of this command.`,
    { hint: say('import-option-hint')`Paste the server's JSON, or add it with the form.` },
  );
}
