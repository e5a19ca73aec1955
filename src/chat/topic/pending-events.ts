import type { EventBody } from '#shared/vocabulary/event.ts';

type DeltaEvent = Extract<EventBody, { type: 'block-delta' }>;

/** Events of a topic that wait to be written, in order. Text that follows text joins it. */
export class PendingEvents {
  #events: EventBody[] = [];
  /** Deltas that may still grow: one a block, until another event of that block. */
  readonly #growing = new Map<string, DeltaEvent>();

  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  /** Adds text to a block; true if it is a new event. */
  addText(messageId: string, blockId: string, offset: number, text: string): boolean {
    const growing = this.#growing.get(blockId);
    if (growing) {
      growing.text += text;
      return false;
    }
    const delta: DeltaEvent = { type: 'block-delta', messageId, blockId, offset, text };
    this.#growing.set(blockId, delta);
    this.#events.push(delta);
    return true;
  }

  add(event: EventBody): void {
    if ('blockId' in event) this.#growing.delete(event.blockId);
    this.#events.push(event);
  }

  /** Takes everything out. What was taken does not grow any more, even if it is put back. */
  take(): EventBody[] {
    const taken = this.#events;
    this.#events = [];
    this.#growing.clear();
    return taken;
  }

  /** Puts back what was taken and could not be written: it comes first. */
  restore(taken: EventBody[]): void {
    this.#events = [...taken, ...this.#events];
  }
}
