import type { Event } from '#shared/vocabulary/event.ts';
import type { Conversation } from '#shared/vocabulary/message.ts';
import { reduce } from '#shared/vocabulary/reduce.ts';
import { joinSnapshot } from './message-pages.ts';

/** The conversation after an event of its stream; earlier pages survive a snapshot. */
export function applyEvent(shown: Conversation, event: Event): Conversation {
  return event.type === 'snapshot' ? joinSnapshot(shown, event.conversation) : reduce(shown, event);
}
