/**
 * Reads something that events change too. What is said of it while it is on its way would be undone by
 * what was read before that, so it is then read once more. Wishes during a reading share the next one.
 */
export class Rereading {
  readonly #read: () => Promise<void>;
  #underWay: Promise<void> | undefined;
  #again = false;

  constructor(read: () => Promise<void>) {
    this.#read = read;
  }

  /** Resolves when what holds now, or later, is shown. */
  load(): Promise<void> {
    this.changed();
    this.#underWay ??= this.#readUntilCurrent().finally(() => (this.#underWay = undefined));
    return this.#underWay;
  }

  /** An event changed what is shown. */
  changed(): void {
    this.#again = true;
  }

  async #readUntilCurrent(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      await this.#read();
    }
  }
}
