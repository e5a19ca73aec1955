import { useSyncExternalStore } from 'react';

/** Whether the page is dark now, by its theme or the system's. */
export function useDark(): boolean {
  return useSyncExternalStore(
    watch,
    () => getComputedStyle(document.documentElement).colorScheme === 'dark',
    () => false,
  );
}

function watch(changed: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const theme = new MutationObserver(changed);
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  system.addEventListener('change', changed);
  return () => {
    theme.disconnect();
    system.removeEventListener('change', changed);
  };
}
