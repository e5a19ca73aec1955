import { memo, type ReactElement, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Link, useLocation } from 'wouter';
import type { Topic } from '#shared/vocabulary/message.ts';
import { openFind } from '../../state/chat/find-place.ts';
import { changeTopic, deleteTopic } from '../../state/chat/topics.ts';
import { ConfirmDelete } from '../../ui/dialog/confirm.tsx';
import { showFailure } from '../../ui/notices/notices.ts';
import { RenameTopic } from './rename-topic.tsx';
import { TopicMark } from './topic-mark.tsx';
import { TopicMenu } from './topic-menu.tsx';

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
  const [location, navigate] = useLocation();
  const [mode, setMode] = useState<'shown' | 'renaming' | 'deleting'>('shown');
  // Few rows are ever deleted: the question is made with the first wish for it.
  const [wasAsked, setAsked] = useState(false);
  const place = `/t/${topic.id}`;
  const here = location === place;
  const title = topic.title || t('untitled');
  const back = () => setMode('shown');
  const link = useFocusAfter(mode === 'renaming');
  if (mode === 'renaming') {
    const rename = (next: string) => {
      back();
      if (next !== topic.title) changeTopic(topic.id, { title: next }).catch(showFailure);
    };
    return <RenameTopic title={title} onDone={rename} onCancel={back} />;
  }
  return (
    <div
      data-testid="topic-row"
      data-id={topic.id}
      data-running={topic.isLoading}
      className={`group/row relative flex items-center rounded-lg transition-colors focus-within:bg-hover hover:bg-hover ${here ? 'bg-hover' : ''}`}
    >
      <Link
        ref={link}
        href={`/t/${topic.id}`}
        onClick={onLeave}
        aria-current={here ? 'page' : undefined}
        title={title}
        className={`flex min-w-0 flex-1 items-center gap-2 rounded-lg py-2 pr-2.5 pl-2.5 text-sm group-focus-within/row:pr-9 group-hover/row:pr-9 pointer-coarse:pr-9 ${here ? 'font-medium' : ''}`}
      >
        <span className="truncate">{title}</span>
        <TopicMark running={topic.isLoading} waits={waits} />
      </Link>
      <TopicMenu
        topicId={topic.id}
        title={title}
        onFind={() => {
          openFind(topic.id);
          if (!here) navigate(`/t/${topic.id}`);
          onLeave();
        }}
        onRename={() => setMode('renaming')}
        onDelete={() => {
          setAsked(true);
          setMode('deleting');
        }}
      />
      {wasAsked && (
        <ConfirmDelete
          open={mode === 'deleting'}
          onClose={back}
          title={t('deleteTitle')}
          text={t('deleteText', { title })}
          action={async () => {
            await deleteTopic(topic);
            // Where the reader is by now: they may have gone elsewhere since.
            if (window.location.pathname === place) navigate('/');
          }}
        />
      )}
    </div>
  );
});

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
