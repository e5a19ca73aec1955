import { useRef } from 'react';

/**
 * For what is asked again and again: call it with each question, and what it gives before its answer is
 * shown. An answer that is no longer to the newest question says so.
 */
export function useNewest(): () => () => boolean {
  const newest = useRef(0);
  return () => {
    newest.current += 1;
    const own = newest.current;
    return () => own === newest.current;
  };
}
