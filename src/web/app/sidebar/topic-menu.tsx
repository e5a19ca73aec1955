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
import type { ReactElement, ReactNode } from 'react';
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
  const { topic, title, onFind, onRename, onPin, onSelect } = props;
  const { id: topicId, archived } = topic;
  const isPinned = topic.pinnedAt !== undefined;
  const t = useTranslations('sidebar');
  const find = useTranslations('find');
  return (
    <Menu.Root>
      <MoreButton label={t('actions', { title })} />
      <MenuPopup className="w-56" finalFocus={returnsFocus}>
        <MenuAction icon={<Search aria-hidden />} onClick={onFind}>
          {find('placeholder')}
        </MenuAction>
        <MenuAction icon={<Pencil aria-hidden />} onClick={onRename}>
          {t('rename')}
        </MenuAction>
        {!archived && (
          <MenuAction
            icon={isPinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
            onClick={onPin}
          >
            {t(isPinned ? 'unpin' : 'pin')}
          </MenuAction>
        )}
        <MuteAction topicId={topicId} />
        <MenuAction icon={<SquareCheck aria-hidden />} onClick={onSelect}>
          {t('select')}
        </MenuAction>
        <Menu.Separator className="my-1.5 h-px bg-line" />
        <ExportLink topicId={topicId} as="markdown" icon={<FileDown aria-hidden />} />
        <ExportLink topicId={topicId} as="json" icon={<Braces aria-hidden />} />
        <Menu.Separator className="my-1.5 h-px bg-line" />
        <AwayActions {...props} />
      </MenuPopup>
    </Menu.Root>
  );
}

/** Out of the list, or out of the world. */
function AwayActions({ topic: { archived }, onArchive, onDelete }: TopicMenuProps) {
  const t = useTranslations('sidebar');
  const common = useTranslations('common');
  return (
    <>
      <MenuAction
        icon={archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
        onClick={onArchive}
      >
        {t(archived ? 'unarchive' : 'archive')}
      </MenuAction>
      <MenuAction icon={<Trash2 aria-hidden />} danger onClick={onDelete}>
        {common('delete')}
      </MenuAction>
    </>
  );
}

/** In sight on the row under the pointer, or where the keys are. */
function MoreButton({ label }: { label: string }) {
  return (
    <Menu.Trigger
      aria-label={label}
      data-testid="topic-menu"
      className="icon-button absolute right-1 size-7 group-focus-within/row:opacity-100 group-hover/row:opacity-100 data-[popup-open]:opacity-100 pointer-fine:opacity-0 [&_svg]:size-4"
    >
      <Ellipsis />
    </Menu.Trigger>
  );
}

function MuteAction({ topicId }: { topicId: string }) {
  const t = useTranslations('sidebar');
  const isMuted = useMuted(({ muted }) => muted.includes(topicId));
  return (
    <MenuAction
      icon={isMuted ? <Bell aria-hidden /> : <BellOff aria-hidden />}
      testId="mute-topic"
      onClick={() => muteTopic(topicId, !isMuted)}
    >
      {t(isMuted ? 'unmute' : 'mute')}
    </MenuAction>
  );
}

function ExportLink(props: { topicId: string; as: 'markdown' | 'json'; icon: ReactNode }) {
  const t = useTranslations('sidebar');
  return (
    <Menu.LinkItem
      className="menu-item"
      closeOnClick
      href={topicExportPath(props.topicId, props.as)}
      download
    >
      {props.icon}
      {t(props.as === 'markdown' ? 'exportMarkdown' : 'exportJson')}
    </Menu.LinkItem>
  );
}
