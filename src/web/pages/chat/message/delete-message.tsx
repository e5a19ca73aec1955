import { Trash2 } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '#shared/vocabulary/message.ts';
import { useConversation } from '../../../state/chat/conversation.ts';
import { api } from '../../../state/session/api.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { ConfirmDelete } from '../../../ui/dialog/confirm.tsx';
import { countBelow } from './branches.ts';

/** Deletes a message with all that hangs below it, once the reader has seen how much that is. */
export function DeleteMessage({ message }: { message: Message }): ReactElement {
  const t = useTranslations('message');
  const [asking, setAsking] = useState(false);
  const count = () => {
    const messages = useConversation.getState().conversation?.messages ?? [];
    return 1 + countBelow(message, messages);
  };
  return (
    <>
      <IconButton
        label={t('delete')}
        size="small"
        data-testid="delete-message"
        onClick={() => setAsking(true)}
      >
        <Trash2 />
      </IconButton>
      {asking && (
        <ConfirmDelete
          open
          onClose={() => setAsking(false)}
          title={t('deleteTitle')}
          text={t('deleteText', { count: count(), more: count() - 1 })}
          action={() => api.messages.remove(message.id)}
        />
      )}
    </>
  );
}
