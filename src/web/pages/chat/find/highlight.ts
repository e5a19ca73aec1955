import { findRanges } from './find-ranges.ts';

const all = 'find';
const current = 'find-current';

/** Marks what is found in the drawn part of a conversation, and keeps the marks while it changes. */
export class MatchHighlights {
  readonly #root: Element;
  readonly #query: string;
  readonly #watch: MutationObserver;
  #block: Element | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(root: Element, query: string) {
    this.#root = root;
    this.#query = query;
    this.#watch = new MutationObserver(() => {
      this.#timer ??= setTimeout(() => this.#mark(), 100);
    });
    this.#watch.observe(root, { childList: true, subtree: true, characterData: true });
    this.#mark();
  }

  /** Marks a block as the present find: the first place in it, or itself if its text is folded away. */
  show(block: Element): void {
    this.#leave();
    this.#block = block;
    const [place] = findRanges(block, this.#query);
    if (place) scrollTo(this.#root, place);
    else block.setAttribute('data-found', '');
    this.#mark();
  }

  close(): void {
    this.#watch.disconnect();
    clearTimeout(this.#timer);
    this.#leave();
    globalThis.CSS.highlights?.delete(all);
    globalThis.CSS.highlights?.delete(current);
  }

  #mark(): void {
    this.#timer = undefined;
    // A browser without highlights still goes to the place.
    if (!('highlights' in CSS)) return;
    CSS.highlights.set(all, new Highlight(...findRanges(this.#root, this.#query)));
    const [place] = this.#block?.isConnected ? findRanges(this.#block, this.#query) : [];
    const mark = new Highlight(...(place ? [place] : []));
    mark.priority = 1;
    CSS.highlights.set(current, mark);
  }

  #leave(): void {
    this.#block?.removeAttribute('data-found');
    this.#block = null;
  }
}

/** A block may be higher than the sight: the place in it must be seen, clear of the bar at the top. */
function scrollTo(root: Element, place: Range): void {
  const box = root.getBoundingClientRect();
  const { top, bottom } = place.getBoundingClientRect();
  if (top > box.top + 80 && bottom < box.bottom - 40) return;
  root.scrollBy({ top: top - (box.top + box.height / 3), behavior: 'instant' });
}
