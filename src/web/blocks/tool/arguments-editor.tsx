import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { JsonObject } from '#shared/json.ts';
import type { FormErrors } from '../../form/check-form.ts';
import type { Schema } from '../../form/form-node.ts';
import { ProblemList } from '../../form/problem-list.tsx';
import { SchemaForm } from '../../form/schema-form.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { Field } from '../../ui/field.tsx';
import { type ArgumentsDraft, draftArguments, inMode } from './arguments-draft.ts';

interface EditorProps {
  draft: ArgumentsDraft;
  onChange: (draft: ArgumentsDraft) => void;
  original: JsonObject;
  /** Of the tool, where it could be read; without it there is only JSON. */
  schema: Schema | undefined;
  errors: FormErrors;
  disabled: boolean;
}

/** The arguments of a call, changed by a person before it runs: in a form or as JSON. */
export function ArgumentsEditor(props: EditorProps): ReactElement {
  const t = useTranslations('approval');
  const { draft, onChange, schema, errors, disabled, original } = props;
  const args = draftArguments(draft);
  return (
    <section className="space-y-3">
      {schema && (
        <div className="flex gap-1" role="group" aria-label={t('editAs')}>
          {(['form', 'json'] as const).map((mode) => (
            <button
              key={mode}
              type="button"
              aria-pressed={draft.mode === mode}
              disabled={disabled || args === undefined}
              data-testid={`edit-as-${mode}`}
              onClick={() => onChange(inMode(draft, mode))}
              className="rounded-md px-2.5 py-1.5 text-xs text-muted hover:text-ink aria-pressed:bg-hover aria-pressed:text-ink"
            >
              {t(`as.${mode}`)}
            </button>
          ))}
        </div>
      )}
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
        <JsonEditor {...props} isValid={args !== undefined} />
      )}
      {args !== undefined && (
        <Disclosure summary={t('compare')}>
          {() => (
            <DiffView
              before={JSON.stringify(original, null, 2)}
              after={JSON.stringify(args, null, 2)}
            />
          )}
        </Disclosure>
      )}
    </section>
  );
}

function JsonEditor({
  draft,
  onChange,
  errors,
  disabled,
  isValid,
}: EditorProps & { isValid: boolean }) {
  const t = useTranslations('approval');
  const text = draft.mode === 'json' ? draft.text : '';
  const rows = Math.min(20, Math.max(3, text.split('\n').length));
  return (
    <div>
      <Field label={t('editor')} {...(!isValid && { hint: t('noObject') })}>
        {(ids) => (
          <textarea
            {...ids}
            rows={rows}
            spellCheck={false}
            disabled={disabled}
            aria-invalid={!isValid}
            data-testid="arguments-editor"
            className="input w-full font-mono text-[0.8125rem]"
            value={text}
            onChange={(event) => onChange({ mode: 'json', text: event.target.value })}
          />
        )}
      </Field>
      <ProblemList errors={errors} />
    </div>
  );
}
