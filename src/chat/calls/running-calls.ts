import { abortWith } from '#shared/async/abort-with.ts';
import type { CallAsker } from './asker.ts';

/** What a call that runs belongs to, and how it shows that it waits for a person. */
interface CallPlace {
  /** Who called. */
  owner?: string;
  topicId?: string | undefined;
  answerId?: string | undefined;
  /** The model whose answer it belongs to. */
  model?: string | undefined;
  /** Who answers what its server asks, where that is no person in Cerise. */
  asker?: CallAsker | undefined;
  /** It has no row: its questions end with this process. */
  isUnrecorded?: true;
  /** Nobody can be asked. */
  unattended?: true | undefined;
  /** Told when the server begins and ceases to wait for a person. */
  onParked?: (parked: boolean) => void;
}

interface RunningCall extends CallPlace {
  controller: AbortController;
  /** Lets go of what it belongs to. */
  leave: () => void;
  /** Aborted when the call ends; there once somebody wants to know, which few calls come to. */
  ended?: AbortController;
  questions: number;
}

/** A reason of its own: the default one takes a stack trace each time. */
const callEnded = new Error('The call has ended.');

/** Calls that run right now, so that a person can stop one, or answer its server, without stopping the answer. */
export class RunningCalls {
  readonly #calls = new Map<string, RunningCall>();

  /** The signal a call runs under until it ends: its own, and those of what it belongs to. */
  start(toolCallId: string, parents: readonly AbortSignal[], place: CallPlace = {}): AbortSignal {
    const controller = new AbortController();
    const leave = abortWith(controller, parents);
    this.#calls.set(toolCallId, { ...place, controller, leave, questions: 0 });
    return controller.signal;
  }

  end(toolCallId: string): void {
    const call = this.#calls.get(toolCallId);
    call?.leave();
    call?.ended?.abort(callEnded);
    this.#calls.delete(toolCallId);
  }

  /** Whether a call of this owner runs here. */
  isBusy(owner: string): boolean {
    return this.#calls.values().some((call) => call.owner === owner);
  }

  /** Undefined if no such call runs here. `over` is aborted when it is aborted or has ended. */
  find(
    toolCallId: string,
  ): Readonly<Omit<CallPlace, 'onParked'> & { over: AbortSignal }> | undefined {
    const call = this.#calls.get(toolCallId);
    if (!call) return undefined;
    call.ended ??= new AbortController();
    return { ...call, over: AbortSignal.any([call.controller.signal, call.ended.signal]) };
  }

  /** Says that a call waits for a person, until the result is called as often as this was. */
  park(toolCallId: string): () => void {
    const call = this.#calls.get(toolCallId);
    if (!call) return () => undefined;
    call.questions += 1;
    if (call.questions === 1) call.onParked?.(true);
    return () => {
      call.questions -= 1;
      if (call.questions === 0) call.onParked?.(false);
    };
  }

  /** False if no such call runs here. */
  abort(toolCallId: string): boolean {
    const call = this.#calls.get(toolCallId);
    call?.controller.abort();
    return call !== undefined;
  }
}
