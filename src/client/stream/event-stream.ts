import { CeriseError } from '#shared/errors/errors.ts';
import { createSseParser, type SseMessage } from '#shared/text/sse-parser.ts';
import { brokeOff, type Connection } from '../http/connection.ts';

interface StreamHandlers {
  /** Called for each connection, so that it can include the last position. */
  path: () => string;
  onMessage: (message: SseMessage) => void;
  onOpen?: () => void;
  onDown?: () => void;
  /** Whether to give up after a connection without data; `failures` counts those in a row. */
  isLast: (error: CeriseError, failures: number) => boolean;
  /** The stream has ended for good, with the error of its last connection. */
  onEnd: (error: CeriseError) => void;
}

/** A stream that reconnects automatically until it is closed. */
export interface EventStream {
  /** Connects again at once, with another address. */
  reconnect: () => void;
  /** The page was woken, or the network is back: does not wait any longer. */
  wake: () => void;
  close: () => void;
}

const silenceMs = 45_000;
/** The host sends something every 15 s; after waking up, there is no need to wait for the end of the silence. */
const suspiciousMs = 20_000;
const firstPauseMs = 300;
const maxPauseMs = 10_000;

/**
 * Reads an event stream until closed: connects again with back-off from wherever `path` says, and
 * notices a dead line by its missing heartbeats.
 */
export function openEventStream(connection: Connection, handlers: StreamHandlers): EventStream {
  const ended = new AbortController();
  let line = new AbortController();
  let lastHeard = Date.now();
  let endPause = () => {};

  const pause = (failures: number) =>
    new Promise<void>((resolve) => {
      const time = Math.min(firstPauseMs * 2 ** failures, maxPauseMs);
      const timer = setTimeout(resolve, time * (0.75 + Math.random() / 2));
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    for (let failures = 0; !ended.signal.aborted;) {
      line = new AbortController();
      const signal = AbortSignal.any([ended.signal, line.signal]);
      const onHeard = () => (lastHeard = Date.now());
      const error = await readOnce(connection, handlers, signal, line, onHeard);
      if (ended.signal.aborted) return;
      failures = error ? failures + 1 : 0;
      if (error && handlers.isLast(error, failures)) return handlers.onEnd(error);
      handlers.onDown?.();
      await pause(failures);
    }
  };

  void run();
  return {
    reconnect: () => line.abort(),
    wake: () => {
      if (Date.now() - lastHeard > suspiciousMs) line.abort();
      endPause();
    },
    close: () => {
      ended.abort();
      endPause();
    },
  };
}

/** One connection, until it breaks. Undefined if it received data, otherwise the error. */
async function readOnce(
  connection: Connection,
  handlers: StreamHandlers,
  signal: AbortSignal,
  line: AbortController,
  onHeard: () => void,
): Promise<CeriseError | undefined> {
  let isServed = false;
  let failure: unknown = 'The stream ended.';
  let watchdog = setTimeout(() => line.abort(), silenceMs);
  try {
    const headers = { accept: 'text/event-stream' };
    const response = await connection.send(handlers.path(), { headers, cache: 'no-store', signal });
    onHeard();
    handlers.onOpen?.();
    const parse = createSseParser();
    const reader = response.body?.getReader();
    // A response made in this process ignores the signal.
    signal.addEventListener('abort', () => void reader?.cancel().catch(() => undefined));
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => line.abort(), silenceMs);
      onHeard();
      isServed = true;
      // A part that was read before the line was given up is dropped.
      if (signal.aborted) break;
      for (const message of parse(part.value)) handlers.onMessage(message);
    }
  } catch (error) {
    failure = error;
    // A broken line is expected, and the loop reconnects. Anything else is logged.
    const isExpected = error instanceof CeriseError || error instanceof TypeError;
    if (!signal.aborted && !isExpected) console.error(error);
  } finally {
    clearTimeout(watchdog);
  }
  if (isServed) return undefined;
  return failure instanceof CeriseError && !signal.aborted ? failure : brokeOff(failure);
}
