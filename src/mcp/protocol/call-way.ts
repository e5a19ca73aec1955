import { CallError } from '#shared/vocabulary/call-error.ts';
import type { CallReach } from '#shared/vocabulary/tool.ts';
import { RpcError } from './messages.ts';

/** How far one call came, through all its rounds and over whatever connections they took. */
export class CallWay {
  #reach: CallReach;
  readonly #onSend: () => void;

  /** A call that is gone on with has left before. */
  constructor(reach: CallReach = 'never-left', onSend: () => void = () => undefined) {
    this.#reach = reach;
    this.#onSend = onSend;
  }

  get reach(): CallReach {
    return this.#reach;
  }

  /**
   * Sends a request of the call. What certainly was not carried out leaves everything as it was before; a
   * result says nothing yet, since it may be one that the call goes on after.
   */
  send<T>(request: () => Promise<T>): Promise<T> {
    const before = this.#reach;
    this.#reach = 'left';
    this.#onSend();
    return request().catch((error: unknown) => {
      if (error instanceof RpcError) this.#reach = 'ended';
      else if (error instanceof CallError)
        this.#reach = error.reach === 'never-left' ? before : error.reach;
      throw error;
    });
  }

  /** The end of the call was heard otherwise than as the answer to a request. */
  end(): void {
    this.#reach = 'ended';
  }
}
