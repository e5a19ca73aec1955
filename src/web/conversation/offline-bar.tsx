import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLine } from '../state/line.ts';

/** A line that comes back sooner is not worth a word. */
const unsaid = 1000;

/** Says that what is shown may be behind, on every page. Its place is always there, so that it is read out. */
export function OfflineBar(): ReactElement {
  const t = useTranslations('common');
  const live = useLine((state) => state.live);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(!live), live ? 0 : unsaid);
    return () => clearTimeout(timer);
  }, [live]);
  return (
    <div role="status" data-testid="offline">
      {shown && (
        <p className="border-b border-line bg-warn-soft px-4 py-1.5 text-center text-sm text-warn">
          {t('offline')}
        </p>
      )}
    </div>
  );
}
