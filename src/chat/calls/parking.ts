import { isStorageTrouble } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import type { Continuation } from '#shared/vocabulary/tool.ts';
import { closeInputsOfCall } from '#store/calls/inputs.ts';
import { type ToolCallRecord, transitionToolCall } from '#store/calls/tool-calls.ts';
import { waitOfCall } from '#store/conversations/waits.ts';
import type { Db } from '#store/database/store.ts';

type ParkingState = 'parked' | 'dispatching';

/** Where a call is kept and shown. */
export interface ParkingPlace {
  /** Commits a change of the call's row together with the state its block shows, where it has one. */
  commit(rows: ((tx: Db) => Promise<unknown>) | undefined, shown?: ParkingState): Promise<void>;
  /** Takes a place at the server again before the call is sent; a call that waits holds none. */
  acquire(): Promise<void>;
  release(): void;
}

/**
 * Keeps and shows that a call waits. With a continuation its row is `parked` for as long as it can be
 * gone on with by any process, be it for a person or for a task; its block is `parked` only while a
 * person is asked. Without one, the mark is all there is.
 */
export class Parking {
  readonly #place: ParkingPlace;
  readonly #record: ToolCallRecord;
  #moved: Promise<void> = Promise.resolve();
  #shown: ParkingState | undefined;
  #kept: boolean;
  #wasUsed: boolean;
  #ended = false;

  /** `kept` says that the row is parked with a continuation already. */
  constructor(place: ParkingPlace, record: ToolCallRecord, kept: boolean) {
    this.#place = place;
    this.#record = record;
    this.#kept = kept;
    this.#wasUsed = kept;
    if (!kept) this.#shown = 'dispatching';
  }

  /** Whether any process can go on with the call: nothing needs to be done when this one ends. */
  get isKept(): boolean {
    return this.#kept;
  }

  /** The call can go on from here; durable when it resolves. */
  async park(continuation: Continuation): Promise<void> {
    await this.#next(async () => {
      const rows = (tx: Db) => this.#mustMove(tx, ['dispatching', 'parked'], continuation);
      if (!(await this.#tryCommit(rows))) return;
      this.#record.state = 'parked';
      if (!this.#kept) this.#place.release();
      this.#kept = true;
      await fault('parked-committed');
    });
  }

  /** The call is to be sent again: durable when it resolves, and not sent if it rejects. */
  async unpark(): Promise<void> {
    await this.#next(async () => {
      if (!this.#kept) return;
      await this.#place.acquire();
      const shown = this.#shown === 'dispatching' ? undefined : 'dispatching';
      await this.#place.commit((tx) => this.#mustMove(tx, ['parked']), shown);
      this.#record.state = 'dispatching';
      this.#shown = 'dispatching';
      this.#kept = false;
    });
  }

  /** A person begins or ceases to be asked. */
  show(waiting: boolean): void {
    this.#moved = this.#moved.then(() => this.#show(waiting ? 'parked' : 'dispatching'));
    // The failure reaches the caller that waits for the end.
    this.#moved.catch(() => undefined);
  }

  /** Nothing is moved once this has resolved: the outcome follows. */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#moved;
  }

  /** How long its questions waited for a person. */
  async waited(tx: Db, at: number): Promise<number | undefined> {
    return this.#wasUsed ? waitOfCall(tx, this.#record.id, at) : undefined;
  }

  /** Part of the outcome: the questions of a call end with it. */
  async close(tx: Db, at: number): Promise<void> {
    if (this.#wasUsed) await closeInputsOfCall(tx, this.#record.id, at);
  }

  async #next(work: () => Promise<void>): Promise<void> {
    this.#wasUsed = true;
    const result = this.#moved.then(work);
    this.#moved = result.catch(() => undefined);
    await result;
  }

  async #show(to: ParkingState): Promise<void> {
    this.#wasUsed = true;
    const record = this.#record;
    if (this.#ended || this.#shown === to) return;
    const { id, state, ownerInstance } = record;
    const move = (tx: Db) => transitionToolCall(tx, id, [state], to, {}, ownerInstance);
    const done = await this.#tryCommit(this.#kept ? undefined : move, to);
    if (!done) return;
    this.#shown = to;
    if (!this.#kept) record.state = to;
  }

  async #mustMove(tx: Db, from: ParkingState[], continuation?: Continuation): Promise<void> {
    const to = continuation ? 'parked' : 'dispatching';
    const fields = continuation ? { continuation } : {};
    const { id, ownerInstance } = this.#record;
    const moved = await transitionToolCall(tx, id, from, to, fields, ownerInstance);
    if (!moved) throw new Error(`call ${id} is not ${from.join(' or ')}, or not ours`);
  }

  /** False if the database cannot be had: the call goes on without the mark, what counts is its outcome. */
  async #tryCommit(...change: Parameters<ParkingPlace['commit']>): Promise<boolean> {
    try {
      await this.#place.commit(...change);
      return true;
    } catch (error) {
      if (!isStorageTrouble(error)) throw error;
      return false;
    }
  }
}
