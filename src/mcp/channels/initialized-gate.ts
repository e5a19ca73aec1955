import type { SendOptions } from '../protocol/channel.ts';
import type { RequestId, RpcMessage } from '../protocol/messages.ts';

interface Held {
  message: RpcMessage;
  options: SendOptions | undefined;
}

/**
 * Keeps the end of the handshake first. Over HTTP each message takes a connection of its own and may
 * overtake another; an old server refuses what reaches it before `notifications/initialized`.
 */
export class InitializedGate {
  #held: Held[] | undefined;

  /** True if the message has to wait until `open`. The notification itself closes the gate. */
  holds(message: RpcMessage, options: SendOptions | undefined): boolean {
    if (this.#held) {
      this.#held.push({ message, options });
      return true;
    }
    if (isInitialized(message)) this.#held = [];
    return false;
  }

  /** What waited, in its order. */
  open(): Held[] {
    const held = this.#held ?? [];
    this.#held = undefined;
    return held;
  }

  /** Forgets a request that waits. */
  drop(id: RequestId): void {
    if (!this.#held) return;
    this.#held = this.#held.filter(
      ({ message }) => !('method' in message && 'id' in message && message.id === id),
    );
  }
}

/** Whether a message is the end of the handshake. */
export function isInitialized(message: RpcMessage): boolean {
  return 'method' in message && message.method === 'notifications/initialized';
}
