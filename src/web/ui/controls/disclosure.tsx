import { ChevronRight } from 'lucide-react';
import { type ReactElement, type ReactNode, useId, useState } from 'react';

interface DisclosureProps {
  summary: ReactNode;
  children: () => ReactNode;
  className?: string;
  startsOpen?: boolean;
}

/** A line that opens to more; what is inside is made only when it is open. */
export function Disclosure(props: DisclosureProps): ReactElement {
  const { summary, children, className = '', startsOpen = false } = props;
  const [open, setOpen] = useState(startsOpen);
  const id = useId();
  return (
    <div className={className}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        className="-mx-1.5 flex max-w-full items-center gap-1.5 rounded-md px-1.5 py-1 text-left text-sm text-muted hover:text-ink"
      >
        <ChevronRight
          aria-hidden
          className={`size-3.5 shrink-0 transition-transform ${open ? 'rotate-90' : ''}`}
        />
        {summary}
      </button>
      {open && <div id={id}>{children()}</div>}
    </div>
  );
}
