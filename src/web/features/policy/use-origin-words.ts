import { useFormatter, useTranslations } from 'use-intl';
import type { Origin } from '#shared/vocabulary/origin.ts';
import { useConversation } from '../../state/chat/conversation.ts';
import { useTopics } from '../../state/chat/topics.ts';

/** Says where untrusted words came from: the source, where they were read and where they were kept. */
export function useOriginWords(): (origins: readonly Origin[]) => string {
  const t = useTranslations('untrusted');
  const format = useFormatter();
  const topics = useTopics((state) => state.topics);
  const shown = useConversation(({ conversation }) => conversation?.topic.id);
  const source = ({ from, host, toolName: tool = '', serverName: server = '' }: Origin): string => {
    if (from !== 'tool') return t(`sources.${from}`, { server });
    return host === undefined
      ? t('sources.tool', { tool, server })
      : t('sources.host', { host, tool, server });
  };
  const reading = ({ topicId, at }: Origin): string[] => {
    const topic = topics.find(({ id }) => id === topicId)?.title;
    const elsewhere = topic === undefined ? undefined : t('readIn', { topic });
    const place = topicId !== undefined && topicId === shown ? t('readHere') : elsewhere;
    if (place === undefined) return [];
    if (at === undefined) return [place];
    const date = format.dateTime(at, { dateStyle: 'medium', timeStyle: 'short' });
    return [t('readOn', { place, date })];
  };
  const keeping = ({ kept }: Origin): string[] =>
    kept ? [t(`kept.${kept.place}`, { name: kept.name })] : [];
  return (origins) => {
    const [first] = origins;
    if (!first) return '';
    const words = [source(first), ...reading(first), ...keeping(first)].join(t('comma'));
    const count = origins.length - 1;
    return count > 0 ? t('andMore', { sources: words, count }) : words;
  };
}
