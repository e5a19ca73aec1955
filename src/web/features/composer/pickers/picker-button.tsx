import { ChevronDown } from 'lucide-react';
import type { ComponentProps, ReactElement, ReactNode } from 'react';

interface PickerButtonProps extends ComponentProps<'button'> {
  icon: ReactNode;
  /** What is picked, as a word of its own; read out with what is chosen. */
  label: string;
}

/** The button of a picker: shows what is chosen. On a phone the icon stands for the words. */
export function PickerButton({
  icon,
  label,
  children,
  className = '',
  ...props
}: PickerButtonProps): ReactElement {
  return (
    <button
      type="button"
      title={label}
      className={`flex h-9 min-w-0 items-center gap-1.5 rounded-full px-2.5 text-[0.8125rem] text-muted transition-colors hover:bg-hover hover:text-ink data-[popup-open]:bg-hover data-[popup-open]:text-ink [&_svg]:size-4 [&_svg]:shrink-0 ${className}`}
      {...props}
    >
      {icon}
      <span className="sr-only">{label}: </span>
      {children}
      <ChevronDown aria-hidden className="hidden size-3! opacity-60 sm:block" />
    </button>
  );
}
