import { setImmediate } from 'node:timers/promises';

/** How much long work does at once, before others get their turn. */
export interface SliceSize {
  rows: number;
  bytes: number;
}

/** About a millisecond or two of the event loop. */
export const usualSlice: SliceSize = { rows: 100, bytes: 256 * 1024 };

/** Counts what a slice holds. */
export class Slice {
  readonly #size: SliceSize;
  rows = 0;
  bytes = 0;

  constructor(size: SliceSize = usualSlice) {
    this.#size = size;
  }

  /** True once it holds enough; one thing that is larger than a slice is a slice of its own. */
  add(bytes: number, rows = 1): boolean {
    this.rows += rows;
    this.bytes += bytes;
    return this.isFull;
  }

  get isFull(): boolean {
    return this.rows >= this.#size.rows || this.bytes >= this.#size.bytes;
  }

  get isEmpty(): boolean {
    return this.rows === 0;
  }

  clear(): void {
    this.rows = 0;
    this.bytes = 0;
  }
}

/** The first of them that fit into a slice; at least one. */
export function sliceOf<T>(items: T[], bytesOf: (item: T) => number, size = usualSlice): T[] {
  const slice = new Slice(size);
  const end = items.findIndex((item) => slice.add(bytesOf(item)));
  return end === -1 ? items : items.slice(0, end + 1);
}

/** Lets everything else that waits for the event loop go first. */
export async function othersFirst(): Promise<void> {
  await setImmediate();
}

/**
 * Does one slice after the other until `step` says false, with a turn for everybody else between two. Each
 * step is complete and holds no transaction when it ends. False if the signal ended it early.
 */
export async function inSlices(
  step: () => Promise<boolean>,
  signal?: AbortSignal,
): Promise<boolean> {
  for (;;) {
    if (signal?.aborted) return false;
    if (!(await step())) return true;
    await othersFirst();
  }
}
