import { createSseParser } from './sse-parser.ts';
import { failureOf } from './request.ts';

interface StreamHandlers<T> {
  /** Asked for each connection, so that it can carry the last position. */
  url: () => string;
  onEvent: (event: T) => void;
  onOpen?: () => void;
  onDown?: () => void;
  /** The host says that there is nothing here (any more); the stream has ended for good. */
  onGone?: (status: number) => void;
}

const silence = 45_000;
const hiddenFor = 30_000;
const slowest = 10_000;

/**
 * Reads an event stream until closed: connects again with back-off from wherever `url` says, notices
 * a dead line by its missing heartbeats, and lets go of the line while the page is long hidden.
 */
export function openEventStream<T>(handlers: StreamHandlers<T>): { close: () => void } {
  const ended = new AbortController();
  let line = new AbortController();
  let wake = () => {};
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined;

  const onVisibility = () => {
    clearTimeout(hiddenTimer);
    if (document.hidden) hiddenTimer = setTimeout(() => line.abort(), hiddenFor);
    else wake();
  };
  const onOnline = () => wake();
  const pause = (time: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => document.hidden || resolve(), time);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    let wait = 300;
    while (!ended.signal.aborted) {
      line = new AbortController();
      const signal = AbortSignal.any([ended.signal, line.signal]);
      const outcome = await readOnce(handlers, signal, line);
      if (outcome === 'over' || ended.signal.aborted) return;
      handlers.onDown?.();
      wait = outcome === 'served' ? 300 : Math.min(wait * 2, slowest);
      await pause(wait * (0.75 + Math.random() / 2));
    }
  };

  document.addEventListener('visibilitychange', onVisibility);
  window.addEventListener('online', onOnline);
  void run();
  return {
    close: () => {
      ended.abort();
      clearTimeout(hiddenTimer);
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('online', onOnline);
      wake();
    },
  };
}

/** One connection: `served` brought something, `failed` nothing, `over` must not be tried again. */
async function readOnce<T>(
  handlers: StreamHandlers<T>,
  signal: AbortSignal,
  line: AbortController,
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
    if (response.status >= 400 && response.status < 500 && response.status !== 429) {
      failureOf(response.status, null);
      handlers.onGone?.(response.status);
      return 'over';
    }
    if (!response.ok || !response.body) return 'failed';
    handlers.onOpen?.();
    const parse = createSseParser();
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => line.abort(), silence);
      outcome = 'served';
      // A part that was already read when the line was let go belongs to nobody.
      if (signal.aborted) break;
      const text = decoder.decode(part.value, { stream: true });
      for (const message of parse(text)) handlers.onEvent(JSON.parse(message.data) as T);
    }
  } catch (error) {
    // A broken line is expected; the loop above connects again. Anything else deserves to be seen.
    if (!signal.aborted && !(error instanceof TypeError)) console.error(error);
  } finally {
    clearTimeout(watchdog);
  }
  return outcome;
}
