import { toErrorInfo } from '#shared/errors/errors.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';

/** Failures in a row that the log hears nothing about. */
const maxSilentFailures = 1000;

/**
 * What the log hears of writes that fail while the database is away: the first one, then the second, the
 * fourth, the eighth and so on with how many failed so far, and one line when it is back.
 */
export class JournalTrouble {
  readonly #logger: Logger;
  #failed = 0;
  #nextSaid = 1;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  failed(error: unknown): void {
    this.#failed += 1;
    if (this.#failed < this.#nextSaid) return;
    this.#nextSaid += Math.min(this.#failed, maxSilentFailures);
    this.#logger.error(
      { ...toErrorInfo(error), failures: this.#failed },
      'Could not write the journal; retrying',
    );
  }

  wrote(): void {
    if (this.#failed === 0) return;
    this.#logger.info({ failures: this.#failed }, 'The journal can be written again');
    this.#failed = 0;
    this.#nextSaid = 1;
  }
}
