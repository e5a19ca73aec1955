import { Menu } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';

interface MenuPopupProps {
  /** The width, and a height where the entries may be many. */
  className: string;
  side?: 'top' | 'bottom' | 'inline-end';
  align?: 'start' | 'end';
  /** What all entries have in common, as a heading above them. */
  heading?: string;
  testId?: string;
  /** Whether the focus goes back to the button; absent: it does. */
  finalFocus?: () => boolean;
  children: ReactNode;
}

/** The panel that a menu opens beside its button. */
export function MenuPopup(props: MenuPopupProps): ReactElement {
  const { className, side = 'bottom', align = 'start', heading, testId, children } = props;
  return (
    <Menu.Portal>
      <Menu.Positioner
        side={side}
        align={align}
        sideOffset={4}
        collisionPadding={8}
        className="z-50"
      >
        <Menu.Popup
          className={`popup p-1.5 ${className}`}
          data-testid={testId}
          finalFocus={props.finalFocus}
        >
          {heading === undefined ? children : <Headed heading={heading}>{children}</Headed>}
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  );
}

function Headed({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Menu.Group>
      <Menu.GroupLabel className="px-2.5 pt-1 pb-1.5 text-xs text-muted">{heading}</Menu.GroupLabel>
      {children}
    </Menu.Group>
  );
}
