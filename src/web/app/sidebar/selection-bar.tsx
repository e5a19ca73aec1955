import { Archive, ArchiveRestore, ListChecks, Trash2, X } from 'lucide-react';
import { type ReactElement, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import type { Topic } from '#shared/vocabulary/message.ts';
import { clearSelection, selectOnly, useSelection } from '../../state/chat/selection.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { useTopicActions } from './use-topic-actions.ts';

/** What can be done with the conversations that are selected, of those that are listed. */
export function SelectionBar({ listed }: { listed: Topic[] }): ReactElement | null {
  const t = useTranslations('sidebar');
  const selected = useSelection((state) => state.selected);
  const topics = listed.filter(({ id }) => selected.has(id));
  const isStale = selected.size > 0 && topics.length === 0;
  // What was selected is gone, or no longer listed.
  useEffect(() => {
    if (isStale) clearSelection();
  }, [isStale]);
  if (topics.length === 0) return null;
  // It takes no room, so that the row under the pointer stays where it is.
  return (
    <div
      role="toolbar"
      aria-label={t('selection')}
      data-testid="selection-bar"
      className="sticky top-0 z-10 -mx-1 -mb-8.5 flex h-8.5 items-center gap-0.5 rounded-lg border border-line bg-raised py-0.5 pr-0.5 pl-2.5 text-sm shadow-float"
    >
      <span role="status" className="min-w-0 flex-1 truncate font-medium">
        {t('selected', { count: topics.length })}
      </span>
      <IconButton
        label={t('selectAll')}
        size="small"
        onClick={() => selectOnly(listed.map(({ id }) => id))}
      >
        <ListChecks />
      </IconButton>
      <SelectionActions topics={topics} />
      <IconButton label={t('clearSelection')} size="small" onClick={clearSelection}>
        <X />
      </IconButton>
    </div>
  );
}

function SelectionActions({ topics }: { topics: Topic[] }) {
  const t = useTranslations('sidebar');
  const common = useTranslations('common');
  const actions = useTopicActions();
  const areArchived = topics.every(({ archived }) => archived);
  const act = (work: (topics: Topic[]) => Promise<void>) => {
    clearSelection();
    void work(topics);
  };
  return (
    <>
      <IconButton
        label={t(areArchived ? 'unarchive' : 'archive')}
        size="small"
        onClick={() => act((these) => actions.archive(these, !areArchived))}
      >
        {areArchived ? <ArchiveRestore /> : <Archive />}
      </IconButton>
      <IconButton
        label={common('delete')}
        size="small"
        className="text-danger hover:text-danger"
        onClick={() => act(actions.remove)}
      >
        <Trash2 />
      </IconButton>
    </>
  );
}
