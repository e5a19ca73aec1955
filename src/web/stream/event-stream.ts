import { createSseParser, type SseMessage } from '#shared/text/sse-parser.ts';

interface StreamHandlers {
  /** Asked for each connection, so that it can carry the last position. */
  url: () => string;
  onMessage: (message: SseMessage) => void;
  onOpen: () => void;
  onDown: () => void;
  /** The host does not know this browser (any more); the stream has ended for good. */
  onSignedOut: () => void;
}

/** A stream that connects again by itself until it is closed. */
export interface EventStream {
  /** Connects anew at once, with another address. */
  reconnect: () => void;
  /** The page was woken, or the network is back: does not wait any longer. */
  wake: () => void;
  close: () => void;
}

const silence = 45_000;
/** The host speaks every 15 s; who wakes up need not wait for the end of the silence. */
const suspicious = 20_000;
const slowest = 10_000;

/**
 * Reads an event stream until closed: connects again with back-off from wherever `url` says, and
 * notices a dead line by its missing heartbeats.
 */
export function openEventStream(handlers: StreamHandlers): EventStream {
  const ended = new AbortController();
  let line = new AbortController();
  let lastHeard = Date.now();
  let endPause = () => {};
  let wait = 300;

  const pause = (time: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, time);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    while (!ended.signal.aborted) {
      line = new AbortController();
      const signal = AbortSignal.any([ended.signal, line.signal]);
      const onHeard = () => (lastHeard = Date.now());
      const outcome = await readOnce(handlers, signal, line, onHeard);
      if (ended.signal.aborted) return;
      if (outcome === 'over') return handlers.onSignedOut();
      handlers.onDown();
      wait = outcome === 'served' ? 300 : Math.min(wait * 2, slowest);
      await pause(wait * (0.75 + Math.random() / 2));
    }
  };

  void run();
  return {
    reconnect: () => line.abort(),
    wake: () => {
      if (Date.now() - lastHeard > suspicious) line.abort();
      endPause();
    },
    close: () => {
      ended.abort();
      endPause();
    },
  };
}

/** One connection: `served` brought something, `failed` nothing, `over` must not be tried again. */
async function readOnce(
  handlers: StreamHandlers,
  signal: AbortSignal,
  line: AbortController,
  onHeard: () => void,
): Promise<'served' | 'failed' | 'over'> {
  let outcome: 'served' | 'failed' = 'failed';
  let watchdog = setTimeout(() => line.abort(), silence);
  try {
    const response = await fetch(handlers.url(), {
      headers: { accept: 'text/event-stream' },
      credentials: 'same-origin',
      cache: 'no-store',
      signal,
    });
    if (response.status === 401) return 'over';
    if (!response.ok || !response.body) return 'failed';
    onHeard();
    handlers.onOpen();
    const parse = createSseParser();
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => line.abort(), silence);
      onHeard();
      outcome = 'served';
      // A part that was already read when the line was let go belongs to nobody.
      if (signal.aborted) break;
      for (const message of parse(decoder.decode(part.value, { stream: true })))
        handlers.onMessage(message);
    }
  } catch (error) {
    // A broken line is expected; the loop above connects again. Anything else deserves to be seen.
    if (!signal.aborted && !(error instanceof TypeError)) console.error(error);
  } finally {
    clearTimeout(watchdog);
  }
  return outcome;
}
