import type { ComponentProps, ReactElement, ReactNode } from 'react';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  onCheck: (on: boolean) => void;
}

/** A box to tick; it stands in the label that says what for, or has an `aria-label`. */
export function Checkbox({ onCheck, className = '', ...rest }: CheckboxProps): ReactElement {
  return (
    <input
      {...rest}
      type="checkbox"
      className={`size-4 shrink-0 accent-accent ${className}`}
      onChange={(event) => onCheck(event.target.checked)}
    />
  );
}

interface CheckFieldProps extends CheckboxProps {
  label: ReactNode;
}

/** A box to tick with its label behind it; `className` adds to the look of both. */
export function CheckField(props: CheckFieldProps): ReactElement {
  const { label, className = '', ...rest } = props;
  return (
    <label className={`flex items-center gap-2.5 text-sm ${className}`}>
      <Checkbox {...rest} />
      {label}
    </label>
  );
}

interface SwitchFieldProps extends CheckboxProps {
  label: string;
  hint: string;
}

/** Something that is on or off, with a line that says what that means. */
export function SwitchField({ label, hint, ...rest }: SwitchFieldProps): ReactElement {
  return (
    <label className="flex items-start gap-2.5 text-sm">
      <Checkbox role="switch" {...rest} className="mt-0.5" />
      <span>
        <span className="font-medium">{label}</span>
        <span className="block text-xs text-muted">{hint}</span>
      </span>
    </label>
  );
}
