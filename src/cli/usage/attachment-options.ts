import type { Client } from '#client/client.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { nearestNames } from '#shared/text/nearest-names.ts';
import type { Attachment } from '#shared/vocabulary/server.ts';
import type { Command, Option } from './command.ts';
import { wrongUse } from './options.ts';

/** What makes a new server a session server. */
export const attachmentOptions = {
  assistant: {
    type: 'string',
    value: 'NAME|ID',
    help: say('cli-add-assistant')`Make it available to this assistant only`,
  },
  topic: {
    type: 'string',
    value: 'ID',
    help: say('cli-add-topic')`Make it available in this chat only`,
  },
} as const satisfies Record<string, Option>;

/** The assistant or the chat that the options name; the host says so where there is no such chat. */
export async function readAttachment(
  client: Client,
  { assistant, topic }: { assistant?: string | undefined; topic?: string | undefined },
  command: Command,
): Promise<{ attachedTo?: Attachment }> {
  if (assistant !== undefined && topic !== undefined)
    throw wrongUse(say('cli-one-attachment')`Use either --assistant or --topic.`, command);
  if (topic !== undefined) return { attachedTo: { topic } };
  return assistant === undefined
    ? {}
    : { attachedTo: { assistant: await idOf(client, assistant) } };
}

async function idOf(client: Client, wanted: string): Promise<string> {
  const { assistants } = await client.assistants.list();
  if (assistants.some(({ id }) => id === wanted)) return wanted;
  const named = assistants.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const [only, ...others] = named;
  if (only && others.length === 0) return only.id;
  if (only)
    throw new CeriseError(
      'conflict',
      say('cli-several-assistants')`Several assistants are named ${wanted.slice(0, 100)}.`,
      { hint: say('cli-use-id')`Use an ID instead: ${named.map(({ id }) => id).join(', ')}.` },
    );
  const names = assistants.map(({ name }) => name);
  throw new CeriseError(
    'assistant_not_found',
    say('cli-no-assistant')`There is no assistant named ${wanted.slice(0, 100)}.`,
    { hint: say('cli-similar')`Similar: ${nearestNames(wanted, names).join(', ')}.` },
  );
}
