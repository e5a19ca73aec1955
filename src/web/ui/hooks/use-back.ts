import { useEffect } from 'react';

/** Calls this when the reader goes back or forward: what lies over the page goes with the page. */
export function useBack(onBack: () => void): void {
  useEffect(() => {
    addEventListener('popstate', onBack);
    return () => removeEventListener('popstate', onBack);
  }, [onBack]);
}
