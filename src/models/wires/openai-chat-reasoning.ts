import { fieldsOf, textOf, type Fields } from './event-data.ts';

/** OpenRouter's `reasoning_details`: what a model thought, in the form its vendor wants back. */
export class ReasoningDetails {
  #details: Fields[] = [];

  /** Whether anything is here that only the vendor can read. */
  get isSigned(): boolean {
    return this.#details.some(({ signature, data }) => Boolean(signature ?? data));
  }

  /** Adds the details of one delta and gives the text in them; `count` is told of what is kept. */
  add(deltas: unknown[], count: (kept: string) => void): string {
    let text = '';
    for (const delta of deltas.map(fieldsOf)) {
      text += textOf(delta['text']) || textOf(delta['summary']);
      const last = this.#details.findLast(
        ({ index, type }) => index === delta['index'] && type === delta['type'],
      );
      count(last ? textOf(delta['data']) : JSON.stringify(delta));
      if (last) append(last, delta);
      else this.#details.push({ ...delta });
    }
    return text;
  }

  /** All details so far as a signature; undefined when nobody signed anything. */
  take(): string | undefined {
    const signature = this.isSigned
      ? JSON.stringify({ openrouter: { reasoning_details: this.#details } })
      : undefined;
    this.#details = [];
    return signature;
  }
}

/** The details that were kept in a signature, if it is one of these. */
export function detailsOf(signature: Fields): unknown[] | undefined {
  const details = fieldsOf(signature['openrouter'])['reasoning_details'];
  return Array.isArray(details) ? details : undefined;
}

/** Text grows; everything else is what was said last. */
function append(detail: Fields, delta: Fields): void {
  for (const [key, value] of Object.entries(delta)) {
    if (value === null || value === undefined) continue;
    const grows = key === 'text' || key === 'summary' || key === 'data';
    detail[key] = grows ? textOf(detail[key]) + textOf(value) : value;
  }
}
