import type { ComponentProps, ReactElement } from 'react';

interface ButtonProps extends ComponentProps<'button'> {
  variant?: 'primary' | 'plain' | 'danger';
}

/** A button with a text. */
export function Button({ variant = 'plain', className = '', ...props }: ButtonProps): ReactElement {
  return <button type="button" className={`button button-${variant} ${className}`} {...props} />;
}
