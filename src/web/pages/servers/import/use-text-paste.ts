import { useEffect, useEffectEvent } from 'react';

/** Takes text that is pasted on the page itself, not into a field or a dialog. */
export function useTextPaste(onText: (text: string) => void): void {
  const take = useEffectEvent(onText);
  useEffect(() => {
    const ending = new AbortController();
    addEventListener(
      'paste',
      (event) => {
        const { target } = event;
        if (target instanceof Element && target.closest('input, textarea, select, [role="dialog"]'))
          return;
        const text = event.clipboardData?.getData('text/plain') ?? '';
        if (text.trim() === '') return;
        // Else it is pasted once more, into the field that opens with it.
        event.preventDefault();
        take(text);
      },
      { signal: ending.signal },
    );
    return () => ending.abort();
  }, []);
}
