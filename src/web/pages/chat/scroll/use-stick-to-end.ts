import { type RefCallback, type RefObject, useCallback, useRef, useState } from 'react';

const nearPx = 60;
/** Between the edge and a form that begins there. */
const gapPx = 12;

/** Keeps a growing scroller at its end until the reader scrolls up, and again once they are back. */
export function useStickToEnd(): {
  scroller: RefObject<HTMLDivElement | null>;
  /** For the element inside the scroller that grows. */
  content: RefCallback<HTMLDivElement>;
  atEnd: boolean;
  toEnd: () => void;
} {
  const scroller = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  const [atEnd, setAtEnd] = useState(true);
  const content = useCallback((inner: HTMLDivElement | null) => {
    const box = inner?.parentElement;
    if (!inner || !box) return;
    return follow(box, inner, stuck, setAtEnd);
  }, []);
  const toEnd = () => {
    stuck.current = true;
    setAtEnd(true);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  };
  return { scroller, content, atEnd, toEnd };
}

function follow(
  box: HTMLElement,
  inner: HTMLElement,
  stuck: RefObject<boolean>,
  setAtEnd: (atEnd: boolean) => void,
): () => void {
  const opening = new OpeningForm(box, inner);
  opening.place();
  let last = box.scrollTop;
  const isNear = () => box.scrollHeight - box.scrollTop - box.clientHeight <= nearPx;
  const say = () => setAtEnd(stuck.current && (isNear() || !opening.isShown));
  const onScroll = () => {
    if (opening.isWhereItWas()) return;
    const hasLeft = opening.leave();
    // Content that grows under a still reader is not the reader leaving the end.
    if (isNear()) stuck.current = true;
    else if (hasLeft || box.scrollTop < last - 1) stuck.current = false;
    last = box.scrollTop;
    say();
  };
  // What a reader opens stays under their finger instead of moving up with the end.
  const onOpen = (event: Event) => {
    if (event.target instanceof Element && event.target.closest('[aria-expanded]'))
      stuck.current = false;
  };
  const watch = new ResizeObserver(() => {
    if (stuck.current) opening.place();
    else if (isNear()) stuck.current = true;
    say();
  });
  watch.observe(inner);
  watch.observe(box);
  box.addEventListener('scroll', onScroll, { passive: true });
  box.addEventListener('click', onOpen, { capture: true });
  return () => {
    watch.disconnect();
    box.removeEventListener('scroll', onScroll);
    box.removeEventListener('click', onOpen, { capture: true });
  };
}

/** The end of a chat, or the beginning of a form that has just opened there, until the reader scrolls. */
class OpeningForm {
  readonly #box: HTMLElement;
  readonly #inner: HTMLElement;
  readonly #known = new WeakSet<Element>();
  #form: Element | undefined;
  #placedAt = 0;

  constructor(box: HTMLElement, inner: HTMLElement) {
    this.#box = box;
    this.#inner = inner;
  }

  get isShown(): boolean {
    return this.#form?.isConnected === true;
  }

  /** Scrolls to it. */
  place(): void {
    const box = this.#box;
    for (const form of this.#inner.querySelectorAll('[data-form]')) {
      if (!this.#known.has(form) && !this.isShown) this.#form = form;
      this.#known.add(form);
    }
    box.scrollTop = box.scrollHeight;
    if (!this.#form || !this.isShown) return;
    const above = box.getBoundingClientRect().top - this.#form.getBoundingClientRect().top;
    if (above > 0) box.scrollTop -= above + gapPx;
    this.#placedAt = box.scrollTop;
  }

  /** Whether nobody has scrolled since. */
  isWhereItWas(): boolean {
    return this.isShown && Math.abs(this.#box.scrollTop - this.#placedAt) <= 1;
  }

  /** The reader goes elsewhere; false if there was no form to leave. */
  leave(): boolean {
    const wasShown = this.isShown;
    this.#form = undefined;
    return wasShown;
  }
}
