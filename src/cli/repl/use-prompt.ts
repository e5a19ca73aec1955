import { promptDraft } from '#client/drafts/prompt-draft.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { terminalLine, terminalText } from '../terminal/terminal-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ChatSession } from './chat-session.ts';
import type { OfferedPrompt } from './server-offers.ts';

const maxWaitMs = 60_000;

/** Fills in a prompt, asks for what is missing, shows its words and sends them. */
export async function usePrompt(
  session: ChatSession,
  { server, prompt }: OfferedPrompt,
  given: string,
  { terminal, signal }: { terminal: Terminal; signal: AbortSignal },
): Promise<void> {
  const values = await completeValues(prompt.arguments, given, terminal);
  if (!values) return;
  const limit = AbortSignal.any([AbortSignal.timeout(maxWaitMs), signal]);
  const { messages } = await session.client.servers.getPrompt(
    server.id,
    prompt.name,
    values,
    limit,
  );
  if (messages.length === 0)
    throw new CeriseError('not_found', say('prompt-empty')`The prompt has no messages.`);
  const { text, files } = promptDraft(prompt.name, messages);
  terminal.write(`${terminalText(text)}\n\n`);
  // What a server wrote stays marked as its own.
  await session.send(text, signal, { files, quotes: [{ server: server.id }] });
}

/** Undefined if the person ended the questions. */
async function completeValues(
  args: OfferedPrompt['prompt']['arguments'],
  given: string,
  terminal: Terminal,
): Promise<Record<string, string> | undefined> {
  const values = readValues(args, given);
  const missing = args.filter(({ name, required }) => required && values[name] === undefined);
  if (missing.length === 0) return values;
  return terminal.dialogue(async (dialogue) => {
    for (const { name, description = '' } of missing) {
      const about = description === '' ? '' : ` (${description})`;
      const value = await dialogue.question(`${terminalLine(`${name}${about}`)}: `);
      if (value === undefined) return undefined;
      values[name] = value;
    }
    return values;
  });
}

/** `name=value` and `name="several words"`; a prompt with one argument also takes the words alone. */
function readValues(
  args: OfferedPrompt['prompt']['arguments'],
  given: string,
): Record<string, string> {
  const pairs = [...given.matchAll(/(?<=^|\s)([^\s=]+)=(?:"([^"]*)"|(\S*))/g)];
  const known = new Set(args.map(({ name }) => name));
  const unknown = pairs.find(([, name = '']) => !known.has(name));
  const [only, ...others] = args;
  if (only && others.length === 0 && given !== '' && (pairs.length === 0 || unknown))
    return { [only.name]: given };
  if (unknown || (pairs.length === 0 && given !== ''))
    throw new CeriseError(
      'invalid_request',
      say('cli-prompt-arguments')`Write the arguments as name=value: ${[...known].join(', ')}.`,
    );
  return Object.fromEntries(
    pairs.map(([, name = '', quoted, plain = '']) => [name, quoted ?? plain]),
  );
}
