import type { Client } from '#client/client.ts';
import { applyEvent } from '#client/conversation/apply-event.ts';
import { readTopicEvents } from '#client/stream/read-events.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { Event } from '#shared/vocabulary/event.ts';
import { type Conversation, isMessageRunning, type Message } from '#shared/vocabulary/message.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { decideCall } from './decide-call.ts';

/** Who is shown an answer while it is made. */
export interface AnswerViewer {
  /** Approves every call unasked. */
  yes: boolean;
  event?(event: Event): void;
  show(answer: Message): void;
  /** Before a question is asked. */
  pause(): void;
}

/** An answer, until the signal says that its host is given up. */
interface FollowedAnswer {
  topicId: string;
  answerId: string;
  signal?: AbortSignal;
}

/** Follows an answer to its end, and asks the person at the terminal about its calls. */
export async function followAnswer(
  { client, terminal }: { client: Client; terminal: Terminal },
  followed: FollowedAnswer,
  viewer: AnswerViewer,
): Promise<Message> {
  const leave = terminal.around({ before: () => viewer.pause() });
  try {
    return await follow({ client, terminal }, followed, viewer);
  } finally {
    leave();
  }
}

async function follow(
  { client, terminal }: { client: Client; terminal: Terminal },
  { topicId, answerId, signal }: FollowedAnswer,
  viewer: AnswerViewer,
): Promise<Message> {
  const questions = new OpenQuestions({ client, terminal, yes: viewer.yes });
  const ends = [signal, questions.failed].filter((each) => each !== undefined);
  const reading = { hear: (event: Event) => viewer.event?.(event), signal: AbortSignal.any(ends) };
  let last: Message | undefined;
  try {
    for await (const answer of readAnswer(client, { topicId, answerId }, reading)) {
      last = answer;
      // What a person is asked stands alone on the screen; what came meanwhile is shown after it.
      if (!terminal.isAsking) viewer.show(answer);
      questions.ask(answer);
    }
  } finally {
    await questions.close();
  }
  await terminal.quiet();
  if (!last) throw cutShort();
  viewer.show(last);
  return last;
}

/** What a person is asked about the calls of an answer, until they or somebody elsewhere decided. */
class OpenQuestions {
  readonly #asking: { client: Client; terminal: Terminal; yes: boolean };
  readonly #asked = new Map<string, AbortController>();
  readonly #open = new Set<Promise<void>>();
  readonly #failure = new AbortController();

  constructor(asking: { client: Client; terminal: Terminal; yes: boolean }) {
    this.#asking = asking;
  }

  /** Aborted with what went wrong, where a decision could not be told. */
  get failed(): AbortSignal {
    return this.#failure.signal;
  }

  /** Asks about each call that waits, once, and ends the questions that somebody else answered. */
  ask({ blocks }: Message): void {
    for (const block of blocks) {
      if (block.type !== 'tool') continue;
      const asked = this.#asked.get(block.toolCallId);
      if (!block.approval) asked?.abort();
      else if (!asked) this.#begin(block);
    }
  }

  /** Ends what is still asked; throws what went wrong. */
  async close(): Promise<void> {
    for (const each of this.#asked.values()) each.abort();
    await Promise.all(this.#open);
    if (this.failed.aborted) throw this.failed.reason;
  }

  #begin(block: ToolBlock): void {
    const over = new AbortController();
    this.#asked.set(block.toolCallId, over);
    const deciding = decide(this.#asking, block, over.signal)
      .catch((error: unknown) => this.#failure.abort(error))
      .finally(() => this.#open.delete(deciding));
    this.#open.add(deciding);
  }
}

/** An answer as it grows, from what there is of it to its end. Throws `connection_lost` where that is not heard. */
export async function* readAnswer(
  client: Pick<Client, 'connection'>,
  { topicId, answerId }: { topicId: string; answerId: string },
  { hear, signal }: { hear?: (event: Event) => void; signal?: AbortSignal },
): AsyncGenerator<Message> {
  let conversation: Conversation | undefined;
  for await (const event of readTopicEvents(client.connection, topicId, signal)) {
    if (conversation) conversation = applyEvent(conversation, event);
    else if (event.type === 'snapshot') ({ conversation } = event);
    hear?.(event);
    const answer = conversation?.messages.find(({ id }) => id === answerId);
    if (!answer) continue;
    yield answer;
    if (!isMessageRunning(answer)) return;
  }
  throw cutShort();
}

function cutShort(): CeriseError {
  return new CeriseError(
    'connection_lost',
    say('cli-stream-ended')`The connection closed before the answer was complete.`,
  );
}

async function decide(
  asking: { client: Client; terminal: Terminal; yes: boolean },
  block: ToolBlock,
  signal: AbortSignal,
): Promise<void> {
  const { toolCallId: id, argsHash = '' } = block;
  try {
    await decideCall(asking, { id, argsHash, call: block }, signal);
  } catch (error) {
    // Somebody else decided, or the answer was stopped while the person read.
    if (!(error instanceof CeriseError) || error.code !== 'already_decided') throw error;
  }
}
