import { setTimeout } from 'node:timers/promises';
import { isStorageTrouble } from '#shared/errors/errors.ts';
import { shutdownReason } from '#shared/vocabulary/tool.ts';

/**
 * An end that cannot be stored is tried again: an answer must not hang because a disk was full. What is
 * not known to pass by itself is tried three times. Undefined if the host ends in the meantime.
 */
export async function untilStored<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  for (let wait = 200, unknown = 0; ; wait = Math.min(wait * 2, 5000)) {
    try {
      return await work();
    } catch (error) {
      if (signal.reason === shutdownReason) return undefined;
      if (!isStorageTrouble(error) && (unknown += 1) === 3) throw error;
      await setTimeout(wait);
    }
  }
}
