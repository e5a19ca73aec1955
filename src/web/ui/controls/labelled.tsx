import type { ComponentProps, ReactElement } from 'react';
import { Field } from './field.tsx';
import { Select, type SelectProps } from './select.tsx';

interface Words {
  label: string;
  hint?: string | undefined;
}

interface Written {
  /** Gets what is written, with each change. */
  onWrite?: (text: string) => void;
}

type InputFieldProps = Words & Written & Omit<ComponentProps<'input'>, 'onChange'>;
type AreaFieldProps = Words & Written & Omit<ComponentProps<'textarea'>, 'onChange'>;

/** A line to write, with its label; `className` adds to its look. */
export function InputField(props: InputFieldProps): ReactElement {
  const { label, hint, onWrite, className = '', ...rest } = props;
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <input
          {...rest}
          {...ids}
          className={`input ${className}`}
          onChange={(event) => onWrite?.(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Several lines to write, with their label; `className` adds to their look. */
export function AreaField(props: AreaFieldProps): ReactElement {
  const { label, hint, onWrite, className = '', ...rest } = props;
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <textarea
          {...rest}
          {...ids}
          className={`input ${className}`}
          onChange={(event) => onWrite?.(event.target.value)}
        />
      )}
    </Field>
  );
}

/** A list of texts of which one is chosen, with its label. */
export function SelectField<T extends string>(props: Words & SelectProps<T>): ReactElement {
  const { label, hint, ...rest } = props;
  return (
    <Field label={label} hint={hint}>
      {(ids) => <Select {...rest} {...ids} />}
    </Field>
  );
}
