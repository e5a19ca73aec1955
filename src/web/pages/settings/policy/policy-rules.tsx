import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { PolicyDocument, PolicyRule } from '#shared/vocabulary/policy-api.ts';
import { RuleLine } from '../../../features/policy/rule-line.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { RuleEditor } from './rule-editor.tsx';
import type { PolicyState } from './use-policy.ts';

/** What the parts of the policy page work on. */
export type PolicyPartProps = Pick<PolicyState, 'error' | 'busy' | 'change'> & {
  policy: PolicyDocument;
};

/** The rules that people have written, in their order. */
export function PolicyRules({ policy, error, busy, change }: PolicyPartProps): ReactElement {
  const t = useTranslations('policy');
  const [edited, edit] = useState<PolicyRule>();
  const { rules } = policy;
  const written = rules.flatMap((rule, at) => (rule.source === 'decision' ? [] : [at]));
  const swap = (one: number, other: number | undefined) =>
    void change({ rules: swapped(rules, one, other) });
  return (
    <>
      <ol className="divide-y divide-line rounded-xl border border-line" data-testid="policy-rules">
        {written.length === 0 && <li className="px-3.5 py-3 text-sm text-muted">{t('noRules')}</li>}
        {written.map((at, place) => (
          <RuleRow
            key={rules[at]?.id ?? at}
            rule={rules[at] ?? { action: 'ask' }}
            busy={busy}
            onUp={place === 0 ? undefined : () => swap(at, written[place - 1])}
            onDown={place === written.length - 1 ? undefined : () => swap(at, written[place + 1])}
            onEdit={() => edit(rules[at])}
            onDelete={() => void change({ rules: rules.toSpliced(at, 1) })}
          />
        ))}
      </ol>
      <AddRule disabled={busy} onClick={() => edit({ action: 'ask' })} />
      {edited && (
        <EditRule
          {...{ policy, error, busy, change }}
          rule={edited}
          onClose={() => edit(undefined)}
        />
      )}
    </>
  );
}

function AddRule(props: { disabled: boolean; onClick: () => void }) {
  const t = useTranslations('policy');
  return (
    <Button className="mt-3" data-testid="add-rule" {...props}>
      <Plus aria-hidden /> {t('addRule')}
    </Button>
  );
}

function swapped(rules: PolicyRule[], one: number, other = -1): PolicyRule[] {
  const [first, second] = [rules[one], rules[other]];
  return first && second ? rules.with(one, second).with(other, first) : rules;
}

/** A rule in its editor until it is saved or left; what refuses it is told there. */
function EditRule(props: PolicyPartProps & { rule: PolicyRule; onClose: () => void }) {
  const { policy, error, busy, change, rule, onClose } = props;
  const t = useTranslations('policy');
  const [refused, setRefused] = useState(false);
  // Unlike the page, the editor still shows what was to be saved.
  const hintOf = ({ code }: ErrorInfo) => code === 'conflict' && { hint: t('conflictInRule') };
  const save = async (next: PolicyRule) => {
    const { rules } = policy;
    // By its id: its place may be another by now, or gone.
    const at = rules.findIndex(({ id }) => id !== undefined && id === next.id);
    const all = at === -1 ? [...rules, next] : rules.with(at, next);
    if (await change({ rules: all })) onClose();
    else setRefused(true);
  };
  return (
    <RuleEditor
      rule={rule}
      isNew={rule.id === undefined}
      error={refused && error ? { ...error, ...hintOf(error) } : undefined}
      busy={busy}
      onSave={save}
      onClose={onClose}
    />
  );
}

function RuleRow(props: {
  rule: PolicyRule;
  busy: boolean;
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
  onEdit: () => void;
  onDelete: () => void;
}) {
  const t = useTranslations('policy');
  const common = useTranslations('common');
  const { rule, busy, onUp, onDown } = props;
  return (
    <li
      className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3.5 py-2.5"
      data-testid="policy-rule"
    >
      <RuleLine rule={rule} />
      <span className="ml-auto flex shrink-0">
        <IconButton label={t('up')} disabled={busy || !onUp} onClick={onUp}>
          <ArrowUp />
        </IconButton>
        <IconButton label={t('down')} disabled={busy || !onDown} onClick={onDown}>
          <ArrowDown />
        </IconButton>
        <IconButton label={common('edit')} disabled={busy} onClick={props.onEdit}>
          <Pencil />
        </IconButton>
        <IconButton label={common('delete')} disabled={busy} onClick={props.onDelete}>
          <Trash2 />
        </IconButton>
      </span>
    </li>
  );
}
