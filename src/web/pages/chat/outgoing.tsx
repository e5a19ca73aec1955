import { type ReactElement, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { hasArrived } from '#client/outbox/outbox.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { outbox, type OutgoingMessage, useOutbox } from '../../state/chat/outbox.ts';
import { takeBack } from '../../state/chat/take-back.ts';
import { useLine } from '../../state/page/line.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ErrorNote } from '../../ui/notices/error-note.tsx';
import { showFailure } from '../../ui/notices/notices.ts';

/** Messages of a topic that are on their way, after everything that has arrived. */
export function Outgoing(props: { topicId: string | null; messages: Message[] }): ReactElement {
  const { topicId, messages } = props;
  const all = useOutbox((state) => state.messages);
  const own = all.filter((one) => one.topicId === topicId);
  useEffect(() => {
    for (const one of own) if (one.userMessageId && hasArrived(one, messages)) outbox.drop(one.key);
  });
  return (
    <>
      {own
        .filter((one) => !hasArrived(one, messages))
        .map((one) => (
          <OutgoingView key={one.key} message={one} />
        ))}
    </>
  );
}

function OutgoingView({ message }: { message: OutgoingMessage }) {
  const t = useTranslations('message');
  const live = useLine((state) => state.live);
  if (message.state === 'failed') return <FailedMessage message={message} />;
  const isHeld = message.state === 'sending' && !live;
  const words = message.state === 'accepted' ? t('queued') : t('sending');
  return (
    <div className="flex flex-col items-end" data-testid={isHeld ? 'held-message' : undefined}>
      {message.text && <div className="user-text opacity-60">{message.text}</div>}
      {!isHeld && <p className="mt-1 text-xs text-muted">{words}</p>}
      {isHeld && (
        <p className="mt-1 flex items-center gap-2 text-xs text-muted">
          {t('held')}
          <button
            type="button"
            onClick={() => takeBack(message)}
            className="underline underline-offset-2 hover:text-ink pointer-coarse:min-h-11"
          >
            {t('takeBack')}
          </button>
        </p>
      )}
    </div>
  );
}

function FailedMessage({ message }: { message: OutgoingMessage }) {
  const t = useTranslations('message');
  const common = useTranslations('common');
  return (
    <div className="flex flex-col items-end gap-2">
      <div className="user-text">{message.text}</div>
      <ErrorNote error={message.error ?? { code: 'internal', message: t('notSent') }}>
        <div className="mt-2 flex gap-2">
          <Button onClick={() => void outbox.retry(message).catch(showFailure)}>
            {common('retry')}
          </Button>
          <Button onClick={() => takeBack(message)}>{t('takeBack')}</Button>
        </div>
      </ErrorNote>
    </div>
  );
}
