import { diff } from 'node:util';
import type { Client } from '#client/client.ts';
import type { ServerView, ToolView } from '#shared/api/api.ts';
import { say } from '#shared/errors/sentence.ts';
import { confirm } from '../terminal/confirm.ts';
import type { Io } from '../terminal/io.ts';
import { markedLine, terminalLine } from '../terminal/terminal-text.ts';
import { findTool } from '../contents/call.ts';
import { printJson, printLine } from '../printing/print.ts';
import { tell } from '../messages/tell.ts';

/** Comparing takes the square of the lines that differ; more than so many are shown one after the other. */
const mostLines = 2000;

/** `cerise mcp approve NAME TOOL`: shows how a tool changed and approves exactly that after a yes. */
export async function approveTool(
  { client, io, yes, json }: { client: Client; io: Io; yes: boolean; json: boolean },
  { id, name: serverName }: ServerView,
  toolName: string,
): Promise<number> {
  const tool = await findTool(client, id, toolName);
  const shown = terminalLine(tool.name);
  if (!tool.changed) {
    if (json) printJson(io, {});
    else printLine(io, tell(say('cli-tool-same')`${shown} hasn't changed.`));
    return 0;
  }
  const title = say(
    'cli-tool-changed',
  )`${markedLine(tool.name)} of ${markedLine(serverName)} changed:`;
  const what = [tell(title), ...differences(tool.changed)].join('\n');
  const question = say('cli-approve-tool')`Allow the tool as it is now? [y]es, [N]o: `;
  if (!(await confirm(io, { what, question, yes }))) return 1;
  await client.servers.approveTool(id, tool.name, tool.definitionHash ?? '');
  if (json) printJson(io, {});
  else printLine(io, tell(say('cli-tool-approved')`Approved ${shown}.`));
  return 0;
}

/** The definition line by line: what was before with a minus, what is now with a plus. */
function differences({ before, after }: NonNullable<ToolView['changed']>): string[] {
  const [old, now] = [before, after].map((value) => JSON.stringify(value, null, 2).split('\n'));
  if (!old || !now) return [];
  const marked = (sign: string) => (line: string) => `${sign} ${markedLine(line)}`;
  if (old.length + now.length > mostLines)
    return [...old.map(marked('-')), ...now.map(marked('+'))];
  const signs = { '0': ' ', '1': '-', '-1': '+' };
  return diff(old, now).map(([change, line]) => marked(signs[`${change}`])(line));
}
