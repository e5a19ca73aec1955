import { Bell } from 'lucide-react';
import { type ReactElement, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { useSearchParams } from 'wouter';
import { useTopics } from '../../state/chat/topics.ts';
import { showInbox, useInputs } from '../../state/inbox/inputs.ts';
import { isNews, useRequests } from '../../state/inbox/requests.ts';
import { useShortcut } from '../../state/page/use-shortcut.ts';
import { focusNextAsking } from '../../ui/focus/question-focus.ts';
import { useBack } from '../../ui/hooks/use-back.ts';
import { lazyPart, Part } from '../loading/part.tsx';

const Inbox = lazyPart(async () => (await import('./inbox.tsx')).Inbox);

/** How much waits for the person: questions, calls inside and outside of conversations, and requests. */
export function useWaitingCount(): number {
  const inputs = useInputs((state) => state.inputs);
  const calls = useInputs((state) => state.calls);
  const waiting = useTopics((state) => state.waiting);
  const requests = useRequests((state) => state.requests);
  const news = requests.filter(isNews).map(({ id }) => id);
  return new Set([...inputs.map(({ id }) => id), ...calls, ...Object.keys(waiting), ...news]).size;
}

/** A bell with the number of what waits; it opens the list. */
export function InboxBell(): ReactElement {
  const t = useTranslations('inputs');
  const count = useWaitingCount();
  return (
    <button
      type="button"
      aria-label={t('bell', { count })}
      title={t('bell', { count })}
      data-testid="inbox-bell"
      data-count={count}
      onClick={() => showInbox(true)}
      className="icon-button relative size-9 [&_svg]:size-[1.125rem]"
    >
      <Bell aria-hidden />
      {count > 0 && (
        <span
          aria-hidden
          className="absolute top-0.5 right-0.5 grid h-4 min-w-4 place-items-center rounded-full bg-accent px-1 text-[0.6875rem] leading-none font-semibold text-accent-ink"
        >
          {count > 99 ? '99+' : count}
        </span>
      )}
    </button>
  );
}

function hideInbox(): void {
  showInbox(false);
}

/** The list itself, what is read out when something new waits, and F8, which goes to the next. */
export function InboxHost(): ReactElement {
  const t = useTranslations('inputs');
  const count = useWaitingCount();
  const open = useInputs((state) => state.inboxOpen);
  useBack(hideInbox);
  useLink();
  const goToNext = () => {
    if (!focusNextAsking() && count > 0) showInbox(true);
  };
  useShortcut('nextRequest', goToNext, { inDialogs: true });
  return (
    <>
      <span role="status" className="sr-only">
        {count > 0 && t('announce', { count })}
      </span>
      <Part>{open && <Inbox />}</Part>
    </>
  );
}

/** Programs lead to the list by an address of its own. */
function useLink(): void {
  const [search, setSearch] = useSearchParams();
  const isAsked = search.has('inbox');
  useEffect(() => {
    if (!isAsked) return;
    setSearch(
      (rest) => {
        rest.delete('inbox');
        return rest;
      },
      { replace: true },
    );
    showInbox(true);
  }, [isAsked, setSearch]);
}
