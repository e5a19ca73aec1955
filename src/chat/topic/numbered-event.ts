import type { EventBody } from '#shared/vocabulary/event.ts';
import { encodeEvent } from '#store/conversations/events.ts';
import type { JournalRow } from '#store/database/store.ts';

/** An event with its number and its JSON, made once for the journal and every viewer. */
export interface NumberedEvent {
  seq: number;
  event: EventBody;
  body: string;
}

/** Numbers events that follow the event `after`. */
export function numberEvents(events: EventBody[], after: number): NumberedEvent[] {
  return events.map((event, index) => ({
    seq: after + index + 1,
    event,
    body: JSON.stringify(event),
  }));
}

/** The rows of events in the journal; `fence` where their topic is leased. */
export function toJournalRows(
  events: NumberedEvent[],
  topicId: string,
  fence: number | undefined,
): JournalRow[] {
  return events.map(({ seq, event, body }) => ({
    topicId,
    seq,
    body: encodeEvent(event, body),
    ...(fence !== undefined && { fence }),
  }));
}

/** The message an event tells of, if it tells of one. */
export function messageOf(event: EventBody): string | undefined {
  return 'messageId' in event ? event.messageId : undefined;
}
