import { Plus, Trash2 } from 'lucide-react';
import type { ComponentProps, ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/controls/button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { type ConditionDraft, conditionKinds, conditionProblem } from './rule-draft.ts';

const most = 20;

/** What arguments must be for a rule to be about a call; all of it. */
export function ConditionRows(props: {
  value: ConditionDraft[];
  onChange: (value: ConditionDraft[]) => void;
}): ReactElement {
  const t = useTranslations('policy');
  const { value, onChange } = props;
  return (
    <fieldset>
      <legend className="text-sm font-medium">{t('conditions')}</legend>
      <p className="mb-2 text-xs text-muted">{t('conditionsHint')}</p>
      <ul className="space-y-2">
        {value.map((condition, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- every field is controlled
          <li key={at}>
            <ConditionRow
              n={at + 1}
              value={condition}
              onChange={(next) => onChange(value.with(at, next))}
              onRemove={() => onChange(value.toSpliced(at, 1))}
            />
          </li>
        ))}
      </ul>
      <Button
        className="mt-2"
        disabled={value.length >= most}
        data-testid="add-condition"
        onClick={() => onChange([...value, { pointer: '', kind: 'host', value: '' }])}
      >
        <Plus aria-hidden /> {t('addCondition')}
      </Button>
    </fieldset>
  );
}

function ConditionRow(props: {
  n: number;
  value: ConditionDraft;
  onChange: (value: ConditionDraft) => void;
  onRemove: () => void;
}) {
  const t = useTranslations('policy');
  const { n, value } = props;
  const problem = conditionProblem(value);
  return (
    <div role="group" aria-label={t('conditionN', { n })}>
      <div className="flex flex-wrap gap-2">
        <ConditionFields value={value} onChange={props.onChange} />
        <IconButton label={t('removeCondition', { n })} onClick={props.onRemove}>
          <Trash2 />
        </IconButton>
      </div>
      {problem && <p className="mt-1 text-xs text-danger">{t(`problems.${problem}`)}</p>}
    </div>
  );
}

interface ConditionFieldsProps {
  value: ConditionDraft;
  onChange: (value: ConditionDraft) => void;
}

function ConditionFields({ value, onChange }: ConditionFieldsProps) {
  const t = useTranslations('policy');
  const set = (patch: Partial<ConditionDraft>) => onChange({ ...value, ...patch });
  return (
    <>
      <CodeInput
        aria-label={t('pointer')}
        placeholder="/url"
        className="w-28 flex-1"
        value={value.pointer}
        onWrite={(pointer) => set({ pointer })}
      />
      <Select
        aria-label={t('kind')}
        className="input w-auto"
        value={value.kind}
        options={conditionKinds.map((kind) => [kind, t(`kinds.${kind}`)] as const)}
        onChoose={(kind) => set({ kind })}
      />
      <CodeInput
        aria-label={t('value')}
        className="w-36 flex-2"
        value={value.value}
        onWrite={(text) => set({ value: text })}
      />
    </>
  );
}

type CodeInputProps = ComponentProps<'input'> & { onWrite: (text: string) => void };

function CodeInput({ onWrite, className = '', ...rest }: CodeInputProps) {
  return (
    <input
      {...rest}
      spellCheck={false}
      className={`input font-mono ${className}`}
      onChange={(event) => onWrite(event.target.value)}
    />
  );
}
