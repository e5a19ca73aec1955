import { type ReactElement, useId } from 'react';
import { useTranslations } from 'use-intl';
import type { ToolView } from '#shared/api/api.ts';
import { useIsAdmin } from '../../../state/session/session.ts';
import { ToolVerdict } from './tool-verdict.tsx';
import { ruleOf, type ToolRule, withRepeat, withRule } from './tool-rule.ts';
import type { QuickPolicy } from './use-quick-policy.ts';
import { Select } from '../../../ui/controls/select.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';

interface ToolPolicyProps {
  serverId: string;
  tool: ToolView;
  state: QuickPolicy;
}

/** Whether a tool runs, asks or is refused, and whether its calls may be repeated. */
export function ToolPolicy({ serverId, tool, state }: ToolPolicyProps): ReactElement | null {
  const t = useTranslations('policy');
  const { policy, busy, change } = state;
  const isAdmin = useIsAdmin();
  if (!policy) return null;
  const { name } = tool;
  const isMarked = policy.safeToRepeat.some(
    (one) => one.serverId === serverId && one.toolName === name,
  );
  const setRule = (rule: ToolRule) => change((now) => withRule(now, serverId, [name], rule));
  const setRepeat = (on: boolean) => change((now) => withRepeat(now, serverId, name, on));
  const isProposed = tool.safeToRepeat === 'proposed';
  return (
    <>
      {tool.verdict && (
        <ToolVerdict serverId={serverId} name={name} verdict={tool.verdict} policy={policy} />
      )}
      <div className="my-1.5 flex flex-wrap items-center gap-x-4 gap-y-1.5 text-xs">
        <RuleChoice
          value={ruleOf(policy, serverId, name)}
          disabled={busy}
          onChoose={(rule) => void setRule(rule)}
        />
        <label className="flex items-center gap-1.5 pointer-coarse:min-h-11">
          <Checkbox
            checked={isAdmin ? isMarked || isProposed : tool.safeToRepeat !== undefined}
            disabled={busy || isProposed || !isAdmin}
            data-testid="safe-to-repeat"
            onCheck={(on) => void setRepeat(on)}
          />
          {t('repeat')}
        </label>
      </div>
    </>
  );
}

interface RuleChoiceProps {
  value: ToolRule;
  disabled: boolean;
  onChoose: (rule: ToolRule) => void;
}

function RuleChoice(props: RuleChoiceProps) {
  const t = useTranslations('servers');
  const actions = useTranslations('policy');
  const id = useId();
  const rules = (['allow', 'ask', 'deny'] as const).map(
    (action) => [action, actions(`actions.${action}`)] as const,
  );
  return (
    <span className="flex items-center gap-1.5">
      <label htmlFor={id} className="text-muted">
        {t('rule')}
      </label>
      <Select<ToolRule>
        id={id}
        data-testid="tool-rule"
        {...props}
        options={[['default', t('ruleDefault')], ...rules]}
        className="rounded-md border border-line-strong bg-raised px-1.5 py-1 pointer-coarse:min-h-11"
      />
    </span>
  );
}
