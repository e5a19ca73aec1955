import { type KeyboardEvent, useRef } from 'react';
import { activePath } from '#shared/vocabulary/message.ts';
import { useConversation } from '../../state/chat/conversation.ts';
import { readDraft, writeDraft } from '../../state/chat/drafts.ts';
import { isPressed } from '../../state/page/shortcuts.ts';
import { useKeys } from '../../state/page/use-shortcut.ts';

/**
 * Walks back through what the reader wrote in this conversation: Up in an empty box, then Up and
 * Down while the words are untouched, Escape to leave. The handler says whether it took the key.
 */
export function useRecall(topicId: string | null): (event: KeyboardEvent) => boolean {
  useKeys('recall', 'recallNext', 'recallLeave');
  const shown = useRef<{ text: string; back: number }>(undefined);
  const show = (back: number) => {
    const text = back < 0 ? '' : (ownTexts()[back] ?? '');
    shown.current = back < 0 ? undefined : { text, back };
    writeDraft(topicId, { text });
  };
  return (event) => {
    const { text } = readDraft(topicId);
    if (shown.current && shown.current.text !== text) shown.current = undefined;
    const back = shown.current?.back ?? -1;
    if (isPressed('recall', event) && (text === '' || back >= 0)) {
      if (back + 1 >= ownTexts().length) return back >= 0;
      show(back + 1);
    } else if (back >= 0 && isPressed('recallNext', event)) {
      show(back - 1);
    } else if (back >= 0 && isPressed('recallLeave', event)) {
      show(-1);
    } else return false;
    event.preventDefault();
    return true;
  };
}

/** The texts of the reader's own messages on the shown branch, newest first, none twice in a row. */
function ownTexts(): string[] {
  const { conversation } = useConversation.getState();
  if (!conversation) return [];
  const texts = activePath(conversation)
    .filter(({ role }) => role === 'user')
    .map(({ blocks }) => blocks.find(({ type }) => type === 'main_text')?.content ?? '')
    .filter((text) => text !== '');
  return texts.filter((text, index) => text !== texts[index + 1]).toReversed();
}
