import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { PolicyRule } from '#shared/vocabulary/policy-api.ts';
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
  const written = rules.filter(({ source }) => source !== 'decision');
  const keep = (kept: PolicyRule[]) => void change({ rules: kept });
  return (
    <>
      <ul className="divide-y divide-line rounded-xl border border-line" data-testid="remembered">
        {remembered.length === 0 && (
          <li className="px-3.5 py-3 text-sm text-muted">{t('noRemembered')}</li>
        )}
        {remembered.slice(0, shown).map(({ rule, at }) => (
          <Decision
            key={rule.id ?? at}
            rule={rule}
            busy={busy}
            onForget={() => keep(rules.toSpliced(at, 1))}
          />
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
        {remembered.length > shown && (
          <Button onClick={() => setShown(shown + page)}>{t('more')}</Button>
        )}
        {remembered.length > 1 && (
          <Button variant="danger" disabled={busy} onClick={() => keep(written)}>
            {t('forgetAll', { count: remembered.length })}
          </Button>
        )}
      </div>
    </>
  );
}

function Decision(props: { rule: PolicyRule; busy: boolean; onForget: () => void }) {
  const t = useTranslations('policy');
  return (
    <li className="flex items-center gap-2 px-3.5 py-2 [&>div]:basis-0">
      <RuleLine rule={props.rule} />
      <Button disabled={props.busy} data-testid="forget" onClick={props.onForget}>
        {t('forget')}
      </Button>
    </li>
  );
}
