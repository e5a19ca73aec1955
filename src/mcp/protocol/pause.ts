import type { StopSignal } from './stop.ts';

/** Resolves after a while, or at once when the signal is aborted. Never rejects. */
export function pause(time: number, signal?: StopSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    resolve();
  };
  const timer = setTimeout(end, time);
  signal?.addEventListener('abort', end);
  return promise;
}
