import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLine } from '../state/page/line.ts';
import { useOutdated } from '../state/page/parts.ts';

/** A line that comes back sooner is not worth a word. */
const quietMs = 1000;

/**
 * Says on every page that what is shown may be behind, or that the page itself is. Its place is always
 * there, so that it is read out.
 */
export function OfflineBar(): ReactElement {
  const t = useTranslations('common');
  const live = useLine((state) => state.live);
  const outdated = useOutdated((state) => state.outdated);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(!live), live ? 0 : quietMs);
    return () => clearTimeout(timer);
  }, [live]);
  return (
    <div role="status" data-testid="offline">
      {outdated && (
        <p className="border-b border-line bg-warn-soft px-4 py-1.5 text-center text-sm text-warn">
          {t('outdated')}{' '}
          <button
            type="button"
            onClick={() => location.reload()}
            className="underline underline-offset-2 pointer-coarse:min-h-11"
          >
            {t('reload')}
          </button>
        </p>
      )}
      {shown && (
        <p className="border-b border-line bg-warn-soft px-4 py-1.5 text-center text-sm text-warn">
          {t('offline')}
        </p>
      )}
    </div>
  );
}
