import type { DurableEvent } from '#shared/vocabulary/event.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Conversation } from '#shared/vocabulary/message.ts';
import { loadWatched } from '#store/conversations/conversation.ts';
import { cutToBlocks } from '#store/conversations/message-page.ts';
import type { Store } from '#store/database/store.ts';
import type { LiveTopic } from './live-topic.ts';
import { topicNotFound } from './topic-not-found.ts';
import { durableFrame, type Viewer, type Viewers } from './viewers.ts';

/** What is shown here of a topic. `loaded` is there while this host writes it. */
export interface Watched {
  viewers: Viewers;
  loaded: LiveTopic | undefined;
  owner: string;
  shown: number;
}

/** Attaches a viewer to a topic that this host writes. Nothing is lost or repeated in between. */
export async function attachToLive(
  live: LiveTopic,
  after: number | undefined,
  viewer: Viewer,
  readSnapshot: () => Promise<Conversation>,
): Promise<void> {
  const missed = after === undefined ? undefined : live.eventsAfter(after);
  const frames = missed ? missed.map(durableFrame).join('') : snapshotFrame(await readSnapshot());
  viewer.send(frames, true);
  live.viewers.add(viewer);
}

/** What reading a topic from its rows needs. */
interface RowsDeps {
  store: Store;
  limits: Pick<Limits, 'snapshotMessages'>;
}

/** Attaches a viewer to a topic that another host may write. */
export async function attachToRows(
  { store, limits: { snapshotMessages } }: RowsDeps,
  watched: Watched,
  topic: { owner: string; id: string },
  after: number | undefined,
  viewer: Viewer,
  blocks?: number,
): Promise<void> {
  const page = { limit: snapshotMessages };
  const read = await loadWatched(store, topic.owner, topic.id, page);
  if (!read) throw topicNotFound();
  const { conversation, floor, events } = read;
  watched.owner = topic.owner;
  advance(watched, conversation, events);
  const canGoOn = after !== undefined && after >= floor && after <= conversation.seq;
  const missed = canGoOn ? eventsAfter(events, after) : undefined;
  const frames = missed
    ? missed.map(toFrame).join('')
    : snapshotFrame(cutToBlocks(conversation, blocks));
  viewer.send(frames, true);
  watched.viewers.add(viewer);
}

/** Shows viewers what was written elsewhere since. */
export async function showMissed(
  { store, limits: { snapshotMessages } }: RowsDeps,
  watched: Watched,
  topicId: string,
): Promise<void> {
  const page = { limit: snapshotMessages };
  const read = await loadWatched(store, watched.owner, topicId, page);
  if (read) advance(watched, read.conversation, read.events);
  else {
    const seq = watched.shown + 1;
    watched.viewers.showFrames(
      durableFrame({ seq, body: JSON.stringify({ type: 'topic-delete' }) }),
    );
    watched.viewers.endAll();
  }
}

/** Shows further events of a topic; false if one is missing before them. */
export function showNext(watched: Watched, events: DurableEvent[]): boolean {
  const next = events.filter(({ seq }) => seq > watched.shown);
  const [first] = next;
  if (!first) return true;
  if (first.seq !== watched.shown + 1) return false;
  watched.viewers.showEvents(next.map(toNumbered));
  watched.shown = next.at(-1)?.seq ?? watched.shown;
  return true;
}

function advance(watched: Watched, conversation: Conversation, events: DurableEvent[]): void {
  if (watched.viewers.size > 0 && watched.shown < conversation.seq) {
    const isWhole = showNext(watched, events) && watched.shown === conversation.seq;
    if (!isWhole) watched.viewers.showFrames(snapshotFrame(conversation));
  }
  watched.shown = conversation.seq;
}

function eventsAfter(events: DurableEvent[], after: number): DurableEvent[] | undefined {
  const missed = events.filter(({ seq }) => seq > after);
  const isWhole = missed.every(({ seq }, index) => seq === after + 1 + index);
  return isWhole ? missed : undefined;
}

function toNumbered({ seq, ...event }: DurableEvent) {
  return { seq, event, body: JSON.stringify(event) };
}

function toFrame(event: DurableEvent): string {
  return durableFrame(toNumbered(event));
}

/** A whole conversation as a frame: replaces everything that was shown. */
function snapshotFrame(conversation: Conversation): string {
  const { seq } = conversation;
  return durableFrame({ seq, body: JSON.stringify({ type: 'snapshot', conversation }) });
}
