import type { Client } from '#client/client.ts';
import type { ServerView } from '#shared/api/api.ts';
import type { DiagnosisView } from '#shared/api/server-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import type { CliSettings } from '../settings/settings.ts';
import { confirm } from '../terminal/confirm.ts';
import type { Io } from '../terminal/io.ts';
import { markedLine, terminalLine } from '../terminal/terminal-text.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { readOptions, wrongUse } from '../usage/options.ts';
import { approveTool } from './approve-tool.ts';
import { sandboxWarning } from './diagnosis-page.ts';
import { describeLaunch } from './describe-server.ts';
import { padded, printJson, printLine, reasonText, stateWords } from '../printing/print.ts';
import { awaitInstalled, withClient, withServer } from '../client/with-server.ts';
import { say } from '#shared/errors/sentence.ts';
import { tell, tellError } from '../messages/tell.ts';

/** `cerise mcp approve NAME`: shows the exact command and lets it run after a yes. */
export async function approve(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, mcpCommands.approve);
  const [name, tool] = words;
  if ((name === undefined) !== values.all)
    throw wrongUse(say('cli-name-or-all')`Use either NAME or --all.`, mcpCommands.approve);
  if (name === undefined)
    return withClient(settings, io, (client) => approveAll(client, io, values));
  return withServer(settings, io, name, async (client, server) => {
    if (tool !== undefined) return approveTool({ client, io, ...values }, server, tool);
    const question = say('cli-approve-command')`Allow this exact command to run? [y]es, [N]o: `;
    const what = await launchText(client, server);
    if (!(await confirm(io, { what, question, yes: values.yes }))) return 1;
    await client.servers.approve(server.id, server.launchHash);
    const connected = await connectNow({ client, io, quiet: values.json }, server);
    if (values.json) printJson(io, connected);
    else await printApproved(client, io, connected);
    return 0;
  });
}

/** Every draft after one yes: exactly those that were shown. One that has changed since does not hold up the others. */
async function approveAll(
  client: Client,
  io: Io,
  { yes, json }: { yes: boolean; json: boolean },
): Promise<number> {
  const { servers } = await client.servers.list();
  const drafts = servers.filter(({ state, readOnly }) => state === 'draft' && !readOnly);
  if (drafts.length === 0) {
    if (json) printJson(io, { servers: [] });
    else printLine(io, tell(say('cli-no-drafts')`No servers need approval.`));
    return 0;
  }
  const texts: string[] = [];
  for (const draft of drafts) texts.push(await launchText(client, draft));
  const what = texts.join('\n\n');
  const question = say(
    'cli-approve-commands',
  )`Allow exactly these commands to run (servers: ${drafts.length})? [y]es, [N]o: `;
  if (!(await confirm(io, { what, question, yes }))) return 1;
  const approved: ServerView[] = [];
  for (const { id, name, launchHash } of drafts)
    try {
      approved.push(await client.servers.approve(id, launchHash));
    } catch (error) {
      if (!(error instanceof CeriseError)) throw error;
      io.stderr.write(`cerise: ${terminalLine(`${name}: ${tellError(error)}`)}\n`);
    }
  const place = { client, io, quiet: json };
  const connected = await Promise.all(approved.map((server) => connectNow(place, server)));
  if (json) printJson(io, { servers: connected });
  else for (const server of connected) await printApproved(client, io, server);
  return approved.length === drafts.length ? 0 : 1;
}

/** What was approved starts immediately; a server that fails says why by its state. */
async function connectNow(
  place: { client: Client; io: Io; quiet: boolean },
  { id }: Pick<ServerView, 'id'>,
): Promise<ServerView> {
  const { servers } = place.client;
  try {
    return await awaitInstalled(place, await servers.act(id, 'connect'));
  } catch (error) {
    if (!(error instanceof CeriseError)) throw error;
    return servers.read(id);
  }
}

async function printApproved(client: Client, io: Io, server: ServerView): Promise<void> {
  const { id, name, state } = server;
  const said = say('cli-approved')`Approved. State of ${terminalLine(name)}: ${stateWords(state)}`;
  const reason = terminalLine(reasonText(server));
  printLine(io, tell(reason === '' ? said : say('cli-approved-but')`${said}. ${reason}`));
  if (state !== 'connected') return;
  const { tools } = await client.servers.tools(id);
  const names = terminalLine(tools.map((tool) => tool.name).join(', '));
  printLine(io, tell(say('cli-approved-tools')`Tools (${tools.length}): ${names}`));
}

/** What would run and what it could reach, with a warning where the system does not see to that. */
export async function launchText(client: Client, server: ServerView): Promise<string> {
  const { sandbox }: Pick<DiagnosisView, 'sandbox'> = await client.servers.diagnosis(server.id);
  const warning = sandboxWarning(sandbox);
  const facts = describeLaunch(server).map(
    ([label, text]) => `  ${padded(tell(label), 9)} ${markedLine(tell(text))}`,
  );
  return [
    tell(say('cli-would-run')`${markedLine(server.name)} will run with your permissions:`),
    ...facts,
    ...(warning ? [markedLine(tell(warning))] : []),
  ].join('\n');
}
