import { type ReactElement, useCallback, useLayoutEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { loadEarlier } from '../state/conversation.ts';
import { showFailure } from '../state/notices.ts';

interface Held {
  box: Element;
  /** What is being read, and how far below the top edge it stood. */
  message: Element;
  top: number;
  firstId: string | undefined;
}

/**
 * The mark above the oldest message: when it comes near, the messages before it are loaded, and
 * what is being read stays in its place.
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
      const box = element?.closest('[role="log"]');
      const message = element?.parentElement?.querySelector('article');
      if (!element || !box || !message) return;
      const load = () => {
        const hold = () => {
          held.current = { box, message, top: message.getBoundingClientRect().top, firstId };
        };
        loadEarlier(hold).catch(showFailure);
      };
      const watch = new IntersectionObserver(
        (entries) => entries.some((entry) => entry.isIntersecting) && load(),
        { root: box, rootMargin: '400px 0px 0px 0px' },
      );
      watch.observe(element);
      return () => watch.disconnect();
    },
    [firstId],
  );
  useLayoutEffect(() => {
    if (held.current === null || held.current.firstId === firstId) return;
    const { box, message, top } = held.current;
    held.current = null;
    box.scrollBy({ top: message.getBoundingClientRect().top - top, behavior: 'instant' });
  });
  if (!hasEarlier) return null;
  return (
    <div ref={mark} className="text-center text-xs text-muted">
      {t('earlier')}
    </div>
  );
}
