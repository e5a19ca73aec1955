import { type ReactElement, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { PolicyRule } from '#shared/vocabulary/policy-api.ts';
import { ActionMark } from '../../../features/policy/rule-line.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Field } from '../../../ui/controls/field.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { ConditionRows } from './condition-rows.tsx';
import { conditionProblem, fromDraft, tidyRule, toDraft } from './rule-draft.ts';
import { ServerPicker, ToolPicker } from './tool-picker.tsx';
import { Form } from '../../../ui/controls/form.tsx';

const hints = ['readOnly', 'destructive', 'idempotent', 'openWorld'] as const;

interface RuleEditorProps {
  rule: PolicyRule;
  isNew: boolean;
  /** Why it could not be saved. */
  error: ErrorInfo | undefined;
  busy: boolean;
  onSave: (rule: PolicyRule) => Promise<void>;
  onClose: () => void;
}

/** One rule: what to do, and with which calls. */
export function RuleEditor(props: RuleEditorProps): ReactElement {
  const { rule: given, isNew, error, busy, ...on } = props;
  const t = useTranslations('policy');
  const common = useTranslations('common');
  const [rule, setRule] = useState(given);
  const [conditions, setConditions] = useState((given.arguments ?? []).map(toDraft));
  const set = (patch: Partial<PolicyRule>) => setRule({ ...rule, ...patch });
  const wrong = conditions.some((condition) => conditionProblem(condition) !== undefined);
  const save = () => on.onSave(tidyRule({ ...rule, arguments: conditions.map(fromDraft) }));
  return (
    <Modal open onClose={on.onClose} title={isNew ? t('addRule') : t('editRule')}>
      <Form className="space-y-4" onSend={() => !wrong && save()}>
        <ActionChoice value={rule.action} onChange={(action) => set({ action })} />
        <ServerPicker
          any={t('anyServer')}
          value={rule.serverId ?? ''}
          onChange={(serverId) => set({ serverId })}
        />
        <ToolPicker
          serverId={rule.serverId ?? ''}
          value={rule.toolName ?? ''}
          hint={t('toolHint')}
          onChange={(toolName) => set({ toolName })}
        />
        <div className="grid gap-3 sm:grid-cols-2">
          {hints.map((hint) => (
            <YesNo
              key={hint}
              label={t(hint)}
              value={rule.annotations?.[hint]}
              onChange={(wanted) => set({ annotations: { ...rule.annotations, [hint]: wanted } })}
            />
          ))}
          <YesNo
            label={t('trusted')}
            value={rule.trusted}
            onChange={(trusted) => setRule(withTrusted(rule, trusted))}
          />
        </div>
        <ConditionRows value={conditions} onChange={setConditions} />
        <Field label={t('note')} hint={t('noteHint')}>
          {(ids) => (
            <input
              {...ids}
              className="input"
              maxLength={300}
              value={rule.note ?? ''}
              onChange={(event) => set({ note: event.target.value })}
            />
          )}
        </Field>
        {error && <ErrorNote error={error} />}
        <div className="dialog-actions">
          <Button onClick={on.onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" disabled={busy || wrong} data-testid="save-rule">
            {common('save')}
          </Button>
        </div>
      </Form>
    </Modal>
  );
}

function withTrusted(
  { trusted: _, ...rule }: PolicyRule,
  trusted: boolean | undefined,
): PolicyRule {
  return { ...rule, ...(trusted !== undefined && { trusted }) };
}

function ActionChoice(props: {
  value: PolicyRule['action'];
  onChange: (action: PolicyRule['action']) => void;
}) {
  const t = useTranslations('policy');
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{t('action')}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {(['allow', 'ask', 'deny'] as const).map((action) => (
          <label key={action} className="flex min-h-9 items-center gap-2">
            <input
              type="radio"
              name={name}
              value={action}
              checked={props.value === action}
              className="size-4 accent-accent"
              onChange={() => props.onChange(action)}
            />
            <ActionMark action={action} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function YesNo(props: {
  label: string;
  value: boolean | undefined;
  onChange: (value: boolean | undefined) => void;
}) {
  const t = useTranslations('policy');
  const form = useTranslations('form');
  return (
    <Field label={props.label}>
      {(ids) => (
        <select
          {...ids}
          className="input"
          value={props.value === undefined ? '' : String(props.value)}
          onChange={({ target }) =>
            props.onChange(target.value === '' ? undefined : target.value === 'true')
          }
        >
          <option value="">{t('either')}</option>
          <option value="true">{form('yes')}</option>
          <option value="false">{form('no')}</option>
        </select>
      )}
    </Field>
  );
}
