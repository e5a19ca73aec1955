import { type ReactElement, useCallback, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Topic } from '#shared/vocabulary/message.ts';
import { loadMoreTopics, useTopics } from '../../state/chat/topics.ts';
import { showFailure } from '../../ui/notices/notices.ts';
import { SlotWatch } from '../../ui/virtual/slot-watch.ts';
import { Slot, SlotWatchContext } from '../../ui/virtual/slot.tsx';
import { groupTopics, type TopicGroup } from './group-topics.ts';
import { TopicRow } from './topic-row.tsx';

/** Rows that come and go together while a long list is scrolled, and the height of one. */
const chunk = 8;
const rowHeight = 37;

/** All conversations, the last used first; older ones are read when the end comes near. */
export function TopicList({ onLeave }: { onLeave: () => void }): ReactElement {
  const t = useTranslations('sidebar');
  const topics = useTopics((state) => state.topics);
  const loaded = useTopics((state) => state.loaded);
  const hasMore = useTopics((state) => state.hasMore);
  const [watch] = useState(() => new SlotWatch());
  const list = useCallback(
    (element: HTMLElement | null) => {
      const scroller = element?.parentElement;
      if (scroller) return watch.open(scroller);
    },
    [watch],
  );
  if (loaded && topics.length === 0) {
    return <p className="px-2.5 py-3 text-sm text-muted">{t('empty')}</p>;
  }
  return (
    <div ref={list}>
      <SlotWatchContext value={topics.length > 8 * chunk ? watch : null}>
        {groupTopics(topics).map((group) => (
          <Group key={`${group.age} ${group.month ?? ''}`} group={group} onLeave={onLeave} />
        ))}
      </SlotWatchContext>
      {hasMore && <MoreTopics key={topics.length} />}
    </div>
  );
}

function Group({ group, onLeave }: { group: TopicGroup; onLeave: () => void }) {
  const t = useTranslations('sidebar');
  const format = useFormatter();
  const { age, month = 0 } = group;
  return (
    <section>
      <h2 className="px-2.5 pt-4 pb-1 text-xs font-medium text-muted">
        {age === 'month' ? format.dateTime(month, { year: 'numeric', month: 'long' }) : t(age)}
      </h2>
      {chunksOf(group.topics).map(({ name, topics }, index) => (
        <Slot
          key={name}
          name={name}
          always={age === 'today' && index === 0}
          estimate={topics.length * rowHeight}
        >
          <Rows topics={topics} onLeave={onLeave} />
        </Slot>
      ))}
    </section>
  );
}

function Rows({ topics, onLeave }: { topics: Topic[]; onLeave: () => void }) {
  const waiting = useTopics((state) => state.waiting);
  const waitingTopics = new Set(Object.values(waiting));
  return (
    <ul className="space-y-px pb-px">
      {topics.map((topic) => (
        <li key={topic.id}>
          <TopicRow
            topic={topic}
            waits={topic.isLoading && waitingTopics.has(topic.id)}
            onLeave={onLeave}
          />
        </li>
      ))}
    </ul>
  );
}

/** The mark below the oldest row: when it comes near, older topics are read. */
function MoreTopics() {
  const t = useTranslations('sidebar');
  const mark = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) loadMoreTopics().catch(showFailure);
      },
      { root: element.parentElement?.parentElement ?? null, rootMargin: '0px 0px 1000px 0px' },
    );
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return (
    <p ref={mark} className="px-2.5 py-3 text-xs text-muted" data-testid="more-topics">
      {t('more')}
    </p>
  );
}

/** Named by their places: a topic that moves up must not make all the others begin anew. */
function chunksOf(topics: Topic[]): { name: string; topics: Topic[] }[] {
  const chunks: { name: string; topics: Topic[] }[] = [];
  for (let start = 0; start < topics.length; start += chunk)
    chunks.push({ name: `topics ${start}`, topics: topics.slice(start, start + chunk) });
  return chunks;
}
