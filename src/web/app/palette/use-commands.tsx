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
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { useLocation } from 'wouter';
import { topicExportPath } from '#client/api/topics.ts';
import {
  activePath,
  type Conversation,
  isMessageRunning,
  type Topic,
} from '#shared/vocabulary/message.ts';
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
  const go = (place: string) => () => navigate(place);
  const isWide = matchMedia('(min-width: 48rem)').matches;
  const signOut = () => void leave().catch(showFailure);
  return [
    command('new chat', keys('newChat'), <SquarePen />, go('/'), 'newChat'),
    command('inbox waiting approvals', t('inbox'), <Bell />, () => showInbox(true)),
    command('servers', t('servers'), <Server />, go('/servers')),
    command(
      'discover servers install catalogue',
      t('discover'),
      <Compass />,
      go('/servers/discover'),
    ),
    command('add server', t('addServer'), <Plus />, go('/servers?add')),
    command('add model provider', t('addModel'), <Plus />, go('/settings/models?add')),
    ...(isWide
      ? [command('sidebar', keys('sidebar'), <PanelLeft />, toggleSidebar, 'sidebar')]
      : []),
    command(
      'keyboard shortcuts help',
      keys('help'),
      <Keyboard />,
      () => showOverlay('help'),
      'help',
    ),
    command('sign out log out logout', t('signOut'), <LogOut />, signOut),
  ];
}

/** The words of `id` find it too. */
function command(
  id: string,
  label: string,
  icon: ReactElement,
  run: () => void,
  shortcut?: PaletteEntry['shortcut'],
): Command {
  return { id, label, icon, run, ...(shortcut && { shortcut }) };
}

function useChatCommands(topicId: string | null): Command[] {
  const ofTopic = useTopicCommands();
  const ofAnswers = useAnswerCommands();
  const conversation = useConversation((state) => state.conversation);
  if (!conversation || conversation.topic.id !== topicId) return [];
  return [...ofAnswers(conversation), ...ofTopic(conversation.topic)];
}

/** Stops whatever runs, and asks the last question again. */
function useAnswerCommands(): (conversation: Conversation) => Command[] {
  const t = useTranslations('palette');
  return (conversation) => {
    const running = conversation.messages
      .filter((message) => isMessageRunning(message) || message.translating)
      .map(({ id }) => id);
    const stop = () => {
      Promise.all(running.toReversed().map(api.messages.stop)).catch(showFailure);
    };
    const last = activePath(conversation).findLast(({ role }) => role === 'assistant');
    const again = (id: string) => () => void api.messages.regenerate(id).catch(showFailure);
    return [
      ...(running.length > 0 ? [command('stop answer', t('stop'), <Square />, stop)] : []),
      ...(last && !isMessageRunning(last)
        ? [command('regenerate', t('regenerate'), <RefreshCw />, again(last.id))]
        : []),
    ];
  };
}

function useTopicCommands(): (topic: Topic) => Command[] {
  const t = useTranslations('palette');
  const actions = useTopicActions();
  const mutedTopics = useMuted(({ muted }) => muted);
  return (topic) => {
    const { id, archived } = topic;
    const isPinned = topic.pinnedAt !== undefined;
    const isMuted = mutedTopics.includes(id);
    const pin = () => void changeTopic(id, { pinned: !isPinned }).catch(showFailure);
    const pinText = t(isPinned ? 'unpin' : 'pin');
    const archive = () => void actions.archive([topic], !archived);
    const archiveIcon = archived ? <ArchiveRestore /> : <Archive />;
    const mute = () => muteTopic(id, !isMuted);
    const exportIt = () => location.assign(topicExportPath(id, 'markdown'));
    return [
      command('find in chat', t('find'), <Search />, () => openFind(id), 'find'),
      ...(archived ? [] : [command('pin chat', pinText, isPinned ? <PinOff /> : <Pin />, pin)]),
      command('archive chat', t(archived ? 'unarchive' : 'archive'), archiveIcon, archive),
      command(
        'mute notifications',
        t(isMuted ? 'unmute' : 'mute'),
        isMuted ? <Bell /> : <BellOff />,
        mute,
      ),
      command('export markdown', t('exportMarkdown'), <FileDown />, exportIt),
      command('delete chat', t('remove'), <Trash2 />, () => void actions.remove([topic])),
    ];
  };
}
