import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { useRoute } from 'wouter';
import { useWaitingCount } from '../features/inbox/inbox-bell.tsx';
import { useTellsEnd } from '../state/attention/attention.ts';
import { markOf, titleOf } from '../state/attention/tab-title.ts';
import { useConversation } from '../state/chat/conversation.ts';
import { useTopics } from '../state/chat/topics.ts';
import { useLine } from '../state/page/line.ts';
import { drawIcon } from './tab-icon.ts';

/** Keeps the title and the icon of the tab true; draws nothing in the page itself. */
export function TabStatus(): null {
  const { topicId, name } = useCurrentTopic();
  const waiting = useWaitingCount();
  const finished = useTellsEnd();
  const live = useLine((state) => state.live);
  const running = useTopics(({ topics, pinned }) =>
    [...topics, ...pinned].some(({ id, isLoading }) => id === topicId && isLoading),
  );
  const facts = { name, waiting, finished, running, live };
  const title = titleOf(facts);
  const mark = markOf(facts);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!link) return;
    plainIcon ??= link.href;
    link.href = mark === 'none' ? plainIcon : drawIcon(mark);
    link.dataset['mark'] = mark;
  }, [mark]);
  useEffect(() => forget, []);
  return null;
}

let plainIcon: string | undefined;

/** Whoever signs out leaves nothing in the tab. */
function forget(): void {
  document.title = 'Cerise';
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!link) return;
  if (plainIcon !== undefined) link.href = plainIcon;
  link.dataset['mark'] = 'none';
}

function useCurrentTopic(): { topicId: string; name: string } {
  const t = useTranslations('sidebar');
  const [isTopic, topic] = useRoute('/t/:id');
  const [isServers] = useRoute('/servers/:section?');
  const [isSettings] = useRoute('/settings/:section?');
  const topicId = isTopic ? topic.id : '';
  const listed = useTopics(({ topics }) => topics.find(({ id }) => id === topicId)?.title);
  const open = useConversation(({ conversation }) =>
    conversation?.topic.id === topicId ? conversation.topic.title : undefined,
  );
  if (isServers) return { topicId, name: t('servers') };
  if (isSettings) return { topicId, name: t('settings') };
  return { topicId, name: open ?? listed ?? '' };
}
