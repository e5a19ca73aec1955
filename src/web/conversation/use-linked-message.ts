import { useEffect } from 'react';
import { useLocationProperty } from 'wouter/use-browser-location';

/** Brings the message that the address names into sight, as a search result does. */
export function useLinkedMessage(): void {
  const id = useLocationProperty(() => location.hash.slice(1));
  useEffect(() => {
    if (id === '') return;
    const frame = requestAnimationFrame(() => {
      const found = document.querySelector(`[data-testid="message"][data-id="${CSS.escape(id)}"]`);
      found?.scrollIntoView({ block: 'start' });
    });
    return () => cancelAnimationFrame(frame);
  }, [id]);
}
