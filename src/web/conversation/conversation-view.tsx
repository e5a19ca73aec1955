import { ArrowDown } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { activePath, type Conversation, isMessageRunning } from '#shared/message.ts';
import { EarlierMessages } from './earlier-messages.tsx';
import { MessageView } from './message-view.tsx';
import { Outgoing } from './outgoing.tsx';
import { useLinkedMessage } from './use-linked-message.ts';
import { useStickToEnd } from './use-stick-to-end.ts';

const always = 6;

/** The shown branch of a conversation, following its end while the reader is there. */
export function ConversationView({ conversation }: { conversation: Conversation }): ReactElement {
  const t = useTranslations('chat');
  const { topic, messages, hasEarlier } = conversation;
  useLinkedMessage();
  const path = activePath(conversation);
  const running = path.findIndex(isMessageRunning);
  const { scroller, content, atEnd, toEnd } = useStickToEnd();
  return (
    <div className="relative min-h-0 flex-1">
      <h1 className="sr-only">{topic.title || t('log')}</h1>
      <div
        ref={scroller}
        data-testid="scroller"
        role="log"
        aria-label={t('log')}
        aria-live="off"
        tabIndex={0}
        className="h-full overflow-y-auto overscroll-contain focus-visible:outline-none"
      >
        <div
          ref={content}
          className="mx-auto w-full max-w-measure space-y-7 px-4 pt-6 pb-10 sm:px-6"
        >
          <EarlierMessages firstId={messages[0]?.id} hasEarlier={hasEarlier} />
          {path.map((message, index) => (
            <MessageView
              key={message.id}
              message={message}
              far={index < path.length - always}
              queued={index > running && isMessageRunning(message)}
            />
          ))}
          <Outgoing topicId={topic.id} messages={messages} />
        </div>
      </div>
      {!atEnd && (
        <button
          type="button"
          aria-label={t('latest')}
          title={t('latest')}
          data-testid="jump-latest"
          onClick={toEnd}
          className="absolute bottom-3 left-1/2 grid size-9 -translate-x-1/2 place-items-center rounded-full border border-line bg-raised text-muted shadow-float hover:text-ink"
        >
          <ArrowDown aria-hidden className="size-4" />
        </button>
      )}
    </div>
  );
}
