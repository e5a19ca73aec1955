import { fieldsOf, textOf, type Fields } from '../../answers/event-data.ts';

/** OpenRouter's `reasoning_details`: what a model thought, in the form its vendor wants back. */
export class ReasoningDetails {
  /** By index and type, in the order in which they began. */
  readonly #details = new Map<string, Fields>();
  /** Whether anything is here that only the vendor can read. */
  isSigned = false;

  /** Adds the details of one delta and gives the text in them; `count` is told how much more is kept. */
  add(deltas: unknown[], count: (length: number) => void): string {
    let text = '';
    for (const delta of deltas.map(fieldsOf)) {
      text += textOf(delta['text']) || textOf(delta['summary']);
      const key = JSON.stringify([delta['index'], delta['type']]);
      const detail = this.#details.get(key);
      count(detail ? append(detail, delta) : minDetailChars + lengthOf(delta));
      if (!detail) this.#details.set(key, { ...delta });
      this.isSigned ||= Boolean(delta['signature'] ?? delta['data']);
    }
    return text;
  }

  /** All details so far as a signature; undefined when nobody signed anything. */
  take(): string | undefined {
    const signature = this.isSigned
      ? JSON.stringify({ openrouter: { reasoning_details: [...this.#details.values()] } })
      : undefined;
    this.#details.clear();
    this.isSigned = false;
    return signature;
  }
}

/** The details that were kept in a signature, if it is one of these. */
export function detailsOf(signature: Fields): unknown[] | undefined {
  const details = fieldsOf(signature['openrouter'])['reasoning_details'];
  return Array.isArray(details) ? details : undefined;
}

/** What a detail takes at least, in characters. */
const minDetailChars = 64;

/** Text grows; everything else is what was said last. Gives how many characters more that is. */
function append(detail: Fields, delta: Fields): number {
  let more = 0;
  for (const [key, value] of Object.entries(delta)) {
    if (value === null || value === undefined) continue;
    const grows = key === 'text' || key === 'summary' || key === 'data';
    const added = grows ? textOf(value) : value;
    const known = detail[key];
    more += lengthOf(added) - (grows || known === undefined ? 0 : lengthOf(known));
    if (known === undefined) more += key.length;
    detail[key] = grows ? textOf(known) + textOf(value) : value;
  }
  return more;
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : JSON.stringify(value).length;
}
