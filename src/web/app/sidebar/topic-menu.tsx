import { Menu } from '@base-ui/react/menu';
import {
  Archive,
  ArchiveRestore,
  Bell,
  BellOff,
  Braces,
  Ellipsis,
  FileDown,
  Pencil,
  Pin,
  PinOff,
  Search,
  SquareCheck,
  Trash2,
} from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { topicExportPath } from '#client/api/topics.ts';
import type { Topic } from '#shared/vocabulary/message.ts';
import { muteTopic, useMuted } from '../../state/attention/muted.ts';
import { returnsFocus } from '../../state/chat/find-place.ts';
import { MenuAction } from '../../ui/controls/menu-action.tsx';
import { MenuPopup } from '../../ui/controls/menu-popup.tsx';

interface TopicMenuProps {
  topic: Topic;
  title: string;
  onFind: () => void;
  onRename: () => void;
  onPin: () => void;
  onSelect: () => void;
  onArchive: () => void;
  onDelete: () => void;
}

/** What can be done with a conversation. */
export function TopicMenu(props: TopicMenuProps): ReactElement {
  const { topic, title, onFind, onRename, onPin, onSelect, onArchive, onDelete } = props;
  const { id: topicId, pinnedAt, archived } = topic;
  const t = useTranslations('sidebar');
  const isMuted = useMuted(({ muted }) => muted.includes(topicId));
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
        {!archived && (
          <MenuAction
            icon={pinnedAt === undefined ? <Pin aria-hidden /> : <PinOff aria-hidden />}
            onClick={onPin}
          >
            {t(pinnedAt === undefined ? 'pin' : 'unpin')}
          </MenuAction>
        )}
        <MenuAction
          icon={isMuted ? <Bell aria-hidden /> : <BellOff aria-hidden />}
          testId="mute-topic"
          onClick={() => muteTopic(topicId, !isMuted)}
        >
          {t(isMuted ? 'unmute' : 'mute')}
        </MenuAction>
        <MenuAction icon={<SquareCheck aria-hidden />} onClick={onSelect}>
          {t('select')}
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
        <MenuAction
          icon={archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
          onClick={onArchive}
        >
          {t(archived ? 'unarchive' : 'archive')}
        </MenuAction>
        <MenuAction icon={<Trash2 aria-hidden />} danger onClick={onDelete}>
          {common('delete')}
        </MenuAction>
      </MenuPopup>
    </Menu.Root>
  );
}
