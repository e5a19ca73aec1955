import { type ReactElement, useCallback, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Topic } from '#shared/vocabulary/message.ts';
import { lazyPart, Part } from '../../features/loading/part.tsx';
import { isFiltered, loadMoreFiltered, useFiltered } from '../../state/chat/filtered-topics.ts';
import { useSelection } from '../../state/chat/selection.ts';
import { loadMoreTopics, useTopics } from '../../state/chat/topics.ts';
import { useKeys } from '../../state/page/use-shortcut.ts';
import { showFailure } from '../../ui/notices/notices.ts';
import { SlotWatch } from '../../ui/virtual/slot-watch.ts';
import { Slot, SlotWatchContext } from '../../ui/virtual/slot.tsx';
import { groupTopics, type TopicGroup } from './group-topics.ts';
import { TopicRow } from './topic-row.tsx';

const SelectionBar = lazyPart(async () => (await import('./selection-bar.tsx')).SelectionBar);

/** Rows that come and go together while a long list is scrolled, and the height of one. */
const chunk = 8;
const rowHeightPx = 37;

/** All conversations, the last used first, or those that a filter leaves; older ones are read when the end comes near. */
export function TopicList({ onLeave }: { onLeave: () => void }): ReactElement {
  const { groups, topics, loaded, hasMore, empty } = useListed();
  const isSelecting = useSelection(({ selected }) => selected.size > 0);
  useKeys('listMove', 'listSelect', 'listClear');
  const [watch] = useState(() => new SlotWatch());
  const list = useCallback(
    (element: HTMLElement | null) => {
      const scroller = element?.parentElement;
      if (scroller) return watch.open(scroller);
    },
    [watch],
  );
  if (loaded && topics.length === 0) {
    return <p className="px-2.5 py-3 text-sm text-muted">{empty}</p>;
  }
  return (
    <div ref={list}>
      <Part>{isSelecting && <SelectionBar listed={topics} />}</Part>
      <SlotWatchContext value={topics.length > 8 * chunk ? watch : null}>
        {groups.map((group) => (
          <Group key={`${group.age} ${group.month ?? ''}`} group={group} onLeave={onLeave} />
        ))}
      </SlotWatchContext>
      {hasMore && <MoreTopics key={topics.length} />}
    </div>
  );
}

/** What is listed now, and what it says where there is nothing. Pinned ones stand above where nothing is left out. */
function useListed() {
  const t = useTranslations('sidebar');
  const all = useTopics();
  const filtered = useFiltered();
  const { filter } = filtered;
  if (isFiltered(filter)) {
    const { topics, loaded, hasMore } = filtered;
    const isArchive = filter.archived && !isFiltered({ ...filter, archived: undefined });
    const empty = t(isArchive ? 'noArchived' : 'noMatches');
    return { groups: groupTopics(topics), topics, loaded, hasMore, empty };
  }
  const { pinned, loaded, hasMore } = all;
  const others = all.topics.filter(({ pinnedAt }) => pinnedAt === undefined);
  const first: TopicGroup[] = pinned.length > 0 ? [{ age: 'pinned', topics: pinned }] : [];
  const groups = [...first, ...groupTopics(others)];
  return { groups, topics: [...pinned, ...others], loaded, hasMore, empty: t('empty') };
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
          always={(age === 'today' || age === 'pinned') && index === 0}
          estimate={topics.length * rowHeightPx}
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
        if (entries.some((entry) => entry.isIntersecting)) loadMore().catch(showFailure);
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

/** Reads on in the list that is shown. */
function loadMore(): Promise<void> {
  return isFiltered(useFiltered.getState().filter) ? loadMoreFiltered() : loadMoreTopics();
}

/** Named by their places: a topic that moves up must not make all the others begin anew. */
function chunksOf(topics: Topic[]): { name: string; topics: Topic[] }[] {
  const chunks: { name: string; topics: Topic[] }[] = [];
  for (let start = 0; start < topics.length; start += chunk)
    chunks.push({ name: `topics ${start}`, topics: topics.slice(start, start + chunk) });
  return chunks;
}
