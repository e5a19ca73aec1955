import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { useProgress } from '../../state/attention/progress.ts';

interface TopicMarkProps {
  topicId: string;
  running: boolean;
  waits: boolean;
}

/** Says in the list that an answer runs, waits for a decision, or ended unseen. */
export function TopicMark({ topicId, running, waits }: TopicMarkProps): ReactElement | null {
  const t = useTranslations('sidebar');
  const ended = useProgress((state) => topicId in state.ended);
  if (!running && !waits && !ended) return null;
  const label = t(waits ? 'waiting' : running ? 'running' : 'ended');
  const look = waits ? 'bg-warn' : running ? 'animate-pulse bg-accent' : 'bg-ok';
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      data-testid="topic-mark"
      className={`ml-auto size-2 shrink-0 rounded-full ${look}`}
    />
  );
}
