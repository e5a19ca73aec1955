import { randomUUIDv7 } from 'node:crypto';
import type { HostEvent } from '#shared/vocabulary/event.ts';
import type { Message, Topic } from '#shared/vocabulary/message.ts';
import type { Blobs } from '#store/blobs/blobs.ts';
import { branchTo, bytesOf, messagesOf } from '#store/conversations/branch.ts';
import { filesOf } from '#store/conversations/delete-messages.ts';
import { recoverableOwner } from '#store/conversations/hidden-topics.ts';
import { getMessage } from '#store/conversations/messages.ts';
import { restoreTopic } from '#store/conversations/recoverable-topics.ts';
import { deleteTopic, insertTopic, topicOwner, updateTopic } from '#store/conversations/topics.ts';
import { othersFirst } from '#store/database/slices.ts';
import type { Db, Store } from '#store/database/store.ts';
import type { Remember } from '../cluster/idempotency.ts';
import { assertStill } from '../people/visitor.ts';
import { type OpenTopic, readOpenTopic, withOpenAnswers } from '../topic/open-topic.ts';
import { messageNotFound } from '../topic/topic-not-found.ts';
import { MessageSlices } from './import-messages.ts';
import type { Quota } from './quota.ts';

/** What a copy of a branch needs. */
export interface ForkDeps {
  store: Store;
  blobs: Pick<Blobs, 'attach' | 'find'>;
  quota: Pick<Quota, 'requireRoomNow'>;
  emit: (owner: string, event: HostEvent) => void;
  sweeper: { sweep(): void };
  now: () => number;
}

/** A copy that nobody finished goes after this time. */
const copyTimeMs = 3_600_000;
const messagesAtOnce = 20;

/**
 * Makes a new topic of the branch that ends in a message. It is copied in slices where nobody sees it; the commit
 * that shows it is the last one. Calls in it are history and have no rows of their own; what is untrusted stays so.
 */
export async function forkTopic(
  deps: ForkDeps,
  owner: string,
  messageId: string,
  remember?: Remember<Topic>,
): Promise<Topic> {
  const { store, quota, emit, sweeper, now } = deps;
  const message = await getMessage(store.db, owner, messageId);
  const source = message && (await readOpenTopic(store, owner, message.topicId));
  if (!source) throw messageNotFound();
  const ids = await branchTo(store.db, source.topic.id, messageId);
  await quota.requireRoomNow(owner, await bytesOf(store.db, ids));
  const topic = copyOf(source.topic, messageId, now());
  const hidden = recoverableOwner(now() + copyTimeMs, owner);
  await store.transaction(async (tx) => {
    await assertStill(tx, store.dialect, owner);
    await insertTopic(tx, hidden, topic);
  });
  try {
    const activeLeafId = await copyBranch(deps, owner, source, ids, topic.id);
    const shown = { ...topic, activeLeafId };
    await store.transaction(async (tx) => {
      await assertStill(tx, store.dialect, owner);
      if ((await topicOwner(tx, source.topic.id)) !== owner) throw messageNotFound();
      await updateTopic(tx, hidden, topic.id, { activeLeafId });
      await restoreTopic(tx, owner, topic.id);
      await remember?.(tx, shown);
    });
    emit(owner, { type: 'topic-changed', topic: shown });
    return shown;
  } catch (error) {
    await store.transaction((tx) => deleteTopic(tx, hidden, topic.id)).catch(() => undefined);
    sweeper.sweep();
    throw error;
  }
}

function copyOf(source: Topic, messageId: string, at: number): Topic {
  const { pinnedAt: _, archived: __, unlisted: ___, ...fields } = source;
  return {
    ...fields,
    id: randomUUIDv7(),
    activeLeafId: null,
    isLoading: false,
    forkedFrom: { topicId: source.id, messageId },
    createdAt: at,
    updatedAt: at,
  };
}

/** The last message of the copy. Throws `message_not_found` if some are deleted in the meantime. */
async function copyBranch(
  { store, blobs }: ForkDeps,
  owner: string,
  source: OpenTopic,
  branch: string[],
  topicId: string,
): Promise<string> {
  const write = <T>(work: (tx: Db) => Promise<T>) => store.transaction(work, 'relaxed');
  const ids = new Map<string, string>();
  const copy = new MessageSlices({ write }, { owner, topicId }, ids, (block) => block);
  for (let start = 0; start < branch.length; start += messagesAtOnce) {
    const piece = branch.slice(start, start + messagesAtOnce);
    const messages = await messagesOf(store.db, source.topic.id, piece);
    if (messages.length < piece.length) throw messageNotFound();
    for (const file of await filesOf(store.db, piece))
      if (!ids.has(file) && (await blobs.find(owner, file)))
        await write(async (tx) => ids.set(file, (await blobs.attach(tx, owner, file, topicId)).id));
    for (const message of withOpenAnswers(messages, source)) {
      // Those of an answer that runs are in no row yet, and still its own.
      for (const { id } of message.blocks) ids.set(id, randomUUIDv7());
      await copy.add(asHistory(message));
    }
    await othersFirst();
  }
  await copy.flush();
  if (copy.last === undefined) throw messageNotFound();
  return copy.last;
}

/** Nothing of it runs or waits any more, and what it took was counted where it was made. */
function asHistory({
  usage: _,
  rounds: __,
  waiting: ___,
  translating: ____,
  ...message
}: Message): Message {
  const blocks = message.blocks.map((block) => {
    if (block.type !== 'tool') return block;
    const { approval: _, progress: __, ...call } = block;
    return call;
  });
  return { ...message, blocks };
}
