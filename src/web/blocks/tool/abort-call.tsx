import { X } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { messagesApi } from '../../api/messages-api.ts';
import { showFailure } from '../../state/notices.ts';
import { IconButton } from '../../ui/icon-button.tsx';

/** Cancels one running call; the answer goes on without it. */
export function AbortCall({ toolCallId }: { toolCallId: string }): ReactElement {
  const t = useTranslations('tool');
  const abort = () => {
    messagesApi.abortCall(toolCallId).catch(showFailure);
  };
  return (
    <IconButton label={t('abort')} size="small" onClick={abort}>
      <X />
    </IconButton>
  );
}
