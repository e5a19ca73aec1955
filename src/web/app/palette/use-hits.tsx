import { MessageSquare, TextSearch } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useLocation } from 'wouter';
import { useTopics } from '../../state/chat/topics.ts';
import { fromMatch } from '../../ui/text/from-match.ts';
import { withoutMarks } from '../../ui/text/without-marks.ts';
import { isEcho, useSearch } from '../sidebar/search-results.tsx';
import type { PaletteEntry } from './entry.ts';

const mostHits = 8;

/** What the host finds for a query: chats by their title that the page has not loaded, and places in messages. */
export function useHits(query: string): Record<'chats' | 'messages', PaletteEntry[]> {
  const t = useTranslations('sidebar');
  const [, navigate] = useLocation();
  const topics = useTopics((state) => state.topics);
  const hits = useSearch(query) ?? [];
  const loaded = new Set(topics.map(({ id }) => id));
  const titles = new Map(
    hits.flatMap((hit) =>
      isEcho(hit) && !loaded.has(hit.topicId) ? [[hit.topicId, hit.topicTitle]] : [],
    ),
  );
  const chats = [...titles].map(([id, title]) => ({
    id: `chat ${id}`,
    label: title,
    group: 'chats' as const,
    icon: <MessageSquare />,
    run: () => navigate(`/t/${id}`),
  }));
  const messages = hits
    .filter((hit) => !isEcho(hit))
    .map(({ topicId, topicTitle, blockId, messageId, snippet }) => ({
      id: `found ${topicId} ${blockId ?? ''}`,
      label: topicTitle || t('untitled'),
      detail: fromMatch(withoutMarks(snippet), query),
      group: 'chats' as const,
      icon: <TextSearch />,
      run: () => navigate(`/t/${topicId}${messageId ? `#${messageId}` : ''}`),
    }));
  return { chats: chats.slice(0, mostHits), messages: messages.slice(0, mostHits) };
}
