import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ToolView } from '#shared/api/api.ts';
import type { PolicyDocument } from '#shared/vocabulary/policy-api.ts';
import { ActionMark } from '../../../features/policy/rule-line.tsx';
import { useRuleWords } from '../../../features/policy/use-rule-words.ts';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { isFor } from './tool-rule.ts';

interface ToolVerdictProps {
  serverId: string;
  name: string;
  verdict: NonNullable<ToolView['verdict']>;
  policy: PolicyDocument;
}

/** What becomes of the calls of a tool, and by which rule or for which reason. */
export function ToolVerdict({ serverId, name, verdict, policy }: ToolVerdictProps): ReactElement {
  const t = useTranslations('servers');
  const reasons = useTranslations('approval');
  const policies = useTranslations('policy');
  const wordsOf = useRuleWords();
  const why = (): string => {
    const rule = policy.rules.find(({ id }) => id !== undefined && id === verdict.ruleId);
    if (!rule) return verdict.reason ? reasons(`reasons.${verdict.reason}`) : verdict.rule;
    if (isFor(rule, serverId, name)) return t('verdictOwn');
    const words = rule.note ?? (wordsOf(rule).join(' · ') || policies('everyCall'));
    return t('verdictRule', { rule: words });
  };
  return (
    <p data-testid="tool-verdict" className="mt-1.5 text-xs text-muted">
      {t('verdict')} <ActionMark action={verdict.action} /> <VisibleText text={why()} />
      {verdict.varies && ` ${t('verdictVaries')}`}
    </p>
  );
}
