import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ArgumentsDraft } from '../../../state/inbox/arguments-drafts.ts';
import type { FormErrors } from '../../form/check-form.ts';
import { readExactJson } from '../../form/exact-json.ts';
import { useProblemText } from '../../form/field-frame.tsx';
import type { Schema } from '../../form/form-node.ts';
import { ProblemList } from '../../form/problem-list.tsx';
import { SchemaForm } from '../../form/schema-form.tsx';
import { draftArguments, inMode } from './arguments-draft.ts';
import { AreaField } from '../../../ui/controls/labelled.tsx';

interface ArgumentsFieldsProps {
  draft: ArgumentsDraft;
  onChange: (draft: ArgumentsDraft) => void;
  /** Of the tool, where it could be read; without it there is only JSON. */
  schema: Schema | undefined;
  errors: FormErrors;
  disabled: boolean;
}

/** The arguments of a call, written in a form or as JSON. */
export function ArgumentsFields(props: ArgumentsFieldsProps): ReactElement {
  const { draft, onChange, schema, errors, disabled } = props;
  const isValid = draftArguments(draft) !== undefined;
  return (
    <>
      {schema && <ModeButtons draft={draft} disabled={disabled || !isValid} onChange={onChange} />}
      {draft.mode === 'form' && schema ? (
        <div className="rounded-lg border border-line bg-raised p-3.5">
          <SchemaForm
            schema={schema}
            value={draft.value}
            errors={errors}
            disabled={disabled}
            onChange={(value) => onChange({ mode: 'form', value })}
          />
        </div>
      ) : (
        <JsonEditor {...props} isValid={isValid} />
      )}
    </>
  );
}

type ModeButtonsProps = Pick<ArgumentsFieldsProps, 'draft' | 'disabled' | 'onChange'>;

function ModeButtons({ draft, disabled, onChange }: ModeButtonsProps) {
  const t = useTranslations('approval');
  return (
    <div className="flex gap-1" role="group" aria-label={t('editAs')}>
      {(['form', 'json'] as const).map((mode) => (
        <button
          key={mode}
          type="button"
          aria-pressed={draft.mode === mode}
          disabled={disabled}
          data-testid={`edit-as-${mode}`}
          onClick={() => onChange(inMode(draft, mode))}
          className="rounded-md px-2.5 py-1.5 text-xs text-muted hover:text-ink aria-pressed:bg-hover aria-pressed:text-ink pointer-coarse:min-h-9"
        >
          {t(`as.${mode}`)}
        </button>
      ))}
    </div>
  );
}

function JsonEditor(props: ArgumentsFieldsProps & { isValid: boolean }) {
  const { draft, onChange, errors, disabled, isValid } = props;
  const t = useTranslations('approval');
  const problemText = useProblemText();
  const text = draft.mode === 'json' ? draft.text : '';
  const rows = Math.min(20, Math.max(3, text.split('\n').length));
  const isInexact = readExactJson(text) === 'inexact';
  const hint = isInexact ? problemText({ code: 'exact' }) : t('noObject');
  return (
    <div>
      <AreaField
        label={t('editor')}
        hint={isValid ? undefined : hint}
        rows={rows}
        spellCheck={false}
        disabled={disabled}
        aria-invalid={!isValid}
        data-testid="arguments-editor"
        className="w-full font-mono text-[0.8125rem]"
        value={text}
        onWrite={(next) => onChange({ mode: 'json', text: next })}
      />
      <ProblemList errors={errors} />
    </div>
  );
}
