import { memo, type ReactElement, useDeferredValue, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isMessageRunning, type Message } from '#shared/vocabulary/message.ts';
import { SourceList } from '../../../features/sources/source-list.tsx';
import { createSourceIndex, SourcesContext } from '../../../features/sources/sources.tsx';
import { AnswerActions } from './answer-actions.tsx';
import { ApprovalBatch } from './approval-batch.tsx';
import { Blocks } from './blocks.tsx';
import { UserMessage } from './user-message.tsx';
import { WaitingRow } from './waiting-row.tsx';

interface MessageProps {
  message: Message;
  /** Far from the end: the browser may skip it while it is out of sight. */
  far: boolean;
  /** An answer that begins when the one before it has made room. */
  queued: boolean;
}

/** One message of the shown branch. */
export const MessageView = memo(function MessageView(props: MessageProps): ReactElement {
  const { message, far, queued } = props;
  const t = useTranslations('message');
  return (
    <article
      data-testid="message"
      data-id={message.id}
      data-role={message.role}
      data-status={message.status}
      aria-label={message.role === 'user' ? t('you') : t('answer')}
      aria-busy={isMessageRunning(message)}
      className={`group/message ${far ? 'message-far' : ''}`}
    >
      {message.role === 'user' ? (
        <UserMessage message={message} />
      ) : (
        <Answer message={message} queued={queued} />
      )}
    </article>
  );
});

function Answer({ message, queued }: { message: Message; queued: boolean }) {
  const [sourcesOf] = useState(createSourceIndex);
  const sources = sourcesOf(message.blocks);
  // The end of an answer changes much of the page: what can be done with it comes right after.
  const hasActions = useDeferredValue(!isMessageRunning(message)) && !isMessageRunning(message);
  return (
    <div className="space-y-4">
      <SourcesContext value={sources}>
        <Blocks blocks={message.blocks} />
      </SourcesContext>
      {!isMessageRunning(message) && <SourceList blocks={message.blocks} sources={sources} />}
      <ApprovalBatch message={message} />
      {message.waiting && (
        <WaitingRow message={message} waiting={message.waiting} queued={queued} />
      )}
      {hasActions && <AnswerActions message={message} />}
    </div>
  );
}
