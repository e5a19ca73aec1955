/**
 * Collects what arrives and hands it over once a frame, in order; `flush` hands over at once. A
 * hidden page has no frames, so there a timer stands in.
 */
export function createFrameQueue<T>(
  apply: (items: T[]) => void,
  schedule: (run: () => void) => () => void = nextFrame,
): { push: (item: T) => void; flush: () => void; clear: () => void } {
  let items: T[] = [];
  let cancel: (() => void) | undefined;

  const flush = () => {
    cancel?.();
    cancel = undefined;
    if (items.length === 0) return;
    const batch = items;
    items = [];
    apply(batch);
  };
  return {
    push: (item) => {
      items.push(item);
      cancel ??= schedule(flush);
    },
    flush,
    clear: () => {
      cancel?.();
      cancel = undefined;
      items = [];
    },
  };
}

function nextFrame(run: () => void): () => void {
  if (document.hidden) {
    const timer = setTimeout(run, 200);
    return () => clearTimeout(timer);
  }
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}
