import { Menu } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';

interface MenuActionProps {
  /** Decoration: the words beside it say it all. */
  icon: ReactNode;
  /** It takes something away for good. */
  danger?: boolean;
  testId?: string;
  onClick: () => void;
  children: ReactNode;
}

/** Something to do, as an entry of a menu. */
export function MenuAction(props: MenuActionProps): ReactElement {
  const { icon, danger, testId, onClick, children } = props;
  return (
    <Menu.Item
      className={danger ? 'menu-item text-danger' : 'menu-item'}
      data-testid={testId}
      onClick={onClick}
    >
      {icon}
      {children}
    </Menu.Item>
  );
}
