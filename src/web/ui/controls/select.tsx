import type { ComponentProps, ReactElement } from 'react';

/** A list, what is chosen of it, and whatever else a select takes. */
export interface SelectProps<T extends string> extends Omit<ComponentProps<'select'>, 'onChange'> {
  /** What can be chosen, with its text. */
  options: readonly (readonly [value: T, text: string])[];
  value: T;
  onChoose: (value: T) => void;
}

/** A list of texts of which one is chosen. */
export function Select<T extends string>(props: SelectProps<T>): ReactElement {
  const { options, onChoose, ...rest } = props;
  return (
    <select className="input" {...rest} onChange={(event) => onChoose(event.target.value as T)}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}
