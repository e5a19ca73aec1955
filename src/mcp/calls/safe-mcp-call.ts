import { setTimeout } from 'node:timers/promises';
import { CallError } from '#shared/vocabulary/call-error.ts';

/** What may be done where an operation fails. */
export interface SafeCallOptions<T> {
  /** Taken in the place of a result; absent: the last error is thrown. */
  fallback?: T | ((error: unknown) => T);
  /** How often it is tried again; absent: never. */
  retries?: number;
  /**
   * Whether it may be repeated after this error. Absent: only what a server certainly never got, because a
   * repeated call can do something twice.
   */
  isRepeatable?: (error: unknown) => boolean;
  /** Milliseconds before the first repeat, doubled for each of the next; absent: 200. */
  pauseMs?: number;
  /** Ends the waiting between tries. */
  signal?: AbortSignal;
}

/** Runs something that asks a server; repeats it only where that is safe, then takes the fallback. */
export async function safeMcpCall<T>(
  operation: () => Promise<T>,
  options: SafeCallOptions<T> = {},
): Promise<T> {
  const { retries = 0, isRepeatable = isUnsent, pauseMs = 200, signal } = options;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await operation();
    } catch (error) {
      const isLast = attempt >= retries || signal?.aborted === true || !isRepeatable(error);
      if (isLast && 'fallback' in options) return fallbackOf(options, error);
      if (isLast) throw error;
      await setTimeout(pauseMs * 2 ** attempt, undefined, { ...(signal && { signal }) }).catch(
        () => undefined,
      );
    }
  }
}

function fallbackOf<T>({ fallback }: SafeCallOptions<T>, error: unknown): T {
  if (typeof fallback !== 'function') return fallback as T;
  return (fallback as (error: unknown) => T)(error);
}

function isUnsent(error: unknown): boolean {
  return error instanceof CallError && error.reach === 'never-left';
}
