import { GitFork } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { Topic } from '#shared/vocabulary/message.ts';
import { useTopics } from '../../state/chat/topics.ts';

/** Where a conversation was copied from, as a link to the message at which it parted. */
export function ForkedFrom({ from }: { from: NonNullable<Topic['forkedFrom']> }): ReactElement {
  const t = useTranslations('message');
  const title = useTopics(({ topics }) => topics.find(({ id }) => id === from.topicId)?.title);
  return (
    <p className="flex items-center gap-1.5 text-xs text-muted" data-testid="forked-from">
      <GitFork aria-hidden className="size-3.5 shrink-0" />
      <span className="shrink-0">{t('forkedFrom')}</span>
      <Link
        href={`/t/${from.topicId}#${from.messageId}`}
        className="min-w-0 truncate rounded-sm underline underline-offset-2 hover:text-ink"
      >
        {title || t('forkedElsewhere')}
      </Link>
    </p>
  );
}
