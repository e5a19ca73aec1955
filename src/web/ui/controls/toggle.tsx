import type { ReactElement, ReactNode } from 'react';

/** The look of a small button or link that is only a word. */
export const textAction =
  'rounded-md px-2 py-1 text-xs font-medium text-accent-text hover:bg-hover';

interface ToggleProps {
  open: boolean;
  onToggle: (open: boolean) => void;
  className?: string;
  /** What it does next. */
  children: ReactNode;
}

/** A word that opens something near it, and closes it again. */
export function Toggle(props: ToggleProps): ReactElement {
  const { open, onToggle, className = textAction, children } = props;
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={() => onToggle(!open)}
      className={className}
    >
      {children}
    </button>
  );
}
