import { isDeepStrictEqual } from 'node:util';
import type { DurableEvent } from '#shared/vocabulary/event.ts';
import { type Conversation, isMessageRunning } from '#shared/vocabulary/message.ts';
import { processToken } from '../fixtures/running-command.ts';
import { ClientState, type Frame, readFrames } from '../fixtures/sse-reader.ts';

/** Somebody who watches a topic through the proxy and comes back whenever the stream ends. */
export class PersistentViewer {
  readonly client = new ClientState();
  readonly frames: Frame[] = [];
  connections = 0;
  /** Answers other than an open stream. */
  readonly refusals: number[] = [];
  readonly #path: string;
  readonly #leave = new AbortController();

  constructor(url: string, topicId: string) {
    this.#path = `${url}/api/topics/${topicId}/events`;
  }

  /** Resolves when the condition holds for what it sees. */
  async until(condition: (conversation: Conversation) => boolean): Promise<void> {
    const holds = () =>
      this.client.conversation !== undefined && condition(this.client.conversation);
    while (!holds()) {
      if (this.#leave.signal.aborted) throw new Error('the viewer left too early');
      await this.#connect(holds);
    }
  }

  /** Until an answer has ended. */
  async untilEnd(answerId: string): Promise<void> {
    await this.until(({ messages }) =>
      messages.some((message) => message.id === answerId && !isMessageRunning(message)),
    );
  }

  leave(): void {
    this.#leave.abort();
  }

  async #connect(holds: () => boolean): Promise<void> {
    this.connections += 1;
    const { lastId } = this.client;
    try {
      const response = await fetch(this.#path, {
        headers: {
          authorization: `Bearer ${processToken}`,
          ...(lastId !== undefined && { 'last-event-id': String(lastId) }),
        },
        signal: this.#leave.signal,
      });
      if (!response.ok) return void this.refusals.push(response.status);
      await readFrames(response, (frame) => {
        this.client.take(frame);
        if (frame.id !== undefined) this.frames.push(frame);
        return holds();
      });
    } catch (error) {
      // A stream that breaks off is what this viewer is for; it comes back.
      if (!(error instanceof TypeError) && !this.#leave.signal.aborted) throw error;
    }
  }
}

/** Where what a viewer was shown differs from the log; nothing if it never does. */
export function differences(
  { frames, client }: Pick<PersistentViewer, 'frames' | 'client'>,
  log: DurableEvent[],
  states: Conversation[],
): string[] {
  const found = [...client.problems];
  for (const { id = 0, event } of frames) {
    if (event?.type === 'snapshot') {
      if (!isDeepStrictEqual(plain(event.conversation), plain(states[id])))
        found.push(`the snapshot at ${id} is not the log’s`);
    } else if (!isDeepStrictEqual(plain(event), plain(log[id - 1])))
      found.push(`event ${id} is not the log’s`);
  }
  return found;
}

/** As JSON says it, without fields that are undefined. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
