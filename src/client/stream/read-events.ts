import type { CeriseError } from '#shared/errors/errors.ts';
import type { Event, HostEvent } from '#shared/vocabulary/event.ts';
import { type Connection, isUnreachable } from '../http/connection.ts';
import { at } from '../http/path.ts';
import { openEventStream } from './event-stream.ts';

/** Attempts in a row that bring nothing, in about 90 seconds. */
const maxFailures = 12;

/** The events of a topic, from a snapshot on; goes on by itself where a cut stream was. */
export function readTopicEvents(connection: Connection, topicId: string): AsyncGenerator<Event> {
  return readEvents<Event>(connection, at`/api/topics/${topicId}/events`);
}

/** The events of the whole host until the signal is aborted; what waits already comes first. */
export function readHostEvents(
  connection: Connection,
  signal: AbortSignal,
): AsyncGenerator<HostEvent> {
  return readEvents<HostEvent>(connection, '/api/events', signal);
}

/** Ends where the host stays away, and throws what it refuses. */
async function* readEvents<T>(
  connection: Connection,
  path: string,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  const events: T[] = [];
  let lastId: string | undefined;
  let end: CeriseError | undefined;
  let wake = () => {};
  const stream = openEventStream(connection, {
    path: () => (lastId === undefined ? path : `${path}?after=${lastId}`),
    onMessage: ({ id, data }) => {
      lastId = id ?? lastId;
      events.push(JSON.parse(data) as T);
      wake();
    },
    isLast: (error, failures) => !isUnreachable(error) || failures >= maxFailures,
    onEnd: (error) => {
      end = error;
      wake();
    },
  });
  signal?.addEventListener('abort', () => wake());
  try {
    for (;;) {
      const event = events.shift();
      if (signal?.aborted) return;
      if (event !== undefined) yield event;
      else if (!end) await new Promise<void>((resolve) => (wake = resolve));
      else if (isUnreachable(end)) return;
      else throw end;
    }
  } finally {
    stream.close();
  }
}
