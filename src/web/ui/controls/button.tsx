import type { ComponentProps, ReactElement } from 'react';

interface ButtonProps extends ComponentProps<'button'> {
  /** `destroy` is the last step of what cannot be undone; `danger` leads there. */
  variant?: 'primary' | 'plain' | 'danger' | 'destroy';
}

/** A button with a text. */
export function Button({ variant = 'plain', className = '', ...props }: ButtonProps): ReactElement {
  return <button type="button" className={`button button-${variant} ${className}`} {...props} />;
}
