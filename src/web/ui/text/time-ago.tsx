import type { ReactElement } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useMinute } from './use-minute.ts';

const minuteMs = 60_000;
const weekMs = 7 * 86_400_000;

/** When something was: "5 min ago" within a week, later its date; the exact time is in the tooltip. */
export function TimeAgo({ at }: { at: number }): ReactElement {
  const t = useTranslations('common');
  const format = useFormatter();
  const now = useMinute();
  const ago = now - at;
  const words = () => {
    // The clock of the host may be ahead of this browser's.
    if (ago < minuteMs) return t('justNow');
    if (ago < weekMs) return format.relativeTime(at, { now, style: 'narrow' });
    return format.dateTime(at, { dateStyle: 'medium' });
  };
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={format.dateTime(at, { dateStyle: 'long', timeStyle: 'medium' })}
    >
      {words()}
    </time>
  );
}
