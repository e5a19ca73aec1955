import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CeriseError } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import { say } from '#shared/errors/sentence.ts';

/** The ways to bring a file onto the disk. */
export interface LogDisk {
  inPlace(file: number): void;
  beside(file: number): Promise<void>;
}

const realDisk: LogDisk = { inPlace: fdatasyncSync, beside: promisify(fdatasync) };
/** A disk that took longer than this the last time (ms) is not waited for with everything standing still. */
const shortFlushMs = 2;

/**
 * Brings what was committed to SQLite's log onto the disk. Commits in one turn of the event loop,
 * or while a flush is under way, share a flush, which runs beside the loop. One commit alone on a quick
 * disk is flushed in place, as `pragma synchronous = full` does: the way to a thread and back is longer.
 */
export class LogFlush {
  readonly #path: string;
  readonly #disk: LogDisk;
  #file: number | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** Who waits for the flush that has not begun. */
  #waiting = 0;
  /** Whether the last flush was short, and for one alone. */
  #calm = true;

  /** The log is there once the database has been read. */
  constructor(path: string, disk = realDisk) {
    this.#path = path;
    this.#disk = disk;
  }

  /** Resolves when everything that is committed by now is on the disk. Throws `storage_unavailable`. */
  async flush(): Promise<void> {
    this.#waiting += 1;
    // One that runs may have begun too early.
    this.#next ??= this.#afterRunning();
    return this.#next;
  }

  /** Lets go of the log once all have what they wait for. */
  async close(): Promise<void> {
    await (this.#next ?? this.#running)?.catch(() => undefined);
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  async #afterRunning(): Promise<void> {
    if (this.#running) await this.#running.catch(() => undefined);
    else await setImmediate();
    const alone = this.#waiting === 1;
    this.#next = undefined;
    this.#waiting = 0;
    this.#running = this.#flushFile(alone);
    await this.#running;
  }

  async #flushFile(alone: boolean): Promise<void> {
    try {
      await fault('log-flushing');
      this.#file ??= openSync(this.#path, 'r+');
      const begun = performance.now();
      if (alone && this.#calm) this.#disk.inPlace(this.#file);
      else await this.#disk.beside(this.#file);
      this.#calm = alone && performance.now() - begun < shortFlushMs;
    } catch (cause) {
      const said = say('log-not-flushed')`The disk didn't confirm a database write.`;
      throw new CeriseError('storage_unavailable', said, { cause });
    } finally {
      this.#running = undefined;
    }
  }
}
