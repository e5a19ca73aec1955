import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLine } from '../state/line.ts';

/** Says that what is shown may be behind; not for a line that comes back at once. */
export function OfflineBar(): ReactElement | null {
  const t = useTranslations('common');
  const live = useLine((state) => state.live);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(!live), live ? 0 : 1500);
    return () => clearTimeout(timer);
  }, [live]);
  if (!shown) return null;
  return (
    <p role="status" className="bg-warn-soft px-4 py-1.5 text-center text-sm text-warn">
      {t('offline')}
    </p>
  );
}
