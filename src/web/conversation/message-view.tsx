import { memo, type ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { isMessageRunning, type Message } from '#shared/message.ts';
import { BlockView } from '../blocks/block-view.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { AnswerActions } from './answer-actions.tsx';
import { ApprovalBatch } from './approval-batch.tsx';
import { UserMessage } from './user-message.tsx';
import { WaitingRow } from './waiting-row.tsx';

interface MessageProps {
  message: Message;
  /** Far from the end: the browser may skip it while it is out of sight. */
  far: boolean;
}

/** One message of the shown branch. */
export const MessageView = memo(function MessageView({ message, far }: MessageProps): ReactElement {
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
      {message.role === 'user' ? <UserMessage message={message} /> : <Answer message={message} />}
    </article>
  );
});

function Answer({ message }: { message: Message }) {
  const shownError = message.error && !message.blocks.some(({ type }) => type === 'error');
  return (
    <div className="space-y-4">
      {message.blocks.map((block) => (
        <BlockView key={block.id} block={block} />
      ))}
      <ApprovalBatch message={message} />
      {message.waiting && <WaitingRow waiting={message.waiting} />}
      {shownError && message.error && <ErrorNote error={message.error} />}
      {!isMessageRunning(message) && <AnswerActions message={message} />}
    </div>
  );
}
