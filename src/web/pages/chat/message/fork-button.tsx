import { GitFork } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { useLocation } from 'wouter';
import { forkTopic } from '../../../state/chat/topics.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { useBusy } from '../../../ui/hooks/use-busy.ts';
import { useIsMounted } from '../../../ui/hooks/use-submit.ts';

/** Copies the conversation up to a message into a new one, and goes there unless the reader has left. */
export function ForkButton({ messageId }: { messageId: string }): ReactElement {
  const t = useTranslations('message');
  const [, navigate] = useLocation();
  const [isBusy, act] = useBusy();
  const isMounted = useIsMounted();
  const fork = async () => {
    const { id } = await forkTopic(messageId);
    if (isMounted()) navigate(`/t/${id}`);
  };
  return (
    <IconButton
      label={t('fork')}
      size="small"
      aria-busy={isBusy}
      data-testid="fork"
      onClick={() => {
        if (!isBusy) void act(fork);
      }}
    >
      <GitFork className={isBusy ? 'animate-pulse' : undefined} />
    </IconButton>
  );
}
