import { flushSync } from 'react-dom';

interface Watched {
  isShown: boolean;
  show: (shown: boolean) => void;
}

/** How near, in pixels beyond the edges, something is drawn, and how far it is let go. */
const nearPx = 1000;
const farPx = 3000;
/** Milliseconds of a frame that drawing may take before the next frame goes on with it. */
const frameShareMs = 6;

/**
 * Tells slots of a scroller when they come near and when they are far away. What comes near is drawn
 * over several frames, the nearest first, so that no frame takes long.
 */
export class SlotWatch {
  readonly #slots = new Map<Element, Watched>();
  readonly #due = new Set<Element>();
  #observers: IntersectionObserver[] = [];
  #root: Element | undefined;
  #frame: number | undefined;

  /** Begins with the scroller, also for slots that came before it; ends when the function is called. */
  open(root: Element): () => void {
    this.#root = root;
    this.#observers = [
      observe(root, nearPx, (element, isNear) => this.#onNear(element, isNear)),
      observe(root, farPx, (element, isNear) => isNear || this.#onFar(element)),
    ];
    for (const element of this.#slots.keys()) this.#observe(element);
    return () => {
      for (const observer of this.#observers) observer.disconnect();
      this.#observers = [];
      if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
      this.#frame = undefined;
    };
  }

  /** Watches an element until the returned function is called. */
  watch(element: Element, isShown: boolean, show: (shown: boolean) => void): () => void {
    this.#slots.set(element, { isShown, show });
    this.#observe(element);
    return () => {
      this.#slots.delete(element);
      this.#due.delete(element);
      for (const observer of this.#observers) observer.unobserve(element);
    };
  }

  #observe(element: Element): void {
    for (const observer of this.#observers) observer.observe(element);
  }

  #onNear(element: Element, isNear: boolean): void {
    if (!isNear) return void this.#due.delete(element);
    if (this.#slots.get(element)?.isShown) return;
    this.#due.add(element);
    this.#frame ??= requestAnimationFrame(() => this.#draw());
  }

  #onFar(element: Element): void {
    const slot = this.#slots.get(element);
    if (!slot?.isShown) return;
    slot.isShown = false;
    slot.show(false);
  }

  #draw(): void {
    this.#frame = undefined;
    const end = performance.now() + frameShareMs;
    for (const element of this.#nearestFirst()) {
      this.#due.delete(element);
      const slot = this.#slots.get(element);
      if (slot) {
        slot.isShown = true;
        flushSync(() => slot.show(true));
      }
      if (performance.now() > end) break;
    }
    if (this.#due.size > 0) this.#frame ??= requestAnimationFrame(() => this.#draw());
  }

  #nearestFirst(): Element[] {
    const { top = 0, bottom = 0 } = this.#root?.getBoundingClientRect() ?? {};
    const distance = (element: Element) => {
      const box = element.getBoundingClientRect();
      return Math.max(0, top - box.bottom, box.top - bottom);
    };
    return [...this.#due]
      .map((element) => ({ element, away: distance(element) }))
      .toSorted((a, b) => a.away - b.away)
      .map(({ element }) => element);
  }
}

function observe(
  root: Element,
  margin: number,
  tell: (element: Element, isNear: boolean) => void,
): IntersectionObserver {
  return new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) tell(target, isIntersecting);
    },
    { root, rootMargin: `${margin}px 0px` },
  );
}
