import { Menu } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { usePickableModels } from '../../../state/catalog/catalog.ts';
import { MenuPopup } from '../../../ui/controls/menu-popup.tsx';

interface ModelMenuProps {
  heading: string;
  /** Not offered. */
  without?: string | undefined;
  onChoose: (model: string) => void;
  /** The button that opens it. */
  children: ReactNode;
}

/** A choice of the models there are; nothing where there is no other one. */
export function ModelMenu(props: ModelMenuProps): ReactElement | null {
  const { heading, without, onChoose, children } = props;
  const models = usePickableModels();
  if (models.length < 2) return null;
  return (
    <Menu.Root>
      {children}
      <MenuPopup className="max-h-80 w-64" heading={heading}>
        {models
          .filter(({ id }) => id !== without)
          .map(({ id, name, providerName }) => (
            <Menu.Item key={id} className="menu-item" onClick={() => onChoose(id)}>
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <span className="shrink-0 text-xs text-muted">{providerName}</span>
            </Menu.Item>
          ))}
      </MenuPopup>
    </Menu.Root>
  );
}
