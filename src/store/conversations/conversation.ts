import { sql } from 'kysely';
import type { DurableEvent } from '#shared/vocabulary/event.ts';
import { type Conversation, isMessageOpen, type Message } from '#shared/vocabulary/message.ts';
import { reduce, reduceMessage } from '#shared/vocabulary/reduce.ts';
import type { Db, Store } from '../database/store.ts';
import { readEvents } from './events.ts';
import { cutToBlocks, type MessagePage, readPage } from './message-page.ts';
import { getTopic, getTopicSeq } from './topics.ts';

/**
 * A topic as of its last durable event: the rows, and on top of them the journal of answers that still
 * run. Read at one moment, so that `seq` is exactly what the messages show.
 */
export async function loadConversation(
  store: Pick<Store, 'snapshot'>,
  owner: string,
  topicId: string,
  page: MessagePage,
): Promise<Conversation | undefined> {
  return (await loadWatched(store, owner, topicId, page))?.conversation;
}

/** The same with what the journal has of it, for viewers that continue from an event. */
export async function loadWatched(
  store: Pick<Store, 'snapshot'>,
  owner: string,
  topicId: string,
  page: MessagePage,
): Promise<{ conversation: Conversation; floor: number; events: DurableEvent[] } | undefined> {
  return await store.snapshot(async (tx) => {
    const topic = await getTopic(tx, owner, topicId);
    const numbering = await getTopicSeq(tx, topicId);
    if (!topic || !numbering) return undefined;
    const { messages, hasEarlier } = await readPage(tx, topicId, page);
    const events = await readEvents(tx, topicId);
    const loaded = { topic, messages, hasEarlier, seq: 0 };
    const conversation = {
      topic: { ...topic, isLoading: topic.isLoading && (await stillRuns(tx, topicId, events)) },
      messages: messages.map((message) => fold(loaded, message, events)),
      hasEarlier,
      seq: Math.max(numbering.nextSeq - 1, events.at(-1)?.seq ?? 0),
    };
    const cut = cutToBlocks(conversation, page.blocks);
    return { conversation: cut, floor: numbering.floorSeq, events };
  });
}

/** Rows of ended messages hold everything; a running one has its blocks in the journal only. */
function fold(loaded: Conversation, message: Message, events: DurableEvent[]): Message {
  if (!isMessageOpen(message)) return message;
  const started = reduce(
    { ...loaded, messages: [] },
    { type: 'message-start', messageId: message.id, message },
  );
  return events
    .filter((event) => 'messageId' in event && event.messageId === message.id)
    .reduce(reduceMessage, started.messages[0] ?? message);
}

/** An answer may have ended in the journal while its row waits to be written. */
async function stillRuns(tx: Db, topicId: string, events: DurableEvent[]): Promise<boolean> {
  const ended = new Set<string>();
  for (const event of events) {
    if (event.type === 'message-end') ended.add(event.messageId);
    if (event.type === 'message-reopen') ended.delete(event.messageId);
  }
  const running = await tx
    .selectFrom('messages')
    .select('id')
    .where('topic_id', '=', topicId)
    .where('running', '=', sql.lit(1))
    .execute();
  return running.some(({ id }) => !ended.has(id));
}
