import type { SearchHit } from '#shared/api/api.ts';
import { activePath } from '#shared/vocabulary/message.ts';
import { loadBackTo, useConversation } from '../../../state/chat/conversation.ts';
import { reveal } from '../scroll/reveal.ts';
import { MatchHighlights } from './highlight.ts';

/** Goes from find to find in a conversation, and marks the words of one query until it is closed. */
export class FindWalk {
  readonly #scroller: Element;
  readonly #marks: MatchHighlights;
  readonly #onArrive: (index: number) => void;
  #hits: SearchHit[] | undefined;
  /** Where the last step was to lead; its place among the finds changes when others come. */
  #goal: SearchHit | undefined;
  #way = new AbortController();

  constructor(scroller: Element, query: string, onArrive: (index: number) => void) {
    this.#scroller = scroller;
    this.#marks = new MatchHighlights(scroller, query);
    this.#onArrive = onArrive;
  }

  /** Goes to the first of these; where they come in place of others, stays at the one it is at. */
  async take(hits: SearchHit[]): Promise<void> {
    const isFirst = this.#hits === undefined;
    this.#hits = hits;
    if (isFirst) await this.#go(0, 1);
    else this.#onArrive(this.#at());
  }

  /** Goes to the next (1) or the one before (-1), from wherever the last step was to lead. */
  async step(by: 1 | -1): Promise<void> {
    const at = this.#at();
    await this.#go(at === -1 && by === -1 ? -1 : at + by, by);
  }

  /** -1 where nothing was gone to yet, or it is gone. */
  #at(): number {
    const { blockId } = this.#goal ?? {};
    return this.#hits?.findIndex((hit) => hit.blockId === blockId) ?? -1;
  }

  close(): void {
    this.#way.abort();
    this.#marks.close();
  }

  /** Finds on a branch that is not shown are passed over. */
  async #go(from: number, by: 1 | -1): Promise<void> {
    this.#way.abort();
    this.#way = new AbortController();
    const { signal } = this.#way;
    const hits = this.#hits ?? [];
    const count = hits.length;
    for (let tried = 0; tried < count && !signal.aborted; tried += 1) {
      this.#goal = hits[(from + tried * by + count) % count];
      const block = await this.#bring(this.#goal, signal);
      if (!block || signal.aborted) continue;
      this.#onArrive(this.#at());
      this.#marks.show(block);
      return;
    }
  }

  /** The block of a find, drawn and in sight; null if it is not on the shown branch. */
  async #bring(hit: SearchHit | undefined, signal: AbortSignal): Promise<Element | null> {
    if (!hit?.messageId || !hit.blockId) return null;
    if (!(await loadBackTo(hit.messageId, hit.blockId))) return null;
    const { conversation } = useConversation.getState();
    const path = conversation ? activePath(conversation) : [];
    const message = path.find(({ id }) => id === hit.messageId);
    const block = message?.blocks.find(({ id }) => id === hit.blockId);
    if (!block) return null;
    const place = { messageId: hit.messageId, ordinal: block.ordinal };
    return reveal(this.#scroller, place, signal);
  }
}
