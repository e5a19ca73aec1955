import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/controls/button.tsx';
import { CheckField } from '../../../ui/controls/checkbox.tsx';
import { type ToolRule, withRule } from './tool-rule.ts';
import type { QuickPolicy } from './use-quick-policy.ts';

interface SelectToolsProps {
  serverId: string;
  /** The tools that are shown. */
  names: readonly string[];
  policy: QuickPolicy;
  /** Undefined while nothing is being selected. */
  picked: ReadonlySet<string> | undefined;
  onPick: (picked: ReadonlySet<string> | undefined) => void;
}

const actions = ['allow', 'ask', 'deny', 'default'] as const;

/** Selects several tools and gives them one rule, in one change of the policy. */
export function SelectTools(props: SelectToolsProps): ReactElement {
  const { picked, onPick } = props;
  const t = useTranslations('servers');
  // One button in both states: it keeps the focus.
  return (
    <div
      role={picked && 'group'}
      aria-label={picked && t('setSelected')}
      className={`mb-2 flex flex-wrap items-center gap-2 text-sm ${picked ? 'sticky top-0 z-10 rounded-lg border border-line bg-sunken px-3 py-2 shadow-float' : ''}`}
    >
      {picked && <Choices {...props} picked={picked} />}
      <Button
        key="toggle"
        data-testid="select-tools"
        onClick={() => onPick(picked ? undefined : new Set())}
      >
        {t(picked ? 'selectDone' : 'selectTools')}
      </Button>
    </div>
  );
}

function Choices(props: SelectToolsProps & { picked: ReadonlySet<string> }) {
  const { serverId, names, policy, picked, onPick } = props;
  const t = useTranslations('servers');
  const words = useTranslations('policy');
  const setRule = (rule: ToolRule) =>
    void policy.change((now) => withRule(now, serverId, [...picked], rule));
  const isDisabled = picked.size === 0 || policy.busy;
  const isAll = names.length > 0 && names.every((name) => picked.has(name));
  return (
    <>
      <CheckField
        label={t('selectAll')}
        checked={isAll}
        onCheck={(on) => onPick(new Set(on ? names : []))}
        data-testid="pick-all"
        className="min-h-9 pointer-coarse:min-h-11"
      />
      <span role="status" className="mr-auto text-muted tabular-nums">
        {t('selected', { count: picked.size })}
      </span>
      {actions.map((action) => (
        <Button
          key={action}
          disabled={isDisabled}
          data-testid={`set-${action}`}
          onClick={() => setRule(action)}
        >
          {action === 'default' ? t('ruleDefault') : words(`actions.${action}`)}
        </Button>
      ))}
    </>
  );
}
