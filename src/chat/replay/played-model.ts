import { errorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { ModelAdapter, ModelRequest } from '#shared/vocabulary/model.ts';
import type { RecordedRequest } from './recorded-request.ts';

/** A model that plays back a record, whatever the request; it keeps the requests. */
export class PlayedModel {
  readonly requests: ModelRequest[] = [];
  readonly #recorded: readonly RecordedRequest[];
  readonly #onStopped: () => void;

  constructor(recorded: readonly RecordedRequest[], onStopped: () => void) {
    this.#recorded = recorded;
    this.#onStopped = onStopped;
  }

  /** Whether the record has been played to its end. */
  get isAtEnd(): boolean {
    return this.requests.length >= this.#recorded.length;
  }

  get adapter(): ModelAdapter {
    const { model = {} } = this.#recorded[0]?.turn ?? {};
    return { ...model, stream: (request) => this.#stream(request) };
  }

  async *#stream(request: ModelRequest): AsyncGenerator<Chunk[]> {
    const recorded = this.#recorded[this.requests.length];
    this.requests.push(request);
    if (!recorded) {
      const message = say('record-at-end')`The record has no more requests.`;
      yield [{ type: 'error', error: errorInfo('model_failed', message) }];
      return;
    }
    yield* recorded.batches;
    if (!recorded.isWhole) this.#onStopped();
  }
}
