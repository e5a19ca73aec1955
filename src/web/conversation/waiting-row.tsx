import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { Waiting } from '#shared/message.ts';
import { Elapsed } from '../ui/elapsed.tsx';

interface WaitingRowProps {
  waiting: Waiting;
  /** It waits for the answer before it. */
  queued: boolean;
}

/** What a running answer waits for, and since when: shown at once and between rounds. */
export function WaitingRow({ waiting, queued }: WaitingRowProps): ReactElement {
  const t = useTranslations('waiting');
  const message = useTranslations('message');
  if (queued) {
    return (
      <p data-testid="waiting" data-for="turn" className="text-sm text-muted">
        {message('queued')}
      </p>
    );
  }
  const person = waiting.for === 'approval' || waiting.for === 'input';
  return (
    <p
      data-testid="waiting"
      data-for={waiting.for}
      className={`flex items-center gap-2.5 text-sm ${person ? 'text-warn' : 'text-muted'}`}
    >
      <span aria-hidden className="waiting-dots flex gap-1">
        <span className="size-1.5 rounded-full bg-accent" />
        <span className="size-1.5 rounded-full bg-accent" />
        <span className="size-1.5 rounded-full bg-accent" />
      </span>
      {t(waiting.for)}
      <Elapsed since={waiting.since} />
    </p>
  );
}
