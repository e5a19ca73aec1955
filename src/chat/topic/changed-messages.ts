import type { DurableEvent } from '#shared/vocabulary/event.ts';
import { isMessageOpen, type Message, type Topic } from '#shared/vocabulary/message.ts';
import { reduce } from '#shared/vocabulary/reduce.ts';

/** The messages of a topic that changed since it became live, as their durable events tell them. */
export class ChangedMessages {
  readonly #messages = new Map<string, Message>();
  /** Rows that somebody read before may still have these. */
  readonly #deleted = new Set<string>();
  #readers = 0;

  get(id: string): Message | undefined {
    return this.#messages.get(id);
  }

  set(message: Message): void {
    this.#messages.set(message.id, message);
  }

  /** Runs the one reducer over what is held here; the topic as it is after the event. */
  apply(topic: Topic, event: DurableEvent): Topic {
    const messages = [...this.#messages.values()];
    const next = reduce({ topic, messages, hasEarlier: true, seq: event.seq - 1 }, event);
    for (const message of next.messages) this.set(message);
    if (event.type === 'messages-delete') this.#drop(event.messageIds);
    return next.topic;
  }

  #drop(messageIds: string[]): void {
    for (const id of messageIds) {
      this.#messages.delete(id);
      this.#deleted.add(id);
    }
  }

  /** Rows moved on to what is held here, with what else is true at that very moment. */
  async overlay<R extends { messages: Message[] }, T>(
    read: () => Promise<R>,
    present: () => T,
  ): Promise<R & T> {
    this.#readers += 1;
    try {
      const rows = await read();
      const messages = rows.messages
        .filter(({ id }) => !this.#deleted.has(id))
        .map((message) => this.#messages.get(message.id) ?? message);
      const ids = new Set(messages.map(({ id }) => id));
      // What changes further back than the page reaches is not a part of it.
      const newest = messages.at(-1)?.createdAt ?? -1;
      for (const message of this.#messages.values())
        if (!ids.has(message.id) && message.createdAt >= newest) messages.push(message);
      return { ...rows, ...present(), messages };
    } finally {
      this.#readers -= 1;
    }
  }

  /** What has ended is in rows; but a read that is under way may have missed them. */
  forgetFinished(exceptId: string): void {
    if (this.#readers > 0) return;
    for (const message of this.#messages.values())
      if (message.id !== exceptId && !isMessageOpen(message)) this.#messages.delete(message.id);
  }
}
