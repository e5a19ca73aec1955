import type { HostLogEvent } from '#shared/telemetry/log-api.ts';
import type { CeriseError } from '#shared/errors/errors.ts';
import type { Event, HostEvent } from '#shared/vocabulary/event.ts';
import { type Connection, isUnreachable } from '../http/connection.ts';
import { at } from '../http/path.ts';
import { openEventStream } from './event-stream.ts';

/** Attempts in a row without data, in about 90 seconds. */
const maxFailures = 12;

/** The events of a topic, starting with a snapshot; resumes automatically until the signal is aborted. */
export function readTopicEvents(
  connection: Connection,
  topicId: string,
  signal?: AbortSignal,
): AsyncGenerator<Event> {
  return readEvents<Event>(connection, at`/api/topics/${topicId}/events`, signal);
}

/** The events of the whole host until the signal is aborted; pending ones come first. */
export function readHostEvents(
  connection: Connection,
  signal?: AbortSignal,
): AsyncGenerator<HostEvent> {
  return readEvents<HostEvent>(connection, '/api/events', signal);
}

/** The log of the instance that answers, with its last lines first, until the signal is aborted. */
export function readHostLog(
  connection: Connection,
  signal: AbortSignal,
): AsyncGenerator<HostLogEvent> {
  return readEvents<HostLogEvent>(connection, '/api/host/logs/events', signal);
}

/** An event for a resource now and after every change, until the signal is aborted. */
export function readResourceEvents(
  connection: Connection,
  serverId: string,
  uri: string,
  signal: AbortSignal,
): AsyncGenerator<{ type: 'resource-updated'; uri: string }> {
  return readEvents(connection, at`/api/servers/${serverId}/resources/events?uri=${uri}`, signal);
}

/** Ends if the host stays unreachable, and throws what it refuses. */
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
    path: () => (lastId === undefined ? path : `${path}${at`?after=${lastId}`}`),
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
  const onAbort = () => wake();
  signal?.addEventListener('abort', onAbort);
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
    signal?.removeEventListener('abort', onAbort);
    stream.close();
  }
}
