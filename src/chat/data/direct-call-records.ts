import type { DirectCallPage, DirectCallsQuery } from '#shared/api/tool-call-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Within } from '#shared/vocabulary/server-limit.ts';
import {
  dropOldDirectCalls,
  forgetAnswers,
  listDirectCalls,
  removeDirectCalls,
} from '#store/calls/direct-calls.ts';
import { getToolCall } from '#store/calls/tool-calls.ts';
import { keyMemoryMs } from '#store/conversations/idempotency.ts';
import { inSlices } from '#store/database/slices.ts';
import type { Store } from '#store/database/store.ts';
import { callNotFound } from '../policy/call-not-found.ts';

interface RecordsDeps {
  store: Store;
  sweeper: { collect(): void };
  now: () => number;
}

/** What is kept of calls outside of any conversation, shown to their owner and removed by them. */
export class DirectCallRecords {
  readonly #deps: RecordsDeps;

  constructor(deps: RecordsDeps) {
    this.#deps = deps;
  }

  /** Newest first, for a limited key those of its tools; `next` is where the page after begins, if there is one. */
  async list(
    owner: string,
    { limit, after, ...of }: DirectCallsQuery,
    within?: Within,
  ): Promise<DirectCallPage> {
    const place = after === undefined ? undefined : readPlace(after);
    const { db } = this.#deps.store;
    const rows = await listDirectCalls(db, owner, {
      ...of,
      limit: limit + 1,
      after: place,
      within,
    });
    const calls = rows.slice(0, limit);
    const last = calls.at(-1);
    return { calls, ...(rows.length > limit && last && { next: `${last.createdAt}.${last.id}` }) };
  }

  /** Throws `conflict` while it runs or waits. */
  async remove(owner: string, id: string): Promise<void> {
    const { store, sweeper, now } = this.#deps;
    const record = await getToolCall(store.db, owner, id);
    if (!record || record.topicId !== undefined || record.removedAt !== undefined)
      throw callNotFound();
    if (record.endedAt === undefined)
      throw new CeriseError('conflict', say('call-still-open')`The call is still running.`, {
        hint: say('call-still-open-hint')`Stop it first.`,
      });
    await forgetAnswers(store, owner, new Set(await removeDirectCalls(store, owner, now(), id)));
    sweeper.collect();
  }

  /** Removes all that have ended, a slice at a time. How many there were. */
  async removeAll(owner: string): Promise<number> {
    const { store, sweeper, now } = this.#deps;
    const removed = new Set<string>();
    await inSlices(async () => {
      const some = await removeDirectCalls(store, owner, now());
      for (const id of some) removed.add(id);
      return some.length > 0;
    });
    await forgetAnswers(store, owner, removed);
    sweeper.collect();
    return removed.size;
  }
}

/**
 * Drops calls outside of conversations that were kept for long enough, never before their keys are
 * forgotten; whether there were any. Several hosts may do so at once.
 */
export async function dropOldCalls(
  {
    store,
    limits,
    now,
  }: {
    store: Store;
    limits: Pick<Limits, 'directCallTime'>;
    now: () => number;
  },
  signal: AbortSignal,
): Promise<boolean> {
  const removedBefore = now() - keyMemoryMs;
  const endedBefore = Math.min(now() - limits.directCallTime, removedBefore);
  let dropped = 0;
  await inSlices(async () => {
    const some = await dropOldDirectCalls(store, { endedBefore, removedBefore });
    dropped += some;
    return some > 0;
  }, signal);
  return dropped > 0;
}

function readPlace(text: string): { createdAt: number; id: string } {
  const [, createdAt, id] = /^(\d{1,16})\.(.+)$/s.exec(text) ?? [];
  if (createdAt !== undefined && id !== undefined) return { createdAt: Number(createdAt), id };
  throw new CeriseError('invalid_request', say('page-unknown')`This page doesn't exist.`);
}
