import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type Conversation, isMessageRunning } from '#shared/message.ts';
import { messagesApi } from '../api/messages-api.ts';
import { useConversation } from '../state/conversation.ts';
import { readDraft, writeDraft } from '../state/drafts.ts';
import { showFailure } from '../state/notices.ts';
import { onQuote } from '../state/quotes.ts';
import { AssistantPicker } from './assistant-picker.tsx';
import { ModelPicker } from './model-picker.tsx';
import { ServerPicker } from './server-picker.tsx';

interface ComposerProps {
  topicId: string | null;
  onSend: (text: string) => Promise<void>;
}

/** Where a message is written, with what it will be answered by. */
export function Composer({ topicId, onSend }: ComposerProps): ReactElement {
  const t = useTranslations('composer');
  const { text, setText, area } = useDraft(topicId);
  const running = useConversation(({ conversation }) => runningAnswers(conversation));
  const send = () => {
    const words = text.trim();
    if (words === '') return;
    setText('');
    onSend(words).catch((error: unknown) => {
      showFailure(error);
      setText(words);
    });
  };
  return (
    <div className="composer-fade relative mx-auto w-full max-w-measure px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6 sm:pb-4">
      <div className="rounded-[1.375rem] border border-line-strong bg-raised shadow-float transition-colors focus-within:border-muted">
        <textarea
          ref={area}
          data-testid="composer"
          rows={1}
          value={text}
          aria-label={t('label')}
          placeholder={running ? t('placeholderRunning') : t('placeholder')}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (!isSendKey(event)) return;
            event.preventDefault();
            send();
          }}
          className="field-sizing-content block max-h-[40dvh] min-h-13 w-full resize-none bg-transparent px-4.5 pt-3.5 pb-1 leading-relaxed outline-none placeholder:text-muted"
        />
        <div className="flex items-center gap-0.5 px-2.5 pb-2.5">
          <AssistantPicker topicId={topicId} />
          <ModelPicker topicId={topicId} />
          <ServerPicker topicId={topicId} />
          <div className="ml-auto flex shrink-0 gap-1.5 pl-1">
            {running && <StopButton answerIds={running.split(' ')} />}
            {(!running || text.trim() !== '') && (
              <button
                type="button"
                data-testid="send"
                aria-label={t('send')}
                title={t('hint')}
                disabled={text.trim() === ''}
                onClick={send}
                className="grid size-9 place-items-center rounded-full bg-accent text-accent-ink transition-colors hover:bg-accent-hover disabled:bg-hover disabled:text-muted"
              >
                <ArrowUp aria-hidden className="size-5" />
              </button>
            )}
          </div>
        </div>
      </div>
    </div>
  );
}

/** Stops everything that runs here, also what waits for its turn. */
function StopButton({ answerIds }: { answerIds: string[] }) {
  const t = useTranslations('composer');
  return (
    <button
      type="button"
      data-testid="stop"
      aria-label={t('stop')}
      title={t('stop')}
      onClick={() => {
        Promise.all(answerIds.toReversed().map(messagesApi.stop)).catch(showFailure);
      }}
      className="grid size-9 place-items-center rounded-full bg-ink text-canvas transition-opacity hover:opacity-80"
    >
      <Square aria-hidden className="size-3.5 fill-current" />
    </button>
  );
}

/** The text of the box, kept for each topic until it is sent. */
function useDraft(topicId: string | null) {
  const [text, setText] = useState(() => readDraft(topicId));
  const area = useRef<HTMLTextAreaElement>(null);
  const shownFor = useRef(topicId);
  useEffect(() => {
    if (shownFor.current === topicId) return;
    shownFor.current = topicId;
    setText(readDraft(topicId));
    focusArea(area.current);
  }, [topicId]);
  useEffect(() => focusArea(area.current), []);
  const change = (next: string) => {
    setText(next);
    writeDraft(shownFor.current, next);
  };
  useEffect(() =>
    onQuote((quotation) => {
      change((text === '' ? '' : `${text.trimEnd()}\n\n`) + quotation);
      area.current?.focus();
    }),
  );
  return { text, setText: change, area };
}

/** A keyboard on the screen of a phone would hide the conversation. */
function focusArea(area: HTMLTextAreaElement | null): void {
  if (matchMedia('(pointer: fine)').matches) area?.focus();
}

/** Enter sends; not with Shift, and not while an input method composes a word. */
function isSendKey(event: KeyboardEvent): boolean {
  const composing = event.nativeEvent.isComposing || event.keyCode === 229;
  return event.key === 'Enter' && !event.shiftKey && !composing;
}

/** All answers that run, as one text so that it only changes when they do. */
function runningAnswers(conversation: Conversation | null): string {
  if (!conversation?.topic.isLoading) return '';
  return conversation.messages
    .filter(isMessageRunning)
    .map(({ id }) => id)
    .join(' ');
}
