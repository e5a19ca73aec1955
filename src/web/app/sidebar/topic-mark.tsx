import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';

/** Says in the list that an answer runs, or that it waits for a decision. */
export function TopicMark(props: { running: boolean; waits: boolean }): ReactElement | null {
  const t = useTranslations('sidebar');
  if (!props.running && !props.waits) return null;
  const label = props.waits ? t('waiting') : t('running');
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={`ml-auto size-2 shrink-0 rounded-full ${props.waits ? 'bg-warn' : 'animate-pulse bg-accent'}`}
    />
  );
}
