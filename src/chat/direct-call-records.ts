import { setImmediate } from 'node:timers/promises';
import type { DirectCallPage } from '#shared/api.ts';
import { CeriseError } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import { say } from '#shared/sentence.ts';
import { dropOldDirectCalls, listDirectCalls, removeDirectCalls } from '#store/direct-calls.ts';
import { keyTime } from '#store/idempotency.ts';
import type { Store } from '#store/store.ts';
import { getToolCall } from '#store/tool-calls.ts';
import type { BlobCollector } from './blob-collector.ts';

interface RecordsParts {
  store: Store;
  collector: Pick<BlobCollector, 'collect'>;
  now: () => number;
}

/** What is kept of calls outside of any conversation, shown to their owner and removed by them. */
export class DirectCallRecords {
  readonly #parts: RecordsParts;

  constructor(parts: RecordsParts) {
    this.#parts = parts;
  }

  /** Newest first; `next` is where the page after begins, if there is one. */
  async list(
    owner: string,
    { limit, after }: { limit: number; after?: string | undefined },
  ): Promise<DirectCallPage> {
    const place = after === undefined ? undefined : readPlace(after);
    const { db } = this.#parts.store;
    const found = await listDirectCalls(db, owner, { limit: limit + 1, after: place });
    const calls = found.slice(0, limit);
    const last = calls.at(-1);
    return { calls, ...(found.length > limit && last && { next: `${last.createdAt}.${last.id}` }) };
  }

  /** Throws `conflict` while it runs or waits. */
  async remove(owner: string, id: string): Promise<void> {
    const { store, collector, now } = this.#parts;
    const record = await getToolCall(store.db, owner, id);
    if (!record || record.topicId !== undefined || record.removedAt !== undefined)
      throw new CeriseError('tool_call_not_found', say('call-gone')`There is no such call.`);
    if (record.endedAt === undefined)
      throw new CeriseError('conflict', say('call-still-open')`The call has not ended yet.`, {
        hint: say('call-still-open-hint')`Stop it first.`,
      });
    await removeDirectCalls(store, owner, now(), id);
    collector.collect();
  }

  /** Removes all that have ended, a slice at a time. How many there were. */
  async removeAll(owner: string): Promise<number> {
    const { store, collector, now } = this.#parts;
    const removed = await inSlices(() => removeDirectCalls(store, owner, now()));
    collector.collect();
    return removed;
  }
}

/**
 * Drops calls outside of conversations that were kept for long enough, never before their keys are
 * forgotten. Several hosts may do so at once.
 */
export function oldCallDrop(store: Store, now: () => number) {
  return async (signal: AbortSignal): Promise<void> => {
    const removedBefore = now() - keyTime;
    const endedBefore = Math.min(now() - limits.directCallTime, removedBefore);
    const drop = () => dropOldDirectCalls(store, { endedBefore, removedBefore });
    await inSlices(drop, signal);
  };
}

/** Lets others go first between two slices. */
async function inSlices(slice: () => Promise<number>, signal?: AbortSignal): Promise<number> {
  for (let all = 0; ;) {
    const some = signal?.aborted ? 0 : await slice();
    if (some === 0) return all;
    all += some;
    await setImmediate();
  }
}

function readPlace(text: string): { createdAt: number; id: string } {
  const [, createdAt, id] = /^(\d{1,16})\.(.+)$/s.exec(text) ?? [];
  if (createdAt !== undefined && id !== undefined) return { createdAt: Number(createdAt), id };
  throw new CeriseError('invalid_request', say('page-unknown')`There is no such page.`);
}
