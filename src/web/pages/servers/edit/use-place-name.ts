import { useTranslations } from 'use-intl';
import type { Attachment } from '#shared/vocabulary/server.ts';
import { useAssistantName } from '../../../features/composer/pickers/use-assistant-name.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { useTopics } from '../../../state/chat/topics.ts';

/** Names the assistant or the chat that a session server belongs to; a chat that is not loaded has no title. */
export function usePlaceName(): (place: Attachment) => string {
  const t = useTranslations('servers');
  const sidebar = useTranslations('sidebar');
  const nameOf = useAssistantName();
  const assistants = useCatalog((state) => state.assistants);
  const topics = useTopics((state) => state.topics);
  return (place) => {
    if ('assistant' in place) {
      const assistant = assistants.find(({ id }) => id === place.assistant);
      return assistant ? nameOf(assistant) : t('oneAssistant');
    }
    const topic = topics.find(({ id }) => id === place.topic);
    return topic ? topic.title || sidebar('untitled') : t('oneChat');
  };
}
