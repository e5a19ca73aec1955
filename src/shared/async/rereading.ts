/**
 * Reads something that others change too. What happens to it while it is on its way would be undone by
 * what was read before that, so it is then read once more. Wishes during a reading share the next one.
 */
export class Rereading {
  readonly #read: () => Promise<void>;
  #underWay: Promise<void> | undefined;
  #again = false;

  constructor(read: () => Promise<void>) {
    this.#read = read;
  }

  /** Resolves when what holds now, or later, is taken over. */
  load(): Promise<void> {
    this.changed();
    this.#underWay ??= this.#readUntilCurrent();
    return this.#underWay;
  }

  /** What is being read, if anything is, may be old. */
  changed(): void {
    this.#again = true;
  }

  async #readUntilCurrent(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false;
        await this.#read();
      }
    } finally {
      // At once with the last look at `again`: a wish right after it is the first of the next reading.
      this.#underWay = undefined;
    }
  }
}
