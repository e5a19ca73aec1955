import { type ReactElement, useCallback, useLayoutEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { loadEarlier } from '../../state/chat/conversation.ts';
import { showFailure } from '../../ui/notices/notices.ts';

interface Held {
  box: HTMLElement;
  /** What is being read, and how far below the top edge it stood. */
  anchor: Element;
  top: number;
  firstId: string | undefined;
}

/**
 * The mark above the oldest message: when it comes near, what is before it is loaded, and what is
 * being read stays in its place. `firstId` changes whenever something was put in front.
 */
export function EarlierMessages(props: {
  firstId: string | undefined;
  hasEarlier: boolean;
}): ReactElement | null {
  const { firstId, hasEarlier } = props;
  const t = useTranslations('chat');
  const held = useRef<Held | null>(null);
  const mark = useCallback(
    (element: HTMLDivElement | null) => {
      const box = element?.closest<HTMLElement>('[role="log"]');
      if (!element || !box) return;
      const hold = () => {
        held.current = holdPlace(box, firstId) ?? held.current;
      };
      return whenNear(element, box, () => void loadEarlier(hold).catch(showFailure));
    },
    [firstId],
  );
  useLayoutEffect(() => {
    if (held.current === null || held.current.firstId === firstId) return;
    backToPlace(held.current);
    held.current = null;
  });
  if (!hasEarlier) return null;
  return (
    <div ref={mark} data-testid="earlier" className="text-center text-xs text-muted">
      {t('earlier')}
    </div>
  );
}

/** Calls back whenever an element comes near the shown part of a box. */
function whenNear(element: Element, box: Element, act: () => void): () => void {
  const watch = new IntersectionObserver(
    (entries) => entries.some((entry) => entry.isIntersecting) && act(),
    { root: box, rootMargin: '1500px 0px 0px 0px' },
  );
  watch.observe(element);
  return () => watch.disconnect();
}

/** Notes what is being read; undefined where there is nothing. */
function holdPlace(box: HTMLElement, firstId: string | undefined): Held | undefined {
  const anchor = readingIn(box);
  if (!anchor) return undefined;
  // The browser would do the same once more.
  box.style.overflowAnchor = 'none';
  return { box, anchor, top: anchor.getBoundingClientRect().top, firstId };
}

function backToPlace({ box, anchor, top }: Held): void {
  box.scrollBy({ top: anchor.getBoundingClientRect().top - top, behavior: 'instant' });
  requestAnimationFrame(() => requestAnimationFrame(() => (box.style.overflowAnchor = '')));
}

/** The first visible element that stays the same when something is inserted before it. */
function readingIn(box: Element): Element | null {
  const { top } = box.getBoundingClientRect();
  let found: Element | null = null;
  for (const element of box.querySelectorAll('[data-slot], [data-testid="block"]')) {
    const inside = found?.contains(element) ?? false;
    if (found && !inside) break;
    if (element.getBoundingClientRect().bottom > top + 1) found = element;
  }
  return found;
}
