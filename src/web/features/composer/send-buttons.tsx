import { ArrowUp, Square } from 'lucide-react';
import { type ReactElement, useLayoutEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { type Conversation, isMessageRunning, type Message } from '#shared/vocabulary/message.ts';
import { api } from '../../state/session/api.ts';
import { regainFocus } from '../../ui/focus/regain-focus.ts';
import { showFailure } from '../../ui/notices/notices.ts';

/** Sends what is written. */
export function SendButton(props: { disabled: boolean; onSend: () => void }): ReactElement {
  const t = useTranslations('composer');
  return (
    <button
      type="button"
      data-testid="send"
      aria-label={t('send')}
      title={t('hint')}
      disabled={props.disabled}
      onClick={props.onSend}
      className="grid size-9 place-items-center rounded-full bg-accent text-accent-ink transition-colors hover:bg-accent-hover disabled:bg-hover disabled:text-muted pointer-coarse:size-11"
    >
      <ArrowUp aria-hidden className="size-5" />
    </button>
  );
}

/** Stops everything that runs here: answers, also what waits for its turn, and translations. */
export function StopButton({ messageIds }: { messageIds: string[] }): ReactElement {
  const t = useTranslations('composer');
  const button = useRef<HTMLButtonElement>(null);
  // It goes when everything has stopped: whoever stopped it by the keyboard goes on writing.
  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      if (own === document.activeElement) regainFocus();
    };
  }, []);
  return (
    <button
      ref={button}
      type="button"
      data-testid="stop"
      aria-label={t('stop')}
      title={t('stop')}
      onClick={() => {
        Promise.all(messageIds.toReversed().map(api.messages.stop)).catch(showFailure);
      }}
      className="grid size-9 place-items-center rounded-full bg-ink text-canvas transition-opacity hover:opacity-80 pointer-coarse:size-11"
    >
      <Square aria-hidden className="size-3.5 fill-current" />
    </button>
  );
}

/** All answers that run, as one text so that it only changes when they do. */
export function runningAnswers(conversation: Conversation | null): string {
  if (!conversation?.topic.isLoading) return '';
  return idsOf(conversation.messages.filter(isMessageRunning));
}

/** The same of all messages that are being translated. */
export function translatedMessages(conversation: Conversation | null): string {
  return idsOf(conversation?.messages.filter(({ translating }) => translating) ?? []);
}

function idsOf(messages: Message[]): string {
  return messages.map(({ id }) => id).join(' ');
}
