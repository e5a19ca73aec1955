import { create } from 'zustand';
import { applyEvent } from '#client/conversation/apply-event.ts';
import { joinEarlier, placeBefore } from '#client/conversation/message-pages.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import type { Event } from '#shared/vocabulary/event.ts';
import type { Conversation, Topic } from '#shared/vocabulary/message.ts';
import { followTopic } from '../../stream/tabs/link.ts';
import { useLine } from '../page/line.ts';
import { api } from '../session/api.ts';
import { createFrameQueue } from './frame-queue.ts';

/** The most the host gives at a time. */
const mostBlocks = 500;

interface ConversationState {
  topicId: string | null;
  phase: 'none' | 'loading' | 'ready' | 'missing' | 'failed';
  conversation: Conversation | null;
  error: ErrorInfo | null;
}

const nothing: ConversationState = {
  topicId: null,
  phase: 'none',
  conversation: null,
  error: null,
};

/** The open conversation: a snapshot, moved on by the shared reducer once a frame. */
export const useConversation = create<ConversationState>(() => nothing);

const { setState: set, getState: get } = useConversation;
const queue = createFrameQueue<Event>((events) => {
  const { conversation } = get();
  if (!conversation) return;
  const next = events.reduce(applyEvent, conversation);
  const gone = events.some((event) => event.type === 'topic-delete');
  if (gone) set({ phase: 'missing', conversation: null });
  else if (next !== conversation) set({ conversation: next });
});
let closeOpen = () => {};

/** Opens a topic in place of the one that is open; null opens none. */
export function openConversation(topicId: string | null): void {
  if (topicId === get().topicId && get().phase !== 'failed') return;
  closeOpen();
  queue.clear();
  set({ ...nothing, topicId, phase: topicId === null ? 'none' : 'loading' });
  if (topicId === null) return;
  const loading = new AbortController();
  let unfollow = () => {};
  closeOpen = () => {
    loading.abort();
    unfollow();
    closeOpen = () => {};
  };
  void loadSnapshot(topicId, loading.signal).then((loaded) => {
    if (loaded && !loading.signal.aborted) unfollow = follow(topicId);
  });
}

// What could not be read while the host was away is read by itself when it is back.
useLine.subscribe(({ live }) => {
  if (live && get().phase === 'failed') openConversation(get().topicId);
});

/** Shows a topic's changed fields before their event arrives. */
export function showTopic(topic: Topic): void {
  const { conversation } = get();
  if (conversation?.topic.id !== topic.id) return;
  const { isLoading } = conversation.topic;
  set({ conversation: { ...conversation, topic: { ...topic, isLoading } } });
}

/** Puts the page before what is shown in front of it; `onLoaded` is called just before. */
export async function loadEarlier(onLoaded: () => void, blocks?: number): Promise<void> {
  const before = get().conversation;
  const place = before?.hasEarlier && placeBefore(before);
  if (!before || !place) return;
  const page = await api.topics.earlier(before.topic.id, place, blocks);
  const { conversation } = get();
  // Another page, or a snapshot, may have come in the meantime.
  if (conversation?.topic.id !== before.topic.id) return;
  const now = placeBefore(conversation);
  if (now?.before !== place.before || now.ordinal !== place.ordinal) return;
  onLoaded();
  set({ conversation: joinEarlier(conversation, page) });
}

/** Reads back until a message, or a block of it, is there. False if it is not in the open topic. */
export async function loadBackTo(messageId: string, blockId?: string): Promise<boolean> {
  const opened = get().topicId;
  for (;;) {
    const { conversation, topicId } = get();
    if (!conversation || topicId !== opened) return false;
    const message = conversation.messages.find(({ id }) => id === messageId);
    const isThere = blockId === undefined || message?.blocks.some(({ id }) => id === blockId);
    if (message && (isThere || !message.hasEarlierBlocks)) return true;
    if (!conversation.hasEarlier) return false;
    await loadEarlier(() => {}, mostBlocks);
  }
}

async function loadSnapshot(topicId: string, signal: AbortSignal): Promise<boolean> {
  try {
    const conversation = await api.topics.conversation(topicId, signal);
    if (!signal.aborted) set({ conversation, phase: 'ready' });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    const info = toErrorInfo(error);
    set({ error: info, phase: info.code === 'topic_not_found' ? 'missing' : 'failed' });
    return false;
  }
}

function follow(topicId: string): () => void {
  return followTopic(topicId, get().conversation?.seq ?? 0, {
    onEvent: queue.push,
    onGone: () => set({ phase: 'missing', conversation: null }),
  });
}
