import { CeriseError } from '#shared/errors.ts';
import { type ToolCallRecord, transitionToolCall } from '#store/tool-calls.ts';
import type { BlockManager } from './block-manager.ts';
import type { LiveTopic } from './live-topic.ts';

/** Shows in a running call and its block that the server waits for a person. */
export class Parking {
  readonly #live: LiveTopic;
  readonly #blocks: BlockManager;
  readonly #record: ToolCallRecord;
  #moved: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(answer: { live: LiveTopic; blocks: BlockManager }, record: ToolCallRecord) {
    this.#live = answer.live;
    this.#blocks = answer.blocks;
    this.#record = record;
  }

  set(parked: boolean): void {
    this.#moved = this.#moved.then(() => this.#move(parked ? 'parked' : 'dispatching'));
    // Whoever waits for the end gets the failure.
    this.#moved.catch(() => undefined);
  }

  /** Nothing is moved once this has resolved: the outcome follows. */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#moved;
  }

  async #move(to: 'parked' | 'dispatching'): Promise<void> {
    const record = this.#record;
    const from = to === 'parked' ? 'dispatching' : 'parked';
    if (this.#ended || record.state !== from) return;
    try {
      await this.#live.commit({
        events: [this.#blocks.updateEvent(record.blockId ?? '', { state: to })],
        rows: (tx) => transitionToolCall(tx, record.id, [from], to),
      });
      record.state = to;
    } catch (error) {
      // The call goes on without the mark: what counts is its outcome.
      if (!(error instanceof CeriseError) || error.code !== 'storage_unavailable') throw error;
    }
  }
}
