import type { ComponentProps, ReactElement } from 'react';

interface FilterBoxProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  label: string;
  value: string;
  onWrite: (query: string) => void;
}

/** Words that a list is searched for. */
export function FilterBox({
  label,
  onWrite,
  className = '',
  ...rest
}: FilterBoxProps): ReactElement {
  return (
    <input
      {...rest}
      type="search"
      aria-label={label}
      placeholder={label}
      className={`input ${className}`}
      onChange={(event) => onWrite(event.target.value)}
    />
  );
}
