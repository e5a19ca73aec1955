import { Menu } from '@base-ui/react/menu';
import { Braces, Ellipsis, FileDown, Pencil, Search, Trash2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { topicExportPath } from '#client/api/topics.ts';
import { returnsFocus } from '../../state/chat/find-place.ts';
import { MenuAction } from '../../ui/controls/menu-action.tsx';
import { MenuPopup } from '../../ui/controls/menu-popup.tsx';

interface TopicMenuProps {
  topicId: string;
  title: string;
  onFind: () => void;
  onRename: () => void;
  onDelete: () => void;
}

/** What can be done with a conversation. */
export function TopicMenu(props: TopicMenuProps): ReactElement {
  const { topicId, title, onFind, onRename, onDelete } = props;
  const t = useTranslations('sidebar');
  const find = useTranslations('find');
  const common = useTranslations('common');
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={t('actions', { title })}
        data-testid="topic-menu"
        className="icon-button absolute right-1 size-7 group-focus-within/row:opacity-100 group-hover/row:opacity-100 data-[popup-open]:opacity-100 pointer-fine:opacity-0 [&_svg]:size-4"
      >
        <Ellipsis />
      </Menu.Trigger>
      <MenuPopup className="w-56" finalFocus={returnsFocus}>
        <MenuAction icon={<Search aria-hidden />} onClick={onFind}>
          {find('placeholder')}
        </MenuAction>
        <MenuAction icon={<Pencil aria-hidden />} onClick={onRename}>
          {t('rename')}
        </MenuAction>
        <Menu.Separator className="my-1.5 h-px bg-line" />
        <Menu.LinkItem
          className="menu-item"
          closeOnClick
          href={topicExportPath(topicId, 'markdown')}
          download
        >
          <FileDown aria-hidden />
          {t('exportMarkdown')}
        </Menu.LinkItem>
        <Menu.LinkItem
          className="menu-item"
          closeOnClick
          href={topicExportPath(topicId, 'json')}
          download
        >
          <Braces aria-hidden />
          {t('exportJson')}
        </Menu.LinkItem>
        <Menu.Separator className="my-1.5 h-px bg-line" />
        <MenuAction icon={<Trash2 aria-hidden />} danger onClick={onDelete}>
          {common('delete')}
        </MenuAction>
      </MenuPopup>
    </Menu.Root>
  );
}
