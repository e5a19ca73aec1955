import {
  Archive,
  ArchiveRestore,
  Bell,
  BellOff,
  Compass,
  FileDown,
  Keyboard,
  LogOut,
  PanelLeft,
  Pin,
  PinOff,
  Plus,
  RefreshCw,
  Search,
  Server,
  Square,
  SquarePen,
  Trash2,
} from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useLocation } from 'wouter';
import { topicExportPath } from '#client/api/topics.ts';
import { activePath, isMessageRunning } from '#shared/vocabulary/message.ts';
import { muteTopic, useMuted } from '../../state/attention/muted.ts';
import { useConversation } from '../../state/chat/conversation.ts';
import { openFind } from '../../state/chat/find-place.ts';
import { changeTopic } from '../../state/chat/topics.ts';
import { showInbox } from '../../state/inbox/inputs.ts';
import { showOverlay } from '../../state/page/overlay.ts';
import { api } from '../../state/session/api.ts';
import { leave } from '../../state/session/me.ts';
import { showFailure } from '../../ui/notices/notices.ts';
import { toggleSidebar } from '../sidebar/toggle-sidebar.ts';
import { useTopicActions } from '../sidebar/use-topic-actions.ts';
import type { PaletteEntry } from './entry.ts';

type Command = Omit<PaletteEntry, 'group'>;

/** What can be done from anywhere, after what can be done with the open chat. */
export function useCommands(topicId: string | null): PaletteEntry[] {
  const general = useGeneral();
  const ofChat = useChatCommands(topicId);
  const [first, ...others] = general;
  const all = [...(first ? [first] : []), ...ofChat, ...others];
  return all.map((command) => ({ ...command, group: 'commands' }));
}

function useGeneral(): Command[] {
  const t = useTranslations('palette');
  const keys = useTranslations('shortcuts');
  const [, navigate] = useLocation();
  const isWide = matchMedia('(min-width: 48rem)').matches;
  return [
    {
      id: 'new chat',
      label: keys('newChat'),
      icon: <SquarePen />,
      shortcut: 'newChat',
      run: () => navigate('/'),
    },
    {
      id: 'inbox waiting approvals',
      label: t('inbox'),
      icon: <Bell />,
      run: () => showInbox(true),
    },
    { id: 'servers', label: t('servers'), icon: <Server />, run: () => navigate('/servers') },
    {
      id: 'discover servers install catalogue',
      label: t('discover'),
      icon: <Compass />,
      run: () => navigate('/servers/discover'),
    },
    {
      id: 'add model provider',
      label: t('addModel'),
      icon: <Plus />,
      run: () => navigate('/settings/models?add'),
    },
    ...(isWide
      ? [
          {
            id: 'sidebar',
            label: keys('sidebar'),
            icon: <PanelLeft />,
            shortcut: 'sidebar' as const,
            run: toggleSidebar,
          },
        ]
      : []),
    {
      id: 'keyboard shortcuts help',
      label: keys('help'),
      icon: <Keyboard />,
      shortcut: 'help',
      run: () => showOverlay('help'),
    },
    {
      id: 'sign out',
      label: t('signOut'),
      icon: <LogOut />,
      run: () => void leave().catch(showFailure),
    },
  ];
}

function useChatCommands(topicId: string | null): Command[] {
  const t = useTranslations('palette');
  const actions = useTopicActions();
  const running = useRunning();
  const conversation = useConversation((state) => state.conversation);
  const isMuted = useMuted(({ muted }) => topicId !== null && muted.includes(topicId));
  const topic = conversation?.topic;
  if (!conversation || !topic || topic.id !== topicId) return [];
  const { id, pinnedAt, archived } = topic;
  const last = activePath(conversation).findLast(({ role }) => role === 'assistant');
  const change = (patch: Parameters<typeof changeTopic>[1]) => {
    changeTopic(id, patch).catch(showFailure);
  };
  return [
    ...running,
    ...(last && !isMessageRunning(last)
      ? [
          {
            id: 'regenerate',
            label: t('regenerate'),
            icon: <RefreshCw />,
            run: () => void api.messages.regenerate(last.id, undefined).catch(showFailure),
          },
        ]
      : []),
    {
      id: 'find in chat',
      label: t('find'),
      icon: <Search />,
      shortcut: 'find',
      run: () => openFind(id),
    },
    ...(archived
      ? []
      : [
          {
            id: 'pin chat',
            label: t(pinnedAt === undefined ? 'pin' : 'unpin'),
            icon: pinnedAt === undefined ? <Pin /> : <PinOff />,
            run: () => change({ pinned: pinnedAt === undefined }),
          },
        ]),
    {
      id: 'archive chat',
      label: t(archived ? 'unarchive' : 'archive'),
      icon: archived ? <ArchiveRestore /> : <Archive />,
      run: () => void actions.archive([topic], !archived),
    },
    {
      id: 'mute notifications',
      label: t(isMuted ? 'unmute' : 'mute'),
      icon: isMuted ? <Bell /> : <BellOff />,
      run: () => muteTopic(id, !isMuted),
    },
    {
      id: 'export markdown',
      label: t('exportMarkdown'),
      icon: <FileDown />,
      run: () => location.assign(topicExportPath(id, 'markdown')),
    },
    {
      id: 'delete chat',
      label: t('remove'),
      icon: <Trash2 />,
      run: () => void actions.remove([topic]),
    },
  ];
}

/** Stops everything that runs in the open chat, where something does. */
function useRunning(): Command[] {
  const t = useTranslations('palette');
  const conversation = useConversation((state) => state.conversation);
  const ids = (conversation?.messages ?? [])
    .filter((message) => isMessageRunning(message) || message.translating)
    .map(({ id }) => id);
  if (ids.length === 0) return [];
  const stop = () => {
    Promise.all(ids.toReversed().map(api.messages.stop)).catch(showFailure);
  };
  return [{ id: 'stop answer', label: t('stop'), icon: <Square />, run: stop }];
}
