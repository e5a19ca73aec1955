import {
  lazy,
  type ReactElement,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';

const FindBar = lazy(async () => {
  const { FindBar } = await import('./find-bar.tsx');
  return { default: FindBar };
});

/**
 * The search in a conversation: Ctrl or Cmd+F opens it; the same again, in its field, gives the
 * browser's own. Closing it gives the focus back.
 */
export function Find(props: {
  topicId: string;
  scroller: RefObject<Element | null>;
}): ReactElement | null {
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const before = useRef<Element | null>(null);
  const close = useCallback(() => {
    setOpen(false);
    if (before.current instanceof HTMLElement) before.current.focus();
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isFind = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f';
      if (!isFind || event.shiftKey || event.altKey || event.defaultPrevented) return;
      if (document.querySelector('[role="dialog"]')) return;
      const { activeElement } = document;
      if (input.current && activeElement === input.current) return;
      event.preventDefault();
      before.current = activeElement;
      setOpen(true);
      input.current?.focus();
      input.current?.select();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  if (!isOpen) return null;
  return (
    <Suspense>
      <FindBar {...props} input={input} onClose={close} />
    </Suspense>
  );
}
