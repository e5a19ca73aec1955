import { describe, expect, it } from 'vitest';
import type { SseEvent } from '#shared/text/sse-parser.ts';
import { readEvents } from './wire-http.ts';
import type { WireReader } from './wire.ts';

type Reader = Pick<WireReader, 'read' | 'finished'>;

/** A reader that wants `most` events, and what it was given. */
function readerOf(most: number): { reader: Reader; seen: string[] } {
  const seen: string[] = [];
  const reader: Reader = {
    read: ({ data }) => void seen.push(data),
    get finished() {
      return seen.length >= most;
    },
  };
  return { reader, seen };
}

const eventsOf = (...all: string[]): SseEvent[] => all.map((data) => ({ event: 'message', data }));

describe('readEvents', () => {
  it('stops where no more is wanted', () => {
    const { reader, seen } = readerOf(2);
    readEvents(reader, eventsOf('a', 'b', 'c'));
    readEvents(reader, eventsOf('d'));
    expect(seen).toEqual(['a', 'b']);
  });

  it('passes over events of empty data', () => {
    const { reader, seen } = readerOf(9);
    readEvents(reader, eventsOf('', 'a', ''));
    expect(seen).toEqual(['a']);
  });

  it('refuses an event without end', () => {
    const endless: SseEvent = { event: 'message', tooLarge: { head: 'x', tail: 'x' } };
    expect(() => readEvents(readerOf(9).reader, [endless])).toThrow(/too large/);
  });
});
