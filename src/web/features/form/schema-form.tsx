import { type ReactElement, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { FormErrors } from './check-form.ts';
import type { Schema } from './form-node.ts';
import { JsonField } from './json-field.tsx';
import { ObjectFields } from './node-fields.tsx';
import { readSchema } from './read-schema.ts';
import { toUnread } from './unread.ts';

interface SchemaFormProps {
  /** A stranger's: of a tool's arguments, or of a question. */
  schema: Schema;
  value: JsonObject;
  /** The value may stand for text that cannot be read yet: ask `checkForm` before it is sent. */
  onChange: (value: JsonObject) => void;
  /** From `checkForm`; shown beside their fields. */
  errors?: FormErrors;
  disabled?: boolean;
}

const noErrors: FormErrors = {};

/** The fields of a JSON schema; what a field cannot express is written as JSON. */
export function SchemaForm(props: SchemaFormProps): ReactElement {
  const { schema, value, onChange, errors = noErrors, disabled = false } = props;
  const t = useTranslations('form');
  const node = useMemo(() => readSchema(schema), [schema]);
  if (node.kind === 'object')
    return node.properties.length === 0 && Object.keys(value).length === 0 ? (
      <p className="text-sm text-muted">{t('nothing')}</p>
    ) : (
      <ObjectFields {...{ node, value, onChange, errors, disabled }} at="" />
    );
  return (
    <JsonField
      at=""
      label={t('whole')}
      required
      node={node}
      value={value}
      problem={errors['']}
      disabled={disabled}
      onChange={(next) => onChange((next ?? toUnread('')) as JsonObject)}
    />
  );
}

/** Brings the first field with a problem into sight and gives it the focus. */
export function focusProblem(form: HTMLElement | null, errors: FormErrors): void {
  const fields = [...(form?.querySelectorAll<HTMLElement>('[data-pointer]') ?? [])];
  fields.find(({ dataset }) => Object.hasOwn(errors, dataset.pointer ?? ''))?.focus();
}
