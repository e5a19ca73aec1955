import { type RefObject, useEffect } from 'react';
import { useLocationProperty } from 'wouter/use-browser-location';
import { loadBackTo } from '../../../state/chat/conversation.ts';
import { showFailure } from '../../../ui/notices/notices.ts';
import { reveal } from './reveal.ts';

/** Brings the message that the address names into sight, as a search result does; older pages are read for it. */
export function useLinkedMessage(scroller: RefObject<Element | null>): void {
  const id = useLocationProperty(() => location.hash.slice(1));
  useEffect(() => {
    if (id === '') return;
    const left = new AbortController();
    const go = async () => {
      const isThere = await loadBackTo(id);
      if (isThere && scroller.current)
        await reveal(scroller.current, { messageId: id }, left.signal);
    };
    go().catch(showFailure);
    return () => left.abort();
  }, [id, scroller]);
}
