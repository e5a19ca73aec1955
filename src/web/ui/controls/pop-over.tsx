import { Popover } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';

interface PopOverProps {
  trigger: ReactElement;
  label: string;
  children: ReactNode | ((close: () => void) => ReactNode);
  open?: boolean;
  onOpenChange: (open: boolean) => void;
  width?: string;
}

/** A panel that belongs to a button. */
export function PopOver(props: PopOverProps): ReactElement {
  const { trigger, label, children, open, onOpenChange, width = 'w-72' } = props;
  return (
    <Popover.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner
          side="top"
          align="start"
          sideOffset={8}
          collisionPadding={8}
          className="z-30"
        >
          <Popover.Popup
            aria-label={label}
            className={`popup p-1.5 ${width} max-w-[calc(100vw-1rem)]`}
          >
            {typeof children === 'function' ? children(() => onOpenChange(false)) : children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
