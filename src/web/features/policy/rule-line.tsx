import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { PolicyRule } from '#shared/vocabulary/policy-api.ts';
import { VisibleText } from '../../ui/text/visible-text.tsx';
import { useRuleWords } from './use-rule-words.ts';

const looks = {
  allow: 'bg-ok/10 text-ok',
  ask: 'bg-warn-soft text-warn',
  deny: 'bg-danger-soft text-danger',
};

/** What a rule does, as a word with its colour. */
export function ActionMark({ action }: { action: PolicyRule['action'] }): ReactElement {
  const t = useTranslations('policy');
  return (
    <span className={`shrink-0 rounded-md px-2 py-0.5 text-xs font-semibold ${looks[action]}`}>
      {t(`actions.${action}`)}
    </span>
  );
}

/** A rule in words: what it does, its note, and the calls it is about. */
export function RuleLine({ rule }: { rule: PolicyRule }): ReactElement {
  const t = useTranslations('policy');
  const words = useRuleWords()(rule);
  return (
    <div className="flex min-w-0 flex-1 basis-56 items-baseline gap-2.5 text-sm">
      <ActionMark action={rule.action} />
      <div className="min-w-0 break-words">
        {rule.note && (
          <p className="font-medium">
            <VisibleText text={rule.note} />
          </p>
        )}
        <p className={rule.note ? 'text-muted' : ''}>
          {words.length === 0 ? t('everyCall') : <VisibleText text={words.join(' · ')} />}
        </p>
      </div>
    </div>
  );
}
