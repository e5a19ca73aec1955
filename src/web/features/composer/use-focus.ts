import { type RefObject, useEffect, useRef } from 'react';

/** The box, with the caret after what is written there whenever a conversation is opened. */
export function useFocus(topicId: string | null): RefObject<HTMLTextAreaElement | null> {
  const area = useRef<HTMLTextAreaElement>(null);
  const shownFor = useRef<string | null>(undefined);
  useEffect(() => {
    if (shownFor.current === topicId) return;
    shownFor.current = topicId;
    // A keyboard on the screen of a phone would hide the conversation.
    if (matchMedia('(pointer: fine)').matches) area.current?.focus();
    const { length } = area.current?.value ?? '';
    area.current?.setSelectionRange(length, length);
  }, [topicId]);
  return area;
}
