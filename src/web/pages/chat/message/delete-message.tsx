import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '#shared/vocabulary/message.ts';
import { useConversation } from '../../../state/chat/conversation.ts';
import { api } from '../../../state/session/api.ts';
import { ConfirmDelete } from '../../../ui/dialog/confirm.tsx';
import { countBelow } from './branches.ts';

interface DeleteMessageProps {
  message: Message;
  onClose: () => void;
}

/** Deletes a message with all that hangs below it, once the reader has seen how much that is. */
export function DeleteMessage({ message, onClose }: DeleteMessageProps): ReactElement {
  const t = useTranslations('message');
  const more = useConversation(({ conversation }) =>
    countBelow(message, conversation?.messages ?? []),
  );
  return (
    <ConfirmDelete
      open
      onClose={onClose}
      title={t('deleteTitle')}
      text={t('deleteText', { count: 1 + more, more })}
      action={() => api.messages.remove(message.id)}
    />
  );
}
