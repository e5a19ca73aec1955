import { lazy, type ReactElement, Suspense, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { Link, useLocation } from 'wouter';
import { Composer } from '../composer/composer.tsx';
import type { OnSend } from '../composer/use-send.ts';
import { openConversation, useConversation } from '../state/conversation.ts';
import { moveDraft } from '../state/drafts.ts';
import { readPart } from '../state/line.ts';
import { createTopic } from '../state/new-chat.ts';
import { sendMessage } from '../state/outbox.ts';
import { useTour } from '../state/tour.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Welcome } from './welcome.tsx';

const Tour = lazy(async () => {
  const { Tour } = await import('./tour-card.tsx');
  return { default: Tour };
});

/** What shows blocks is most of the page's code: it comes beside the first conversation. */
const ConversationView = lazy(async () => {
  const { ConversationView } = await readPart(() => import('./conversation-view.tsx'));
  return { default: ConversationView };
});

/** A conversation, or the place where one begins; the composer stays when one becomes the other. */
export function ChatPage({ topicId }: { topicId: string | null }): ReactElement {
  const [, navigate] = useLocation();
  useEffect(() => openConversation(topicId), [topicId]);
  useDocumentTitle();
  const tour = useTour(({ stop }) => stop !== null);
  const missing = useConversation((state) => state.phase === 'missing');
  const onSend: OnSend = async ({ text, files }) => {
    const target = topicId ?? (await createTopic());
    const after = useConversation.getState().conversation?.messages.at(-1)?.id;
    const more = { ...(files.length > 0 && { files }), ...(topicId !== null && { after }) };
    const sent = sendMessage({ topicId: target, text, ...more });
    if (topicId === null) {
      moveDraft(null, target);
      navigate(`/t/${target}`);
    }
    await sent;
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {topicId === null ? (
        <Welcome onSuggest={(text) => onSend({ text, files: [] })} />
      ) : (
        <OpenConversation topicId={topicId} />
      )}
      <Suspense>{tour && <Tour />}</Suspense>
      {!missing && <Composer topicId={topicId} onSend={onSend} />}
    </div>
  );
}

function OpenConversation({ topicId }: { topicId: string }) {
  const t = useTranslations('chat');
  const common = useTranslations('common');
  const sidebar = useTranslations('sidebar');
  const { phase, conversation, error } = useConversation();
  if (conversation?.topic.id === topicId) {
    return (
      <Suspense fallback={<div className="flex-1" aria-busy="true" />}>
        <ConversationView key={topicId} conversation={conversation} />
      </Suspense>
    );
  }
  if (phase === 'missing') {
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

function useDocumentTitle(): void {
  const title = useConversation(({ conversation }) => conversation?.topic.title);
  useEffect(() => {
    document.title = title ? `${title} · Cerise` : 'Cerise';
  }, [title]);
}
