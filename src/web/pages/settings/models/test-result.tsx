import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ProviderTest } from '#client/api/settings.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { useDuration } from '../../../ui/text/duration.ts';

/** What came out of the test of a provider. */
export function TestResult({ test }: { test: ProviderTest }): ReactElement {
  const t = useTranslations('settings');
  const duration = useDuration();
  if (test.error) return <ErrorNote error={test.error} />;
  return (
    <p role="status" className="text-sm text-ok">
      {t(test.model ? 'testAnswered' : 'testListed', {
        model: test.model ?? '',
        count: test.models ?? 0,
        time: duration(test.ms),
      })}
    </p>
  );
}
