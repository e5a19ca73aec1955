import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '#shared/vocabulary/message.ts';
import { useConversation } from '../../../state/chat/conversation.ts';
import { readDraft, writeDraft } from '../../../state/chat/drafts.ts';
import { sendMessage } from '../../../state/chat/outbox.ts';
import { quotesOf } from '../../../state/chat/quotes.ts';
import { isPressed } from '../../../state/page/shortcuts.ts';
import { useKeys } from '../../../state/page/use-shortcut.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';

interface EditorProps {
  message: Message;
  text: string;
  onClose: () => void;
}

/** Whether new words for a question wait to be sent or given up; they outlive a change of branch and a reload. */
export function isBeingWorded(messageId: string): boolean {
  return readDraft(draftOf(messageId)).text !== '';
}

/** Words a question anew: it is sent as another branch beside the old one, with the same files. */
export function MessageEditor({ message, text, onClose }: EditorProps): ReactElement {
  const t = useTranslations('message');
  const common = useTranslations('common');
  const [draft, write] = useDraft(draftOf(message.id), text);
  const area = useCaretAtEnd();
  const close = () => {
    writeDraft(draftOf(message.id), { text: '' });
    onClose();
  };
  const send = () => {
    sendAnew(message, draft.trim()).catch(showFailure);
    close();
  };
  const onKeyDown = useEditorKeys(() => draft.trim() && send(), close);
  return (
    <div className="w-full rounded-2xl border border-line-strong bg-raised p-3 focus-within:border-accent-text">
      <textarea
        ref={area}
        aria-label={t('edit')}
        data-testid="edit-message"
        dir="auto"
        value={draft}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
        className="field-sizing-content max-h-80 min-h-12 w-full resize-none bg-transparent px-1 leading-relaxed outline-none"
      />
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={close}>{common('cancel')}</Button>
        <Button variant="primary" disabled={!draft.trim()} onClick={send} data-testid="resend">
          {t('resend')}
        </Button>
      </div>
    </div>
  );
}

function useEditorKeys(send: () => unknown, close: () => void): (event: KeyboardEvent) => void {
  useKeys('editSend', 'editCancel');
  return (event) => {
    if (event.nativeEvent.isComposing) return;
    if (isPressed('editCancel', event)) close();
    if (isPressed('editSend', event)) send();
  };
}

/** As another branch beside the old one. */
function sendAnew(message: Message, text: string): Promise<void> {
  const { topicId, parentId } = message;
  const after = useConversation.getState().conversation?.messages.at(-1)?.id;
  const files = message.blocks.flatMap((block) =>
    'stored' in block && block.stored ? [block.stored.id] : [],
  );
  const words = { topicId, text, parentId, after, quotes: quotesOf(message) };
  return sendMessage({ ...words, ...(files.length > 0 && { files }) });
}

/** The new words, kept as they are written. */
function useDraft(place: string, text: string) {
  const [draft, setDraft] = useState(() => readDraft(place).text || text);
  const write = (words: string) => {
    setDraft(words);
    writeDraft(place, { text: words });
  };
  return [draft, write] as const;
}

/** A box that begins with the focus, and the caret after its last word. */
function useCaretAtEnd() {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { length } = area.current?.value ?? '';
    area.current?.focus();
    area.current?.setSelectionRange(length, length);
  }, []);
  return area;
}

/** Where the new words for a message are kept among the drafts. */
function draftOf(messageId: string): string {
  return `edit-${messageId}`;
}
