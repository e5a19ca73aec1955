import type { Client } from '#client/client.ts';
import { applyEvent } from '#client/conversation/apply-event.ts';
import { newKey } from '#client/http/key.ts';
import { readTopicEvents } from '#client/stream/read-events.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { type Conversation, isMessageRunning } from '#shared/vocabulary/message.ts';
import { connect } from '../client/connect.ts';
import { followInputs } from '../client/follow-inputs.ts';
import { commands } from '../usage/commands.ts';
import { readOptions, wrongUse } from '../usage/options.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { AnswerPrinter } from '../printing/answer-printer.ts';
import { askApproval } from '../terminal/ask-approval.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';

interface Options {
  question: string;
  model?: string | undefined;
  topic?: string | undefined;
  yes: boolean;
  tools: boolean;
}

/** `cerise chat "question"`: streams one answer to the terminal, with its tools. */
export async function chat(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const options = parseOptions(argv);
  const client = await connect(settings, io);
  try {
    const topicId = options.topic ?? (await client.topics.create({})).id;
    const answerId = await send(client, topicId, options).catch(async (error: unknown) => {
      if (!options.topic) await client.topics.remove(topicId);
      throw error;
    });
    const terminal = openTerminal(io);
    const inputs = followInputs(client, { io, terminal }, (input) =>
      input.topicId === undefined ? !input.toolCallId : input.topicId === topicId,
    );
    return await followAnswer({ io, client, terminal }, topicId, answerId, options).finally(() =>
      inputs.close(),
    );
  } finally {
    await client.close();
  }
}

function parseOptions(argv: string[]): Options {
  const { words, values } = readOptions(argv, commands.chat);
  const question = words.join(' ');
  if (question.trim() === '')
    throw wrongUse(say('cli-no-question')`Enter a question.`, commands.chat);
  const { model, topic, yes } = values;
  return { question, model, topic, yes, tools: !values['no-tools'] };
}

async function send(client: Client, topicId: string, options: Options): Promise<string> {
  const { question: text, model, tools } = options;
  const only = tools ? {} : { tools: { mode: 'none' as const } };
  const body = { text, ...(model && { model }), ...only };
  return (await client.messages.send(topicId, body, newKey())).answerId;
}

async function followAnswer(
  { io, client, terminal }: { io: Io; client: Client; terminal: Terminal },
  topicId: string,
  answerId: string,
  options: Options,
): Promise<number> {
  const interrupted = stopOnInterrupt(io, client, answerId);
  const printer = new AnswerPrinter(io.stdout);
  const asked = new Set<string>();
  let conversation: Conversation | undefined;
  for await (const event of readTopicEvents(client.connection, topicId)) {
    if (conversation) conversation = applyEvent(conversation, event);
    else if (event.type === 'snapshot') ({ conversation } = event);
    const answer = conversation?.messages.find(({ id }) => id === answerId);
    if (!answer) continue;
    printer.show(answer);
    for (const block of answer.blocks) {
      if (block.type !== 'tool' || !block.approval || asked.has(block.toolCallId)) continue;
      asked.add(block.toolCallId);
      await decide(client, terminal, block, options.yes);
    }
    if (isMessageRunning(answer)) continue;
    printer.end(answer, topicId);
    if (interrupted()) return 130;
    return answer.status === 'success' ? 0 : 1;
  }
  throw new CeriseError(
    'connection_lost',
    say('cli-stream-ended')`The connection closed before the answer was complete.`,
  );
}

async function decide(
  client: Client,
  terminal: Terminal,
  block: ToolBlock,
  yes: boolean,
): Promise<void> {
  const decision = yes
    ? { decision: 'approve' as const, scope: 'once' as const }
    : await askApproval(terminal, block, block.approval?.rule ?? '');
  await client.toolCalls.decide(block.toolCallId, { ...decision, argsHash: block.argsHash ?? '' });
}

/** Ctrl-C stops the answer, which then ends by itself; a second one ends the program. */
function stopOnInterrupt(io: Io, client: Client, answerId: string): () => boolean {
  let interrupted = false;
  io.onSignal('SIGINT', () => {
    if (interrupted) io.exit(130);
    interrupted = true;
    client.messages.stop(answerId).catch(() => io.exit(130));
  });
  return () => interrupted;
}
