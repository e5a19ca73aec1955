import type { RequestId } from './messages.ts';

/** What of a call is needed to know it again. */
interface Call {
  readonly callId?: string | undefined;
}

/** The tool calls under way on one connection: tells which of them a server's question is about. */
export class RelatedCalls {
  /** A list, for the reason given at InFlight. */
  readonly #running: { call: Call; requestId: number | undefined }[] = [];

  /** Knows the call while the work lasts; one without an id is nobody's. */
  async during<T>(call: Call, work: () => Promise<T>): Promise<T> {
    if (!call.callId) return work();
    const entry = { call, requestId: undefined };
    this.#running.push(entry);
    try {
      return await work();
    } finally {
      this.#running.splice(this.#running.indexOf(entry), 1);
    }
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
