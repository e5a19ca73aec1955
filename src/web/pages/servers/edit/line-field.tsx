import type { ReactElement } from 'react';
import { InputField } from '../../../ui/controls/labelled.tsx';
import type { ServerForm } from './server-form.ts';

/** The fields of the form that are one line of text. */
type LineName = {
  [Name in keyof ServerForm]: string extends ServerForm[Name] ? Name : never;
}[keyof ServerForm];

interface LineFieldProps {
  form: ServerForm;
  onChange: (form: ServerForm) => void;
  name: LineName & string;
  label: string;
  hint?: string;
  /** Further attributes of the input. */
  extra?: object;
}

/** One line of the form of a server. */
export function LineField(props: LineFieldProps): ReactElement {
  const { form, onChange, name, label, hint, extra } = props;
  return (
    <InputField
      label={label}
      hint={hint}
      name={name}
      autoComplete="off"
      spellCheck={false}
      value={form[name]}
      onWrite={(text) => onChange({ ...form, [name]: text })}
      {...extra}
    />
  );
}
