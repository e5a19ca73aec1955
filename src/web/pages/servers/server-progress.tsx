import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import { useDuration } from '../../ui/text/duration.ts';
import { VisibleText } from '../../ui/text/visible-text.tsx';

const secondMs = 1000;

/** How long a server has been installing, and what it does just now. */
export function ServerProgress({ server }: { server: ServerView }): ReactElement {
  const t = useTranslations('servers');
  const duration = useDuration();
  const now = useNow();
  const time = duration(Math.floor(Math.max(0, now - server.since) / secondMs) * secondMs);
  return (
    <p className="border-t border-line px-4 py-2 text-sm" data-testid="installing">
      {t('installingFor', { time })}
      {server.output && (
        <span className="mt-0.5 block truncate font-mono text-xs text-muted">
          <VisibleText text={server.output} />
        </span>
      )}
    </p>
  );
}

/** The time of day, once a second. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), secondMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
