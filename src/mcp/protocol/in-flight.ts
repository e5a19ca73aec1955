const firstSlots = 64;

/**
 * What is under way, by numbers it gives out itself. Slots instead of a Map: once there was a full
 * garbage collection, a Map that is filled and emptied all the time makes V8 keep much of what was in
 * it until the next one, which costs more than the rest of the bookkeeping (docs/performance.md).
 */
export class InFlight<T extends { readonly id: number }> {
  #slots: (T | undefined)[] = emptySlots(firstSlots);
  #size = 0;
  #last = 0;

  get size(): number {
    return this.#size;
  }

  /** A number that nobody had before; consecutive unless the slot of one is still taken. */
  nextId(): number {
    if (this.#size * 2 >= this.#slots.length) this.#grow();
    do this.#last += 1;
    while (this.#slots[this.#slotOf(this.#last)]);
    return this.#last;
  }

  /** Its id must come from `nextId`, and be the last that did. */
  add(item: T): void {
    this.#slots[this.#slotOf(item.id)] = item;
    this.#size += 1;
  }

  get(id: number): T | undefined {
    const item = this.#slots[this.#slotOf(id)];
    return item?.id === id ? item : undefined;
  }

  /** False if it was not there. */
  delete(id: number): boolean {
    if (!this.get(id)) return false;
    this.#slots[this.#slotOf(id)] = undefined;
    this.#size -= 1;
    return true;
  }

  values(): T[] {
    return this.#slots.filter((item) => item !== undefined).sort((a, b) => a.id - b.id);
  }

  clear(): void {
    this.#slots = emptySlots(firstSlots);
    this.#size = 0;
  }

  #slotOf(id: number): number {
    return id & (this.#slots.length - 1);
  }

  /** Numbers that had different slots among half as many have different ones still. */
  #grow(): void {
    const items = this.values();
    this.#slots = emptySlots(2 * this.#slots.length);
    for (const item of items) this.#slots[this.#slotOf(item.id)] = item;
  }
}

/** A power of two, so that the low bits of a number are its slot. */
function emptySlots<T>(count: number): (T | undefined)[] {
  return Array.from({ length: count }, () => undefined);
}
