import type { RequestId } from './messages.ts';

/** What of a call is needed to know it again. */
interface Call {
  readonly callId?: string | undefined;
}

/** The tool calls under way on one connection: tells which of them a server's question is about. */
export class RelatedCalls {
  /** A list, for the reason given at InFlight. */
  readonly #running: { call: Call; requestId: number | undefined }[] = [];

  /** One without an id is nobody's. */
  begin(call: Call): void {
    if (call.callId) this.#running.push({ call, requestId: undefined });
  }

  end(call: Call): void {
    const at = this.#running.findLastIndex((one) => one.call === call);
    if (at >= 0) this.#running.splice(at, 1);
  }

  /** The call goes on with this request. */
  sent(call: Call, requestId: number): void {
    const entry = this.#running.findLast((one) => one.call === call);
    if (entry) entry.requestId = requestId;
  }

  /**
   * The call that a question came for. Not every transport of the older protocol tells by which request
   * it came; with one call running it is that one.
   */
  callIdOf(about: RequestId | undefined): string | undefined {
    const named =
      about === undefined
        ? undefined
        : this.#running.find(({ requestId }) => requestId === Number(about));
    const only = this.#running.length === 1 ? this.#running[0] : undefined;
    return (named ?? only)?.call.callId;
  }
}
