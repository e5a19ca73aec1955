import { parseSignature } from '../wire-json.ts';
import { refuseCrowd } from '../../answers/answer-bounds.ts';
import type { AnswerWriter } from '../../answers/answer-writer.ts';
import { fieldsOf, textOf, type Fields } from '../../answers/event-data.ts';

/** What is kept of a reasoning item so that it can be given back: its id, and its sealed content. */
export function readReasoningSignature(
  signature: string | undefined,
): { id: string; encrypted?: string } | undefined {
  const kept = fieldsOf(parseSignature(signature)['openai']);
  const { itemId, reasoningEncryptedContent: encrypted } = kept;
  if (typeof itemId !== 'string') return undefined;
  return { id: itemId, ...(typeof encrypted === 'string' && { encrypted }) };
}

interface Item {
  id: string;
  /** Parts that have not ended; the last one carries the seal of the whole item. */
  open: string[];
  told: boolean;
}

/**
 * The thinking of one answer. An item has several parts, each of which is shown as thinking of its
 * own; the item's sealed content is known at its end and goes with the last part.
 */
export class ResponsesReasoning {
  readonly #answer: AnswerWriter;
  readonly #items = new Map<number, Item>();

  constructor(answer: AnswerWriter) {
    this.#answer = answer;
  }

  start(outputIndex: number, item: Fields): void {
    refuseCrowd(this.#items);
    const id = textOf(item['id']);
    this.#answer.keep(id.length);
    this.#items.set(outputIndex, { id, open: [], told: false });
  }

  delta(outputIndex: number, part: string, text: string): void {
    if (text === '') return;
    const item = this.#item(outputIndex);
    const id = `${item.id}:${part}`;
    if (!item.open.includes(id)) {
      this.#endOpen(item);
      item.open.push(id);
      item.told = true;
    }
    this.#answer.thinkingDelta(id, text);
  }

  /**
   * The item is whole, with its words where none were streamed. One without a word is kept for its
   * seal; without a seal it is nothing.
   */
  end(outputIndex: number, done: Fields): void {
    const item = this.#item(outputIndex);
    if (!item.told) this.#tell(outputIndex, done);
    this.#items.delete(outputIndex);
    const encrypted = done['encrypted_content'] ?? null;
    if (!item.told && encrypted === null) return;
    if (item.open.length === 0) item.open.push(`${item.id}:0`);
    this.#endOpen(item, { itemId: item.id, reasoningEncryptedContent: encrypted });
  }

  #tell(outputIndex: number, { summary, content }: Fields): void {
    const parts = [summary, content].find((list) => Array.isArray(list) && list.length > 0);
    for (const [index, part] of (Array.isArray(parts) ? parts : []).entries()) {
      this.delta(outputIndex, `summary-${index}`, textOf(fieldsOf(part)['text']));
    }
  }

  #item(outputIndex: number): Item {
    const known = this.#items.get(outputIndex);
    if (known) return known;
    this.start(outputIndex, { id: `reasoning-${outputIndex}` });
    return this.#item(outputIndex);
  }

  #endOpen(item: Item, kept: object = { itemId: item.id }): void {
    for (const id of item.open) {
      this.#answer.thinkingSign(id, JSON.stringify({ openai: kept }));
      this.#answer.thinkingEnd(id);
    }
    item.open = [];
  }
}
