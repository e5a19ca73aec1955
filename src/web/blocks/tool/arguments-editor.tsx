import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Field } from '../../ui/field.tsx';

/** The arguments of a call as JSON that a person may change before it runs. */
export function ArgumentsEditor(props: {
  text: string;
  isValid: boolean;
  onChange: (text: string) => void;
}): ReactElement {
  const t = useTranslations('approval');
  const rows = Math.min(20, Math.max(3, props.text.split('\n').length));
  return (
    <Field label={t('editor')} {...(!props.isValid && { hint: t('noObject') })}>
      {(ids) => (
        <textarea
          {...ids}
          rows={rows}
          spellCheck={false}
          aria-invalid={!props.isValid}
          data-testid="arguments-editor"
          className="input w-full font-mono text-[0.8125rem]"
          value={props.text}
          onChange={(event) => props.onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
