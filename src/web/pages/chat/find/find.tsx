import { type ReactElement, type RefObject, useCallback, useEffect, useRef } from 'react';
import { lazyPart, Part } from '../../../features/loading/part.tsx';
import { closeFind, openFind, useFindPlace } from '../../../state/chat/find-place.ts';
import { useShortcut } from '../../../state/page/use-shortcut.ts';

const FindBar = lazyPart(async () => (await import('./find-bar.tsx')).FindBar);

/**
 * The search in a conversation: Ctrl or Cmd+F opens it, and its menu; the same keys again, in its field, give the
 * browser's own. Closing it gives the focus back.
 */
export function Find(props: {
  topicId: string;
  scroller: RefObject<Element | null>;
}): ReactElement | null {
  const { topicId } = props;
  const isOpen = useFindPlace((place) => place.topicId === topicId);
  const input = useRef<HTMLInputElement>(null);
  const before = useRef<Element | null>(null);
  const close = useCallback(() => {
    closeFind(topicId);
    if (before.current instanceof HTMLElement) before.current.focus();
  }, [topicId]);
  useEffect(() => () => closeFind(topicId), [topicId]);
  useShortcut('find', () => {
    const { activeElement } = document;
    if (input.current && activeElement === input.current) return false;
    before.current = activeElement;
    openFind(topicId);
    input.current?.focus();
    input.current?.select();
    return true;
  });
  if (!isOpen) return null;
  return (
    <Part>
      <FindBar {...props} input={input} onClose={close} />
    </Part>
  );
}
