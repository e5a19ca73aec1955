import { topicExportPath } from '#client/api/topics.ts';
import type { Client } from '#client/client.ts';
import { say } from '#shared/errors/sentence.ts';
import { heads, printJson, printLine, printTable } from '../printing/print.ts';
import { withClient } from '../client/with-server.ts';
import { tell } from '../messages/tell.ts';
import type { CliSettings } from '../settings/settings.ts';
import { confirm } from '../terminal/confirm.ts';
import type { Io } from '../terminal/io.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import { commands } from '../usage/commands.ts';
import { readOptions, wrongUse } from '../usage/options.ts';

const mostListed = 200;
const searchMs = 30_000;

/** `cerise topics`: the newest first. */
export async function list(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { values } = readOptions(argv, commands.topics);
  const limit = Number(values.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostListed)
    throw wrongUse(
      say('cli-topics-limit-range')`--limit must be a number from 1 to ${mostListed}.`,
      commands.topics,
    );
  return withClient(settings, io, async (client) => {
    const { topics } = await client.topics.list({ limit });
    if (values.json) printJson(io, { topics });
    else
      printTable(
        io,
        [heads.id, heads.updated, heads.title],
        topics.map(({ id, updatedAt, title, isLoading }) => [
          id,
          timeText(updatedAt),
          isLoading ? `${title} (${tell(say('cli-chat-running')`running`)})` : title,
        ]),
      );
    return 0;
  });
}

/** `cerise topics search WORDS` */
export async function search(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, commands['topics search']);
  return withClient(settings, io, async (client) => {
    const { hits } = await client.topics.search(words.join(' '), AbortSignal.timeout(searchMs));
    if (values.json) printJson(io, { hits });
    else
      printTable(
        io,
        [heads.id, heads.updated, heads.title, heads.match],
        hits.map(({ topicId, at, topicTitle, snippet }) => [
          topicId,
          timeText(at),
          topicTitle,
          snippet,
        ]),
      );
    return 0;
  });
}

/** `cerise topics export ID`: as the host writes it. */
export async function exportOne(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, commands['topics export']);
  const [id = ''] = words;
  const { format } = values;
  if (format !== 'markdown' && format !== 'json')
    throw wrongUse(
      say('cli-topics-format-wrong')`--format must be markdown or json.`,
      commands['topics export'],
    );
  return withClient(settings, io, async (client) => {
    const response = await client.connection.send(topicExportPath(id, format));
    io.stdout.write(await response.text());
    return 0;
  });
}

/** `cerise topics delete ID …`: all of them, or none if one is not there. */
export async function remove(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, commands['topics delete']);
  return withClient(settings, io, async (client) => {
    const titles = await Promise.all(words.map((id) => titleOf(client, id)));
    const isSure = await confirm(io, {
      what: titles.map(terminalLine).join('\n'),
      question: say('cli-delete-chats')`Delete these chats (${words.length})? [y] yes, [N] no: `,
      yes: values.yes,
    });
    if (!isSure) return 1;
    for (const id of words) await client.topics.remove(id);
    printLine(io, tell(say('cli-chats-deleted')`Deleted chats: ${words.length}.`));
    return 0;
  });
}

async function titleOf(client: Client, id: string): Promise<string> {
  const { topic } = await client.topics.conversation(id, AbortSignal.timeout(searchMs));
  return topic.title;
}

/** The local date and time, to the minute. */
function timeText(at: number): string {
  const date = new Date(at);
  const local = new Date(at - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16).replace('T', ' ');
}
