import { isMessageOpen, type Message, type Topic } from '#shared/vocabulary/message.ts';
import { reduceMessage, withWaiting } from '#shared/vocabulary/reduce.ts';
import { type JournalEntry, readTopicJournal } from '#store/conversations/events.ts';
import { listRunning } from '#store/conversations/messages.ts';
import { getTopic, getTopicSeq } from '#store/conversations/topics.ts';
import type { Store } from '#store/database/store.ts';

/** An answer that has not ended, as far as its journal tells it. */
export interface OpenAnswer {
  message: Message;
  /** What was asked of it. */
  request: unknown;
  journal: { id: number; seq: number }[];
}

/** What the writer of a topic has to know when it takes over. */
export interface OpenTopic {
  topic: Topic;
  /** Its last durable event. */
  seq: number;
  answers: OpenAnswer[];
}

/** Reads a topic at one moment, with the answers that are open in it folded to where they stood. */
export async function readOpenTopic(
  store: Store,
  owner: string,
  topicId: string,
  known?: JournalEntry[],
): Promise<OpenTopic | undefined> {
  return await store.snapshot(async (tx) => {
    const topic = await getTopic(tx, owner, topicId);
    const numbering = await getTopicSeq(tx, topicId);
    if (!topic || !numbering) return undefined;
    const seq = numbering.nextSeq - 1;
    if (!topic.isLoading) return { topic, seq, answers: [] };
    const running = await listRunning(tx, topicId);
    const journal = known
      ? known.filter((entry) => entry.topicId === topicId)
      : await readTopicJournal(tx, topicId);
    return {
      topic,
      seq: Math.max(seq, journal.at(-1)?.event.seq ?? 0),
      answers: running.map(({ message, request }) => toOpenAnswer(message, request, journal)),
    };
  });
}

/** Messages as they were stored, but those that have not ended as far as they have come. */
export function withOpenAnswers(
  messages: Message[],
  { answers }: Pick<OpenTopic, 'answers'>,
): Message[] {
  const open = new Map(answers.map(({ message }) => [message.id, message]));
  return messages.map((row) => (isMessageOpen(row) ? (open.get(row.id) ?? row) : row));
}

function toOpenAnswer(message: Message, request: unknown, journal: JournalEntry[]): OpenAnswer {
  const own = journal.filter(
    ({ event }) =>
      'messageId' in event && event.messageId === message.id && event.type !== 'message-start',
  );
  return {
    message: own.reduce((state, { event }) => reduceMessage(state, event), withWaiting(message)),
    request,
    journal: own.map(({ id, event }) => ({ id, seq: event.seq })),
  };
}
