import { type ReactElement, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { PolicyRule } from '#shared/vocabulary/policy-api.ts';
import { ActionMark } from '../../../features/policy/rule-line.tsx';
import { DialogActions } from '../../../ui/dialog/form-modal.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { ConditionRows } from './condition-rows.tsx';
import { conditionProblem, fromDraft, tidyRule, toDraft } from './rule-draft.ts';
import { ServerPicker, ToolPicker } from './tool-picker.tsx';
import { Form } from '../../../ui/controls/form.tsx';
import { InputField, SelectField } from '../../../ui/controls/labelled.tsx';

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
  const [rule, setRule] = useState(given);
  const [conditions, setConditions] = useState((given.arguments ?? []).map(toDraft));
  const set = (patch: Partial<PolicyRule>) => setRule({ ...rule, ...patch });
  const wrong = conditions.some((condition) => conditionProblem(condition) !== undefined);
  const save = () => on.onSave(tidyRule({ ...rule, arguments: conditions.map(fromDraft) }));
  return (
    <Modal open onClose={on.onClose} title={isNew ? t('addRule') : t('editRule')}>
      <Form className="space-y-4" onSend={() => !wrong && save()}>
        <ActionChoice value={rule.action} onChange={(action) => set({ action })} />
        <RuleTool rule={rule} onChange={setRule} />
        <ToolTraits rule={rule} onChange={setRule} />
        <ConditionRows value={conditions} onChange={setConditions} />
        <InputField
          label={t('note')}
          hint={t('noteHint')}
          maxLength={300}
          value={rule.note ?? ''}
          onWrite={(text) => set({ note: text })}
        />
        {error && <ErrorNote error={error} />}
        <DialogActions onClose={on.onClose} canSave={!busy && !wrong} saveTestId="save-rule" />
      </Form>
    </Modal>
  );
}

interface RulePartProps {
  rule: PolicyRule;
  onChange: (rule: PolicyRule) => void;
}

/** The server and the tool that the rule is about; any, where none is named. */
function RuleTool({ rule, onChange }: RulePartProps) {
  const t = useTranslations('policy');
  return (
    <>
      <ServerPicker
        any={t('anyServer')}
        value={rule.serverId ?? ''}
        onChange={(serverId) => onChange({ ...rule, serverId })}
      />
      <ToolPicker
        serverId={rule.serverId ?? ''}
        value={rule.toolName ?? ''}
        hint={t('toolHint')}
        onChange={(toolName) => onChange({ ...rule, toolName })}
      />
    </>
  );
}

/** What a tool must say of itself, or be trusted to say, for the rule to be about its calls. */
function ToolTraits({ rule, onChange }: RulePartProps) {
  const t = useTranslations('policy');
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {hints.map((hint) => (
        <YesNo
          key={hint}
          label={t(hint)}
          value={rule.annotations?.[hint]}
          onChange={(wanted) =>
            onChange({ ...rule, annotations: { ...rule.annotations, [hint]: wanted } })
          }
        />
      ))}
      <YesNo
        label={t('trusted')}
        value={rule.trusted}
        onChange={(trusted) => onChange(withTrusted(rule, trusted))}
      />
    </div>
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
    <SelectField
      label={props.label}
      value={props.value === undefined ? '' : String(props.value)}
      options={[
        ['', t('either')],
        ['true', form('yes')],
        ['false', form('no')],
      ]}
      onChoose={(value) => props.onChange(value === '' ? undefined : value === 'true')}
    />
  );
}
