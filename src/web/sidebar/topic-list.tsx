import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { useTopics } from '../state/topics.ts';
import { groupTopics } from './group-topics.ts';
import { TopicRow } from './topic-row.tsx';

/** All conversations, the last used first. */
export function TopicList({ onLeave }: { onLeave: () => void }): ReactElement {
  const t = useTranslations('sidebar');
  const topics = useTopics((state) => state.topics);
  const loaded = useTopics((state) => state.loaded);
  const waiting = useTopics((state) => state.waiting);
  const waitingTopics = new Set(Object.values(waiting));
  if (loaded && topics.length === 0) {
    return <p className="px-2.5 py-3 text-sm text-muted">{t('empty')}</p>;
  }
  return (
    <>
      {groupTopics(topics).map((group) => (
        <section key={group.age}>
          <h2 className="px-2.5 pt-4 pb-1 text-xs font-medium text-muted">{t(group.age)}</h2>
          <ul className="space-y-px">
            {group.topics.map((topic) => (
              <li key={topic.id}>
                <TopicRow
                  topic={topic}
                  waits={topic.isLoading && waitingTopics.has(topic.id)}
                  onLeave={onLeave}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
