import type { ReactElement } from 'react';
import { Field } from '../ui/field.tsx';

interface ValueFieldsProps {
  fields: { name: string; title?: string; description?: string; required: boolean }[];
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
}

/** A line of text for each argument of a prompt or a template. */
export function ValueFields({ fields, values, onChange }: ValueFieldsProps): ReactElement {
  return (
    <>
      {fields.map(({ name, title, description, required }) => (
        <Field
          key={name}
          label={`${title ?? name}${required ? ' *' : ''}`}
          {...(description && { hint: description })}
        >
          {(ids) => (
            <input
              {...ids}
              required={required}
              autoComplete="off"
              value={values[name] ?? ''}
              onChange={(event) => onChange({ ...values, [name]: event.target.value })}
              className="input"
            />
          )}
        </Field>
      ))}
    </>
  );
}
