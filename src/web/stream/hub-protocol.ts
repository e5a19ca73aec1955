import type { HostEvent } from '#shared/vocabulary/event.ts';

/** How far somebody knows a topic: up to the event `after`. */
export interface Place {
  topicId: string;
  after: number;
}

/** What a tab tells the hub that holds the stream. */
export type ToHub =
  /** Takes part. `lock` names a web lock that the tab holds for as long as it lives. */
  | { type: 'attach'; lock?: string; topics: Place[] }
  /** Takes no part any more; what it followed is forgotten. */
  | { type: 'detach' }
  /** Wants the events of a topic after a `seq`. */
  | ({ type: 'follow' } & Place)
  | { type: 'unfollow'; topicId: string }
  /** The page was woken, or the network is back. */
  | { type: 'wake' };

/** What the hub tells a tab. */
export type ToTab =
  /** Always the first word to a tab that attached. */
  | { type: 'welcome' }
  /** The line is up: what has no history must be read anew. */
  | { type: 'open' }
  | { type: 'down' }
  | { type: 'host'; event: HostEvent }
  /** An event of a topic as the host wrote it; it may be a repetition. */
  | { type: 'topic'; topicId: string; data: string }
  | { type: 'gone'; topicId: string }
  | { type: 'signed-out' };
