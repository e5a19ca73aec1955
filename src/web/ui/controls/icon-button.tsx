import type { ComponentProps, ReactElement } from 'react';

interface IconButtonProps extends ComponentProps<'button'> {
  /** Read out, and shown on hover. */
  label: string;
  size?: 'small' | 'normal';
}

/** A quiet button that is only an icon. */
export function IconButton({
  label,
  size = 'normal',
  className = '',
  ...props
}: IconButtonProps): ReactElement {
  const measure = size === 'small' ? 'size-7 [&_svg]:size-3.5' : 'size-9 [&_svg]:size-[1.125rem]';
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`icon-button ${measure} ${className}`}
      {...props}
    />
  );
}
