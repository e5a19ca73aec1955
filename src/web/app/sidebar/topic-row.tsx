import { GitFork } from 'lucide-react';
import {
  memo,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useTranslations } from 'use-intl';
import { Link, useLocation } from 'wouter';
import type { Topic } from '#shared/vocabulary/message.ts';
import { openFind } from '../../state/chat/find-place.ts';
import { toggleSelected } from '../../state/chat/selection.ts';
import { changeTopic } from '../../state/chat/topics.ts';
import { regainFocus } from '../../ui/focus/regain-focus.ts';
import { showFailure } from '../../ui/notices/notices.ts';
import { RenameTopic } from './rename-topic.tsx';
import { TopicMark } from './topic-mark.tsx';
import { TopicMenu } from './topic-menu.tsx';
import { useRowSelection } from './use-row-selection.ts';
import { useTopicActions } from './use-topic-actions.ts';

interface TopicRowProps {
  topic: Topic;
  /** A call in it waits for a decision. */
  waits: boolean;
  onLeave: () => void;
}

/** One conversation in the list, with its mark and what can be done with it. */
export const TopicRow = memo(function TopicRow(props: TopicRowProps): ReactElement {
  const { topic, waits, onLeave } = props;
  const t = useTranslations('sidebar');
  const [location] = useLocation();
  const [isRenaming, setRenaming] = useState(false);
  const selection = useRowSelection(topic.id);
  const here = location === `/t/${topic.id}`;
  const title = topic.title || t('untitled');
  const link = useFocusAfter(isRenaming);
  if (isRenaming) {
    const rename = (next: string) => {
      setRenaming(false);
      if (next !== topic.title) changeTopic(topic.id, { title: next }).catch(showFailure);
    };
    return <RenameTopic title={title} onDone={rename} onCancel={() => setRenaming(false)} />;
  }
  return (
    <div
      data-testid="topic-row"
      data-id={topic.id}
      data-running={topic.isLoading}
      className={`group/row relative flex items-center rounded-lg transition-colors ${lookOf(here, selection.isSelected)}`}
    >
      <TopicLink ref={link} {...{ topic, title, here, selection, onLeave }}>
        <TopicMark topicId={topic.id} running={topic.isLoading} waits={waits} />
      </TopicLink>
      <SelectBox title={title} selection={selection} />
      {!selection.isSelecting && (
        <RowMenu {...{ topic, title, here, onLeave }} onRename={() => setRenaming(true)} />
      )}
    </div>
  );
});

type Selection = ReturnType<typeof useRowSelection>;

interface PartProps {
  topic: Topic;
  title: string;
  /** It is the conversation that is open. */
  here: boolean;
  onLeave: () => void;
}

interface TopicLinkProps extends PartProps {
  ref: Ref<HTMLAnchorElement>;
  selection: Selection;
  children: ReactNode;
}

function TopicLink({ ref, topic, title, here, selection, onLeave, children }: TopicLinkProps) {
  const t = useTranslations('sidebar');
  return (
    <Link
      ref={ref}
      href={`/t/${topic.id}`}
      // The link itself hears of no click with a key held down.
      onClickCapture={selection.onClick}
      onClick={(event: MouseEvent<HTMLAnchorElement>) => {
        if (!event.defaultPrevented) onLeave();
      }}
      onKeyDown={selection.onKeyDown}
      {...selection.touch}
      aria-current={here ? 'page' : undefined}
      title={title}
      draggable={false}
      className={`flex min-w-0 flex-1 items-center gap-2 rounded-lg py-2 pr-2.5 pl-2.5 text-sm pointer-coarse:select-none ${selection.isSelecting ? 'pr-9 select-none' : 'group-focus-within/row:pr-9 group-hover/row:pr-9 group-hover/row:pointer-fine:pr-15 pointer-coarse:pr-9'} ${here ? 'font-medium' : ''}`}
    >
      <span dir="auto" className="truncate">
        {title}
      </span>
      {topic.forkedFrom && (
        <GitFork role="img" aria-label={t('forked')} className="size-3.5 shrink-0 text-muted" />
      )}
      {children}
    </Link>
  );
}

function RowMenu({ topic, title, here, onLeave, onRename }: PartProps & { onRename: () => void }) {
  const [, navigate] = useLocation();
  const actions = useTopicActions();
  const { id, archived } = topic;
  const find = () => {
    openFind(id);
    if (!here) navigate(`/t/${id}`);
    onLeave();
  };
  const pin = () => {
    const pinned = topic.pinnedAt === undefined;
    changeTopic(id, { pinned }).catch(showFailure).finally(regainFocus);
  };
  return (
    <TopicMenu
      topic={topic}
      title={title}
      onFind={find}
      onRename={onRename}
      onPin={pin}
      onSelect={() => toggleSelected(id)}
      onArchive={() => void actions.archive([topic], !archived)}
      onDelete={() => void actions.remove([topic])}
    />
  );
}

function lookOf(here: boolean, isSelected: boolean): string {
  if (isSelected) return 'bg-accent-soft';
  return `focus-within:bg-hover hover:bg-hover ${here ? 'bg-hover' : ''}`;
}

/** Beside the menu when a mouse is over the row; in its place, in all rows, as soon as one is selected. */
function SelectBox(props: { title: string; selection: Selection }) {
  const { title, selection } = props;
  const t = useTranslations('sidebar');
  return (
    <input
      type="checkbox"
      aria-label={t('selectNamed', { title })}
      data-testid="select-topic"
      tabIndex={selection.isSelecting ? 0 : -1}
      checked={selection.isSelected}
      onChange={() => undefined}
      onClick={selection.select}
      className={`absolute size-4 cursor-pointer accent-accent ${selection.isSelecting ? 'right-2.5' : 'right-9 opacity-0 group-hover/row:opacity-100 pointer-coarse:hidden'}`}
    />
  );
}

/** Gives what is shown again the focus that the field before it had, unless it went elsewhere. */
function useFocusAfter(isField: boolean): (element: HTMLElement | null) => void {
  const wasField = useRef(false);
  useEffect(() => {
    if (isField) wasField.current = true;
  }, [isField]);
  return useCallback((element: HTMLElement | null) => {
    if (!element || !wasField.current) return;
    wasField.current = false;
    if (document.activeElement === document.body) element.focus();
  }, []);
}
