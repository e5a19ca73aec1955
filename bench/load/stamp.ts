/** Characters of one delta: about what a token has, so that the load is that of a model. */
export const deltaLength = 5;
const range = 36 ** (deltaLength - 1);

/** The text of a delta that is sent now: a space and the time, which comes round every 28 minutes. */
export function stamp(now: number): string {
  return ` ${(now % range).toString(36).padStart(deltaLength - 1, '0')}`;
}

/** Milliseconds since each of the deltas in a text was sent. The text holds whole deltas. */
export function delaysOf(text: string, now: number): number[] {
  const present = now % range;
  return Array.from({ length: text.length / deltaLength }, (_, index) => {
    const sent = Number.parseInt(
      text.slice(index * deltaLength + 1, (index + 1) * deltaLength),
      36,
    );
    return (present - sent + range) % range;
  });
}

/** How often each delay was seen, to the millisecond; everything above the last counts as it. */
export class Delays {
  readonly #counts = new Uint32Array(20_000);
  count = 0;

  add(delay: number): void {
    const slot = Math.min(delay, this.#counts.length - 1);
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1;
    this.count += 1;
  }

  /** The delay that this share of all is at or below. NaN for none. */
  percentile(share: number): number {
    let below = 0;
    for (const [delay, count] of this.#counts.entries()) {
      below += count;
      if (count > 0 && below >= this.count * share) return delay;
    }
    return NaN;
  }

  clear(): void {
    this.#counts.fill(0);
    this.count = 0;
  }
}
