import { type RefCallback, type RefObject, useCallback, useRef, useState } from 'react';

const nearPx = 60;

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
  box.scrollTop = box.scrollHeight;
  let last = box.scrollTop;
  const isNear = () => box.scrollHeight - box.scrollTop - box.clientHeight <= nearPx;
  const onScroll = () => {
    // Content that grows under a still reader is not the reader leaving the end.
    if (isNear()) stuck.current = true;
    else if (box.scrollTop < last - 1) stuck.current = false;
    last = box.scrollTop;
    setAtEnd(stuck.current);
  };
  // What a reader opens stays under their finger instead of moving up with the end.
  const onOpen = (event: Event) => {
    if (event.target instanceof Element && event.target.closest('[aria-expanded]'))
      stuck.current = false;
  };
  const watch = new ResizeObserver(() => {
    if (stuck.current) box.scrollTop = box.scrollHeight;
    else if (isNear()) stuck.current = true;
    setAtEnd(stuck.current);
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
