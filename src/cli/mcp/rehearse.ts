import type { Rehearsal, RehearsalPlan } from '#shared/api/server-api.ts';
import { messageOf } from '#shared/errors/errors.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import { withServer } from '../client/with-server.ts';
import { tell } from '../messages/tell.ts';
import { heads, printJson, printLine, printTable } from '../printing/print.ts';
import type { CliSettings } from '../settings/settings.ts';
import { confirm } from '../terminal/confirm.ts';
import type { Io } from '../terminal/io.ts';
import { markedLine, terminalLine } from '../terminal/terminal-text.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { readOptions } from '../usage/options.ts';
import { launchText } from './approve.ts';

type Call = Rehearsal['calls'][number];

/** `cerise mcp rehearse NAME`: what a server would be, by recorded calls that only read. Exit code 1 where anything differs. */
export async function rehearse(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, mcpCommands.rehearse);
  return withServer(settings, io, words[0] ?? '', async (client, server) => {
    const plan = await client.servers.rehearsal(server.id);
    const what = `${await launchText(client, server)}\n\n${describe(plan)}`;
    const question = say(
      'cli-rehearse-question',
    )`Run this command and repeat these calls? [y]es, [N]o: `;
    if (!(await confirm(io, { what, question, yes: values.yes }))) return 1;
    const toolCallIds = plan.calls.map(({ toolCallId }) => toolCallId);
    const { launchHash } = plan;
    const made = await client.servers.rehearse(server.id, { launchHash, toolCallIds });
    if (values.json) printJson(io, made);
    else print(io, made);
    const { added, removed, changed } = made.tools;
    const isSame = made.calls.every(({ outcome }) => outcome === 'same');
    return isSame && [added, removed, changed].every(({ length }) => length === 0) ? 0 : 1;
  });
}

function describe({ calls }: RehearsalPlan): string {
  if (calls.length === 0)
    return tell(
      say('cli-rehearse-none')`There are no recorded read-only calls. Only the tools are compared.`,
    );
  const title = tell(say('cli-rehearse-calls')`It will repeat these read-only calls:`);
  return [title, ...calls.map((call) => `  ${markedLine(wordsOf(call))}`)].join('\n');
}

function print(io: Io, { tools, calls }: Rehearsal): void {
  const { added, removed, changed } = tools;
  const lines: [string[], (names: string) => Sentence][] = [
    [added, (names) => say('cli-rehearse-added')`New tools: ${names}`],
    [removed, (names) => say('cli-rehearse-removed')`Removed tools: ${names}`],
    [changed, (names) => say('cli-rehearse-changed')`Changed tools: ${names}`],
  ];
  for (const [names, line] of lines)
    if (names.length > 0) printLine(io, tell(line(terminalLine(names.join(', ')))));
  if (lines.every(([names]) => names.length === 0))
    printLine(io, tell(say('cli-rehearse-nothing')`The tools haven't changed.`));
  if (calls.length === 0) return;
  const { call, result, difference, recorded, replayed } = heads;
  printTable(io, [call, result, difference, recorded, replayed], calls.flatMap(toRows));
}

function toRows(call: Call): string[][] {
  const { outcome, differences, error } = call;
  const head = [wordsOf(call), tell(outcomes[outcome])];
  if (error) return [[...head, '', '', tell(messageOf(error))]];
  if (differences.length === 0) return [[...head, '', '', '']];
  return differences.map(({ path, recorded = '', replayed = '' }, index) => [
    ...(index === 0 ? head : ['', '']),
    path,
    recorded,
    replayed,
  ]);
}

const outcomes: Record<Call['outcome'], Sentence> = {
  same: say('cli-rehearse-same')`same`,
  different: say('cli-rehearse-different')`different`,
  failed: say('cli-rehearse-failed')`failed`,
};

function wordsOf({ toolName, arguments: args }: Pick<Call, 'toolName' | 'arguments'>): string {
  return `${toolName} ${JSON.stringify(args)}`;
}
