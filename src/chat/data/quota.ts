import type { StorageView } from '#shared/api/data-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { countUnsent } from '#store/blobs/blob-references.ts';
import type { Db, Store } from '#store/database/store.ts';
import { storageOf, storedBytes, storedBytesNow } from '#store/usage/storage.ts';
import { addUp } from '#store/usage/sums.ts';

type Bytes = AsyncIterable<Uint8Array>;

/** More than calls can add in the time for which it is not looked at. */
const ampleBytes = 256 * 1024 ** 2;
const ampleForMs = 5_000;

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
  /** Until when those have enough room who had a moment ago, by person. */
  readonly #ampleUntil = new Map<string, number>();

  constructor(store: Store, limits: QuotaLimits) {
    this.#store = store;
    this.#limits = limits;
  }

  /** How much is kept of somebody, and how much may be. */
  async storage(owner: string): Promise<StorageView> {
    const { storedPerPerson: allowedBytes } = this.#limits;
    return { ...(await storageOf(this.#store, owner)), allowedBytes };
  }

  /** Throws `quota_exceeded` where so many bytes more would be too much. Looks once in a few seconds if there is plenty. */
  async requireRoom(owner: string, bytes: number): Promise<void> {
    if (await this.isScarce(owner)) await this.requireRoomNow(owner, bytes);
  }

  /** Whether so little room is left that whoever stores something must look. Looks itself once in a few seconds. */
  async isScarce(owner: string): Promise<boolean> {
    if (performance.now() < (this.#ampleUntil.get(owner) ?? 0)) return false;
    await addUp(this.#store, owner, 'storage_changes');
    const isScarce = (await this.#roomOf(owner)) < ampleBytes;
    if (!isScarce) this.#ampleUntil.set(owner, performance.now() + ampleForMs);
    return isScarce;
  }

  /** Throws `quota_exceeded`. Exact where those who add to what is kept of an owner take turns. */
  async requireRoomIn(tx: Db, owner: string, bytes: number): Promise<void> {
    if (this.#limits.storedPerPerson - (await storedBytesNow(tx, owner)) < bytes)
      throw this.#full();
  }

  /** The same, exactly; how much room there is. */
  async requireRoomNow(owner: string, bytes: number): Promise<number> {
    await addUp(this.#store, owner, 'storage_changes');
    const room = await this.#roomOf(owner);
    if (room < bytes) throw this.#full();
    return room;
  }

  async #roomOf(owner: string): Promise<number> {
    return this.#limits.storedPerPerson - (await storedBytes(this.#store.db, owner));
  }

  #full(): CeriseError {
    const most = Math.floor(this.#limits.storedPerPerson / 1024 ** 2);
    return new CeriseError(
      'quota_exceeded',
      say('storage-full')`Not enough storage: you can store up to ${most} MiB on this host.`,
      {
        hint: say(
          'storage-full-hint',
        )`Delete chats or tool calls you no longer need, or ask an admin for more storage.`,
      },
    );
  }

  /** Takes a file in while there is room for it. Throws `quota_exceeded`, `too_many_requests`. */
  upload<T>(owner: string, bytes: number, work: () => Promise<T>): Promise<T> {
    const { unsentFiles } = this.#limits;
    return this.receive(owner, bytes, async () => {
      if ((await countUnsent(this.#store.db, owner, unsentFiles)) >= unsentFiles)
        throw new CeriseError(
          'quota_exceeded',
          say(
            'unsent-many',
          )`You have ${unsentFiles} uploaded files that haven't been sent with a message.`,
          {
            hint: say(
              'unsent-many-hint',
            )`Send them, or wait: unsent files are deleted after a day.`,
          },
        );
      return await work();
    });
  }

  /**
   * Lets somebody send bytes while there is room for them, in few requests at the same time; `bounded` ends
   * what is more than was announced. Throws `quota_exceeded`, `too_many_requests`.
   */
  async receive<T>(
    owner: string,
    announced: number,
    work: (bounded: (source: Bytes) => Bytes) => Promise<T>,
  ): Promise<T> {
    const { uploadsAtOnce } = this.#limits;
    const underWay = this.#uploads.get(owner) ?? 0;
    if (underWay >= uploadsAtOnce)
      throw new CeriseError(
        'too_many_requests',
        say('uploads-at-once')`You can upload up to ${uploadsAtOnce} files at a time.`,
        { hint: say('uploads-wait')`Wait for the other uploads to finish.` },
      );
    this.#uploads.set(owner, underWay + 1);
    try {
      const room = await this.requireRoomNow(owner, announced);
      return await work((source) => this.#bounded(source, room));
    } finally {
      const left = (this.#uploads.get(owner) ?? 1) - 1;
      if (left > 0) this.#uploads.set(owner, left);
      else this.#uploads.delete(owner);
    }
  }

  async *#bounded(source: Bytes, room: number): AsyncGenerator<Uint8Array> {
    let left = room;
    for await (const piece of source) {
      left -= piece.length;
      if (left < 0) throw this.#full();
      yield piece;
    }
  }
}
