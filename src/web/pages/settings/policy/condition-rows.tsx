import { Plus, Trash2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/controls/button.tsx';
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
  const { n, value, onChange } = props;
  const problem = conditionProblem(value);
  return (
    <div role="group" aria-label={t('conditionN', { n })}>
      <div className="flex flex-wrap gap-2">
        <input
          aria-label={t('pointer')}
          placeholder="/url"
          spellCheck={false}
          className="input w-28 flex-1 font-mono"
          value={value.pointer}
          onChange={(event) => onChange({ ...value, pointer: event.target.value })}
        />
        <select
          aria-label={t('kind')}
          className="input w-auto"
          value={value.kind}
          onChange={({ target }) =>
            onChange({ ...value, kind: target.value as ConditionDraft['kind'] })
          }
        >
          {conditionKinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(`kinds.${kind}`)}
            </option>
          ))}
        </select>
        <input
          aria-label={t('value')}
          spellCheck={false}
          className="input w-36 flex-2 font-mono"
          value={value.value}
          onChange={(event) => onChange({ ...value, value: event.target.value })}
        />
        <IconButton label={t('removeCondition', { n })} onClick={props.onRemove}>
          <Trash2 />
        </IconButton>
      </div>
      {problem && <p className="mt-1 text-xs text-danger">{t(`problems.${problem}`)}</p>}
    </div>
  );
}
