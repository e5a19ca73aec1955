import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { RuleLine } from '../../../features/policy/rule-line.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import type { PolicyPartProps } from './policy-rules.tsx';

const page = 50;

/** What was decided for more than once, newest first, each with the way to forget it. */
export function RememberedDecisions({ policy, busy, change }: PolicyPartProps): ReactElement {
  const t = useTranslations('policy');
  const [shown, setShown] = useState(page);
  const { rules } = policy;
  const remembered = rules
    .flatMap((rule, at) => (rule.source === 'decision' ? [{ rule, at }] : []))
    .toReversed();
  return (
    <>
      <ul className="divide-y divide-line rounded-xl border border-line" data-testid="remembered">
        {remembered.length === 0 && (
          <li className="px-3.5 py-3 text-sm text-muted">{t('noRemembered')}</li>
        )}
        {remembered.slice(0, shown).map(({ rule, at }) => (
          <li key={rule.id ?? at} className="flex items-center gap-2 px-3.5 py-2 [&>div]:basis-0">
            <RuleLine rule={rule} />
            <Button
              disabled={busy}
              data-testid="forget"
              onClick={() => void change({ rules: rules.toSpliced(at, 1) })}
            >
              {t('forget')}
            </Button>
          </li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
        {remembered.length > shown && (
          <Button onClick={() => setShown(shown + page)}>{t('more')}</Button>
        )}
        {remembered.length > 1 && (
          <Button
            variant="danger"
            disabled={busy}
            onClick={() =>
              void change({ rules: rules.filter(({ source }) => source !== 'decision') })
            }
          >
            {t('forgetAll', { count: remembered.length })}
          </Button>
        )}
      </div>
    </>
  );
}
