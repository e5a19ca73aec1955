import { useTranslations } from 'use-intl';

/** Gives a time span as a person says it: 340 ms, 2.4 s, 3 min 5 s. */
export function useDuration(): (milliseconds: number) => string {
  const t = useTranslations('common');
  return (milliseconds) => {
    const time = Math.max(0, milliseconds);
    if (time < 1000) return t('milliseconds', { value: Math.round(time) });
    if (time < 60_000) return t('seconds', { value: Math.round(time / 100) / 10 });
    const seconds = Math.round(time / 1000);
    return t('minutes', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
  };
}
