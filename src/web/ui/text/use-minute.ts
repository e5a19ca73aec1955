import { useSyncExternalStore } from 'react';

const tickMs = 30_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** The time in whole half minutes, for words such as "5 minutes ago". One clock serves all of them. */
export function useMinute(): number {
  return useSyncExternalStore(subscribe, read, read);
}

function read(): number {
  return Math.floor(Date.now() / tickMs) * tickMs;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => listeners.forEach((each) => each()), tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
