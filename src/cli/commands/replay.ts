import type { Client } from '#client/client.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { findAnswer } from '../client/find-answer.ts';
import { followAnswer } from '../client/follow-answer.ts';
import { withClient } from '../client/with-server.ts';
import { tell } from '../messages/tell.ts';
import { heads, printJson, printLine, printTable } from '../printing/print.ts';
import { printSideBySide } from '../printing/side-by-side.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { commands } from '../usage/commands.ts';
import { readOptions, wrongUse } from '../usage/options.ts';

const toolModes = ['recorded', 'live', 'ask'] as const;

type Changes = NonNullable<Parameters<Client['messages']['regenerate']>[1]>;
interface ReplayDisplay {
  yes: boolean;
  json: boolean;
}

/** `cerise replay TOPIC`: the answer again from its record, or another version of it from any step. */
export async function replay(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, commands.replay);
  const [topicId = ''] = words;
  const { model, prompt, from, tools, yes, json } = values;
  const changes: Changes = {
    ...(model !== undefined && { model }),
    ...(prompt !== undefined && { systemPrompt: prompt }),
    ...(from !== undefined && { from: stepOf(from) }),
    ...(tools !== undefined && { tools: toolModeOf(tools) }),
  };
  return withClient(settings, io, async (client) => {
    const { answer } = await findAnswer(client, topicId, values.answer);
    if (Object.keys(changes).length === 0) return compare(client, io, answer, json);
    const asked = { tools: 'recorded' as const, ...changes };
    return branch(client, io, { topicId, answer }, asked, { yes, json });
  });
}

function stepOf(text: string): number {
  const step = Number(text);
  if (Number.isInteger(step) && step >= 1) return step;
  throw wrongUse(say('cli-replay-step')`--from must be a step: 1, 2, …`, commands.replay);
}

function toolModeOf(text: string): (typeof toolModes)[number] {
  const mode = toolModes.find((each) => each === text);
  if (mode) return mode;
  const message = say('cli-replay-mode')`--tools must be recorded, live or ask.`;
  throw wrongUse(message, commands.replay);
}

/** The exit code is 1 where anything differs. */
async function compare(client: Client, io: Io, { id }: Message, json: boolean): Promise<number> {
  const made = await client.messages.replay(id);
  const { requests, blocks, differences } = made;
  if (json) printJson(io, made);
  else if (differences.length === 0) {
    const what = say('cli-replay-identical')`Identical. Requests: ${requests}, blocks: ${blocks}.`;
    printLine(io, tell(what));
  } else
    printTable(
      io,
      [heads.difference, heads.recorded, heads.replayed],
      differences.map(({ path, recorded = '', replayed = '' }) => [path, recorded, replayed]),
    );
  return differences.length === 0 ? 0 : 1;
}

async function branch(
  client: Client,
  io: Io,
  { topicId, answer }: { topicId: string; answer: Message },
  changes: Changes,
  { yes, json }: ReplayDisplay,
): Promise<number> {
  const { answerId } = await client.messages.regenerate(answer.id, changes);
  const viewer = { yes, show: () => undefined, pause: () => undefined };
  const terminal = openTerminal(io);
  const made = await followAnswer({ client, terminal }, { topicId, answerId }, viewer);
  if (json) printJson(io, { answer: made });
  else printSideBySide(io, answer, made);
  return made.status === 'success' ? 0 : 1;
}
