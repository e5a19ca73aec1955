import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '#shared/message.ts';
import { useConversation } from '../state/conversation.ts';
import { showFailure } from '../state/notices.ts';
import { changeTopic } from '../state/topics.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { newestLeaf, versionsOf } from './branches.ts';

const none: Message[] = [];

/** Goes through the versions of a message; nothing where there is only one. */
export function BranchSwitcher({ message }: { message: Message }): ReactElement | null {
  const t = useTranslations('message');
  const messages = useConversation((state) => state.conversation?.messages ?? none);
  const versions = versionsOf(message, messages);
  if (versions.length < 2) return null;
  const index = versions.findIndex(({ id }) => id === message.id);
  const show = (version: Message | undefined) => {
    if (!version) return;
    const activeLeafId = newestLeaf(version, messages);
    changeTopic(message.topicId, { activeLeafId }).catch(showFailure);
  };
  return (
    <span className="flex items-center">
      <IconButton
        label={t('previous')}
        size="small"
        disabled={index === 0}
        onClick={() => show(versions[index - 1])}
      >
        <ChevronLeft />
      </IconButton>
      <span
        className="tabular-nums"
        role="img"
        aria-label={t('version', { index: index + 1, count: versions.length })}
        data-testid="version"
      >
        {index + 1}/{versions.length}
      </span>
      <IconButton
        label={t('next')}
        size="small"
        disabled={index === versions.length - 1}
        onClick={() => show(versions[index + 1])}
      >
        <ChevronRight />
      </IconButton>
    </span>
  );
}
