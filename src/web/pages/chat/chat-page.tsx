import { type ReactElement, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { Link, useLocation } from 'wouter';
import { Composer } from '../../features/composer/composer.tsx';
import type { OnSend } from '../../features/composer/use-send.ts';
import { lazyPart, Part } from '../../features/loading/part.tsx';
import { openConversation, useConversation } from '../../state/chat/conversation.ts';
import { moveDraft } from '../../state/chat/drafts.ts';
import { sendMessage, useOutbox } from '../../state/chat/outbox.ts';
import { useTour } from '../../state/chat/tour.ts';
import { readPart } from '../../state/page/parts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ErrorNote } from '../../ui/notices/error-note.tsx';
import { Outgoing } from './outgoing.tsx';
import { Welcome } from './welcome.tsx';

const Tour = lazyPart(async () => (await import('./tour-card.tsx')).Tour);

/** What shows blocks is most of the page's code: it comes beside the first conversation. */
const ConversationView = lazyPart(
  async () => (await import('./conversation-view.tsx')).ConversationView,
);

/** A conversation, or the place where one begins; the composer stays when one becomes the other. */
export function ChatPage({ topicId }: { topicId: string | null }): ReactElement {
  useEffect(() => openConversation(topicId), [topicId]);
  useWayToStarted(topicId === null);
  useEffect(warmUp, []);
  const tour = useTour(({ stop }) => stop !== null);
  const missing = useConversation((state) => state.phase === 'missing');
  const isBegun = useOutbox(({ messages }) => messages.some((one) => one.topicId === null));
  const onSend: OnSend = ({ text, files, attachments, quotes }) => {
    const after = useConversation.getState().conversation?.messages.at(-1)?.id;
    const more = {
      ...(files.length > 0 && { files, attachments }),
      ...(quotes.length > 0 && { quotes }),
      ...(topicId !== null && { after }),
    };
    return sendMessage({ topicId, text, ...more });
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {topicId !== null ? (
        <OpenConversation topicId={topicId} />
      ) : isBegun ? (
        <StartedConversation />
      ) : (
        <Welcome onSuggest={(text) => onSend({ text, files: [], attachments: [], quotes: [] })} />
      )}
      <Part>{tour && <Tour />}</Part>
      {!missing && <Composer topicId={topicId} onSend={onSend} />}
    </div>
  );
}

/** A conversation that is not made yet: what was written waits here. */
function StartedConversation() {
  const t = useTranslations('chat');
  return (
    <div className="page-scroller relative min-h-0 flex-1 overscroll-contain" data-testid="begun">
      <h1 className="sr-only">{t('log')}</h1>
      <div className="mx-auto w-full max-w-measure space-y-7 px-4 pt-6 pb-10 sm:px-6">
        <Outgoing topicId={null} messages={[]} />
      </div>
    </div>
  );
}

/** Goes to the conversation that was begun here as soon as it is made, with what is being written. */
function useWayToStarted(isHere: boolean): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    if (!isHere) return undefined;
    return useOutbox.subscribe(({ messages }, before) => {
      const begun = new Set(
        before.messages.filter(({ topicId }) => topicId === null).map(({ key }) => key),
      );
      const made = messages.find(({ key, topicId }) => topicId !== null && begun.has(key))?.topicId;
      if (!made) return;
      // What was written before the tour is none of its chat.
      if (useTour.getState().stop === null) moveDraft(null, made);
      navigate(`/t/${made}`);
    });
  }, [isHere, navigate]);
}

function OpenConversation({ topicId }: { topicId: string }) {
  const t = useTranslations('chat');
  const common = useTranslations('common');
  const { phase, conversation, error } = useConversation();
  if (conversation?.topic.id === topicId) {
    return (
      <Part fallback={<div className="flex-1" aria-busy="true" />}>
        <ConversationView key={topicId} conversation={conversation} />
      </Part>
    );
  }
  if (phase === 'missing') return <MissingConversation />;
  if (phase === 'failed') {
    return (
      <div className="grid flex-1 place-content-center p-6">
        <ErrorNote error={error ?? { code: 'internal', message: t('failed') }}>
          <Button className="mt-3" onClick={() => openConversation(topicId)}>
            {common('retry')}
          </Button>
        </ErrorNote>
      </div>
    );
  }
  return <div className="flex-1" aria-busy="true" />;
}

function MissingConversation() {
  const t = useTranslations('chat');
  const sidebar = useTranslations('sidebar');
  return (
    <div className="grid flex-1 place-content-center gap-3 p-6 text-center">
      <h1 className="text-lg font-semibold">{t('missing')}</h1>
      <p className="text-muted">{t('missingText')}</p>
      <Link href="/" className="button button-plain justify-self-center">
        {sidebar('newChat')}
      </Link>
    </div>
  );
}

let isWarm = false;

/** Once, when the page has nothing else to do: what shows a conversation comes, and is tried out. */
function warmUp(): void {
  if (isWarm || typeof requestIdleCallback === 'undefined') return;
  isWarm = true;
  requestIdleCallback(() => {
    readPart(() => import('./conversation-view.tsx'))
      .then(() => readPart(() => import('./warm-up.tsx')))
      .then(({ warmUpConversation }) => warmUpConversation())
      .catch((error: unknown) => console.warn('The page could not warm up:', error));
  });
}
