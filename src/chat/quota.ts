import type { StorageView } from '#shared/data-api.ts';
import { CeriseError } from '#shared/errors.ts';
import { say } from '#shared/sentence.ts';
import { countUnsent } from '#store/blob-references.ts';
import type { Store } from '#store/store.ts';
import { storageOf, storedBytes } from '#store/storage.ts';

/** Sizes in bytes. */
export interface QuotaLimits {
  storedPerPerson: number;
  unsentFiles: number;
  uploadsAtOnce: number;
}

/** How much one person may keep and send. What is kept is known from sums, not by looking. */
export class Quota {
  readonly #store: Store;
  readonly #limits: QuotaLimits;
  /** Uploads that come in here, by person. */
  readonly #uploads = new Map<string, number>();

  constructor(store: Store, limits: QuotaLimits) {
    this.#store = store;
    this.#limits = limits;
  }

  /** How much is kept of somebody, and how much may be. */
  async storage(owner: string): Promise<StorageView> {
    const { storedPerPerson: allowedBytes } = this.#limits;
    return { ...(await storageOf(this.#store, owner)), allowedBytes };
  }

  /** Throws `quota_exceeded` where so many bytes more would be too much. */
  async requireRoom(owner: string, bytes: number): Promise<void> {
    const { storedPerPerson } = this.#limits;
    if ((await storedBytes(this.#store.db, owner)) + bytes <= storedPerPerson) return;
    const most = Math.floor(storedPerPerson / 1024 ** 2);
    throw new CeriseError(
      'quota_exceeded',
      say('storage-full')`This does not fit: you may keep ${most} MiB on this host.`,
      {
        hint: say(
          'storage-full-hint',
        )`Delete conversations that you no longer need, or ask an admin for more room.`,
      },
    );
  }

  /** Takes an upload in while there is room for it. Throws `quota_exceeded`, `too_many_requests`. */
  async upload<T>(owner: string, bytes: number, work: () => Promise<T>): Promise<T> {
    const { unsentFiles, uploadsAtOnce } = this.#limits;
    const underWay = this.#uploads.get(owner) ?? 0;
    if (underWay >= uploadsAtOnce)
      throw new CeriseError(
        'too_many_requests',
        say('uploads-at-once')`Only ${uploadsAtOnce} files can be sent at the same time.`,
        { hint: say('uploads-wait')`Wait until the others have arrived.` },
      );
    this.#uploads.set(owner, underWay + 1);
    try {
      await this.requireRoom(owner, bytes);
      if ((await countUnsent(this.#store.db, owner, unsentFiles)) >= unsentFiles)
        throw new CeriseError(
          'quota_exceeded',
          say(
            'unsent-many',
          )`There are ${unsentFiles} files of yours that no message was sent with.`,
          { hint: say('unsent-many-hint')`Send them, or wait: they go after a day.` },
        );
      return await work();
    } finally {
      const left = (this.#uploads.get(owner) ?? 1) - 1;
      if (left > 0) this.#uploads.set(owner, left);
      else this.#uploads.delete(owner);
    }
  }
}
