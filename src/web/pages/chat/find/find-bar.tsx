import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, type ReactElement, type RefObject, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isPressed } from '../../../state/page/shortcuts.ts';
import { useKeys } from '../../../state/page/use-shortcut.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { type Find, useFind } from './use-find.ts';

interface FindBarProps {
  topicId: string;
  scroller: RefObject<Element | null>;
  input: RefObject<HTMLInputElement | null>;
  onClose: () => void;
}

/** Searches the whole conversation, also what is not in the page; Enter goes back from find to find. */
export function FindBar({ topicId, scroller, input, onClose }: FindBarProps): ReactElement {
  const t = useTranslations('find');
  const common = useTranslations('common');
  const [text, setText] = useState('');
  const query = text.trim();
  const find = useFind(topicId, query, scroller);
  useEffect(() => input.current?.focus(), [input]);
  const onKeyDown = useFindKeys(input, find.step, onClose);
  return (
    <search
      data-testid="find-bar"
      aria-label={t('label')}
      onKeyDown={onKeyDown}
      data-focus-frame
      className="absolute inset-x-2 top-2 z-20 flex items-center gap-0.5 rounded-xl border border-line bg-raised focus-within:border-muted py-1 pr-1 pl-3 shadow-float sm:right-5 sm:left-auto sm:w-96"
    >
      <input
        ref={input}
        type="text"
        data-testid="find"
        value={text}
        aria-label={t('label')}
        placeholder={t('placeholder')}
        onChange={(event) => setText(event.target.value)}
        className="h-8 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-muted pointer-coarse:h-10 sm:text-sm"
      />
      <FindCount query={query} find={find} />
      <Steps find={find} />
      <IconButton label={common('close')} size="small" onClick={onClose}>
        <X />
      </IconButton>
    </search>
  );
}

function useFindKeys(
  input: FindBarProps['input'],
  step: Find['step'],
  onClose: () => void,
): (event: KeyboardEvent) => void {
  useKeys('findNext', 'findPrevious', 'findClose');
  return (event) => {
    if (event.nativeEvent.isComposing) return;
    const isInField = event.target === input.current;
    if (isPressed('findClose', event)) onClose();
    else if (isInField && isPressed('findNext', event)) step(1);
    else if (isInField && isPressed('findPrevious', event)) step(-1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function Steps({ find: { count, step } }: { find: Find }) {
  const t = useTranslations('find');
  const isEmpty = count === null || count === 0;
  return (
    <>
      <IconButton label={t('older')} size="small" disabled={isEmpty} onClick={() => step(1)}>
        <ChevronUp />
      </IconButton>
      <IconButton label={t('newer')} size="small" disabled={isEmpty} onClick={() => step(-1)}>
        <ChevronDown />
      </IconButton>
    </>
  );
}

function FindCount({ query, find }: { query: string; find: Find }) {
  const t = useTranslations('find');
  const { count, hasMore, index } = find;
  const words = () => {
    if (query === '') return '';
    if (count === null) return t('loading');
    return count === 0
      ? t('none')
      : t(hasMore ? 'countMore' : 'count', { index: index + 1, count });
  };
  return (
    <span
      role="status"
      data-testid="find-count"
      className="shrink-0 px-1.5 text-xs whitespace-nowrap text-muted tabular-nums"
    >
      {words()}
    </span>
  );
}
