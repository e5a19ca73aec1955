import { text } from 'node:stream/consumers';
import type { Client } from '#client/client.ts';
import { newKey } from '#client/http/key.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Event } from '#shared/vocabulary/event.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { connect } from '../client/connect.ts';
import { followAnswer } from '../client/follow-answer.ts';
import { followInputs } from '../client/follow-inputs.ts';
import { commands } from '../usage/commands.ts';
import { readOptions, wrongUse } from '../usage/options.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { AnswerPrinter } from '../printing/answer-printer.ts';
import { openTerminal } from '../terminal/terminal.ts';

interface Options {
  question: string;
  model?: string | undefined;
  topic?: string | undefined;
  yes: boolean;
  tools: boolean;
  json: boolean;
}

/** `cerise chat "question"`: streams one answer to the terminal, with its tools. */
export async function chat(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const options = await parseOptions(argv, io);
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
    const interrupted = stopOnInterrupt(io, client, answerId);
    const printer = new AnswerPrinter(io.stdout, io.env);
    const viewer = {
      yes: options.yes,
      event: (event: Event) => {
        if (options.json) io.stdout.write(`${JSON.stringify(event)}\n`);
      },
      show: (answer: Message) => {
        if (!options.json) printer.show(answer);
      },
      pause: () => printer.pause(),
    };
    const answer = await followAnswer({ client, terminal }, { topicId, answerId }, viewer).finally(
      () => inputs.close(),
    );
    if (!options.json) printer.end(answer, topicId);
    if (interrupted()) return 130;
    return answer.status === 'success' ? 0 : 1;
  } finally {
    await client.close();
  }
}

async function parseOptions(argv: string[], io: Io): Promise<Options> {
  const { words, values } = readOptions(argv, commands.chat);
  const input = words.includes('-') ? await text(io.stdin) : '';
  const question = words.map((word) => (word === '-' ? `\n\n${input}` : word)).join(' ');
  if (question.trim() === '')
    throw wrongUse(say('cli-no-question')`Enter a question.`, commands.chat);
  const { model, topic, yes } = values;
  return { question, model, topic, yes, json: values.json, tools: !values['no-tools'] };
}

async function send(client: Client, topicId: string, options: Options): Promise<string> {
  const { question, model, tools } = options;
  const only = tools ? {} : { tools: { mode: 'none' as const } };
  const body = { text: question, ...(model && { model }), ...only };
  return (await client.messages.send(topicId, body, newKey())).answerId;
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
