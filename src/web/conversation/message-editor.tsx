import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '#shared/message.ts';
import { useConversation } from '../state/conversation.ts';
import { showFailure } from '../state/notices.ts';
import { sendMessage } from '../state/outbox.ts';
import { Button } from '../ui/button.tsx';

interface EditorProps {
  message: Message;
  text: string;
  onClose: () => void;
}

/** Words a question anew: it is sent as another branch beside the old one. */
export function MessageEditor({ message, text, onClose }: EditorProps): ReactElement {
  const t = useTranslations('message');
  const common = useTranslations('common');
  const [draft, setDraft] = useState(text);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(text.length, text.length);
  }, [text]);
  const send = () => {
    const { topicId, parentId } = message;
    const after = useConversation.getState().conversation?.messages.at(-1)?.id;
    sendMessage({ topicId, text: draft.trim(), parentId, after }).catch(showFailure);
    onClose();
  };
  return (
    <div className="rounded-2xl border border-line-strong bg-raised p-3 focus-within:border-accent-text">
      <textarea
        ref={area}
        aria-label={t('edit')}
        data-testid="edit-message"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Escape') onClose();
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && draft.trim()) send();
        }}
        className="field-sizing-content max-h-80 min-h-12 w-full resize-none bg-transparent px-1 leading-relaxed outline-none"
      />
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button variant="primary" disabled={!draft.trim()} onClick={send} data-testid="resend">
          {t('resend')}
        </Button>
      </div>
    </div>
  );
}
