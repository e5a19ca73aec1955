import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { isJsonObject, parseJson } from '#shared/vocabulary/json.ts';
import { type AnswerBounds, AnswerFull } from '../answers/answer-bounds.ts';
import { AnswerWriter } from '../answers/answer-writer.ts';
import { reported } from './wire-json.ts';
import type { WireEvent, WireReader } from './wire.ts';

/**
 * What the readers of all wires share: they tell how far the answer has come, and never take one that
 * failed for whole.
 */
export abstract class EventReader implements WireReader {
  protected readonly answer: AnswerWriter;
  #failed = false;

  constructor(emit: (chunk: Chunk) => void, bounds?: AnswerBounds) {
    this.answer = new AnswerWriter(emit, bounds);
  }

  get begun(): boolean {
    return this.answer.begun;
  }

  get finished(): boolean {
    return this.answer.finished;
  }

  get isFull(): boolean {
    return this.answer.isFull;
  }

  get settled(): boolean {
    return this.ended && !this.#failed;
  }

  read({ event, data }: WireEvent): void {
    if (this.answer.finished) return;
    try {
      if (data.startsWith('[DONE]')) this.goodbye();
      else if (event === 'error') this.#readFailure(data);
      else this.step(data);
    } catch (error) {
      if (error instanceof AnswerFull) return;
      this.#failed = true;
      throw error;
    }
  }

  /** An event that is called an error is one, although it may say so in plain words only. */
  #readFailure(data: string): void {
    const report = parseJson(data);
    if (!isJsonObject(report)) throw reported({ message: data });
    if (report['error'] || report['type'] === 'error') this.step(data);
    throw reported(report);
  }

  close(): void {
    if (this.settled) this.finish();
    else this.cut();
  }

  /** Whether the vendor has said how the answer ended. */
  protected abstract get ended(): boolean;

  /** Takes the data of one event. Throws what the vendor reported as an error. */
  protected abstract step(data: string): void;

  /** The stream says that it is over, as those of OpenAI do and those behind many gateways. */
  protected goodbye(): void {
    if (this.ended) this.finish();
  }

  /** Writes the last chunk of an answer that has ended. */
  protected abstract finish(): void;

  /** Completes what is open of an answer that has not. */
  protected cut(): void {
    this.answer.close();
  }
}
