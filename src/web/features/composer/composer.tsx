import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useConversation } from '../../state/chat/conversation.ts';
import { quoteInDraft, useDraft, writeDraft } from '../../state/chat/drafts.ts';
import { onQuote } from '../../state/chat/quotes.ts';
import { usePreferences } from '../../state/page/preferences.ts';
import { isPressed } from '../../state/page/shortcuts.ts';
import { useKeys } from '../../state/page/use-shortcut.ts';
import { useMedia } from '../../ui/hooks/use-media.ts';
import { useOfferWhileRunning } from '../inbox/use-notify-offer.ts';
import { lazyPart, Part } from '../loading/part.tsx';
import { AttachButton } from './attachments/attach-button.tsx';
import { DropZone } from './attachments/drop-zone.tsx';
import { pastedFiles } from './attachments/pasted-files.ts';
import { useAttach } from './attachments/use-attach.ts';
import { runningAnswers, SendButton, StopButton, translatedMessages } from './send-buttons.tsx';
import { findTrigger, type Trigger } from './suggest/find-trigger.ts';
import type { SuggestHandle } from './suggest/suggest-menu.tsx';
import { useFocus } from './use-focus.ts';
import { useRecall } from './use-recall.ts';
import { type OnSend, useSend } from './use-send.ts';
import { useTyping } from './use-typing.ts';

const Attachments = lazyPart(
  async () => (await import('./attachments/attachments.tsx')).Attachments,
);
const NotifyOffer = lazyPart(async () => (await import('../inbox/notify-offer.tsx')).NotifyOffer);
const Pickers = lazyPart(async () => (await import('./pickers/pickers.tsx')).Pickers);
const QueuedMessages = lazyPart(async () => (await import('./queued-messages.tsx')).QueuedMessages);
const SuggestMenu = lazyPart(async () => (await import('./suggest/suggest-menu.tsx')).SuggestMenu);

interface ComposerProps {
  topicId: string | null;
  onSend: OnSend;
}

/** Where a message is written, with what goes with it and what it will be answered by. */
export function Composer({ topicId, onSend }: ComposerProps): ReactElement {
  const draft = useDraft(topicId);
  const running = useConversation(({ conversation }) => runningAnswers(conversation));
  const translated = useConversation(({ conversation }) => translatedMessages(conversation));
  const stoppable = `${running} ${translated}`.trim();
  const offers = useOfferWhileRunning(topicId);
  const area = useFocus(topicId);
  const attach = useAttach(topicId);
  const { send, sending, canSend, hint } = useSend(topicId, onSend);
  useQuotes(topicId, area);
  useTyping(area);
  return (
    <div className="composer-fade relative mx-auto w-full max-w-measure px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6 sm:pb-4">
      <DropZone onFiles={attach} />
      <Part>{running.includes(' ') && <QueuedMessages topicId={topicId} />}</Part>
      <Part>
        {offers && !running.includes(' ') && (
          <NotifyOffer
            text="offer"
            className="mx-3 -mb-px rounded-t-xl border border-line bg-sunken"
          />
        )}
      </Part>
      <div
        data-testid="composer-card"
        data-focus-frame
        className="relative flex max-h-[55dvh] flex-col rounded-[1.375rem] border border-line-strong bg-raised shadow-float transition-colors focus-within:border-muted"
      >
        <Part>{draft.attachments.length > 0 && <Attachments topicId={topicId} />}</Part>
        <DraftArea
          topicId={topicId}
          area={area}
          onAttach={attach}
          onSend={send}
          sending={sending}
        />
        <p role="status" className="shrink-0 px-4.5 text-xs text-muted empty:hidden">
          {hint}
        </p>
        <div className="flex shrink-0 items-center gap-0.5 px-2.5 pb-2.5">
          <AttachButton onFiles={attach} />
          <Part fallback={<span className="h-9" />}>
            <Pickers topicId={topicId} />
          </Part>
          <div className="ml-auto flex shrink-0 gap-1.5 pl-1">
            {stoppable && <StopButton messageIds={stoppable.split(' ')} />}
            {(!running || canSend) && <SendButton disabled={!canSend} onSend={() => send()} />}
          </div>
        </div>
      </div>
    </div>
  );
}

/** Takes quotations into the draft, after what is written already. */
function useQuotes(topicId: string | null, area: React.RefObject<HTMLTextAreaElement | null>) {
  useEffect(
    () =>
      onQuote((quotation, message) => {
        quoteInDraft(topicId, quotation, { message });
        area.current?.focus();
      }),
    [topicId, area],
  );
}

interface DraftAreaProps {
  topicId: string | null;
  area: React.RefObject<HTMLTextAreaElement | null>;
  onAttach: (files: File[]) => void;
  onSend: (text?: string) => void;
  sending: boolean;
}

/** The box itself, with the list that a `/` or an `@` opens above it. */
function DraftArea({ topicId, area, onAttach, onSend, sending }: DraftAreaProps) {
  const t = useTranslations('composer');
  const { text } = useDraft(topicId);
  const running = useConversation(({ conversation }) => conversation?.topic.isLoading === true);
  const { trigger, look, dismiss } = useTrigger(text, area);
  const menu = useRef<SuggestHandle>(null);
  const [chosen, setChosen] = useState<string>();
  const recall = useRecall(topicId);
  const touch = useMedia('(pointer: coarse)');
  const needsModifier = usePreferences(({ sendKey }) => sendKey === 'modifier') || touch;
  useSendKeys(needsModifier);
  const wide = useMedia('(min-width: 40rem)');
  const idle = wide ? t('placeholder') : t('placeholderShort');
  const placeholder = running ? t('placeholderRunning') : idle;
  const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes a word, every key is part of it.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (menu.current?.onKey(event) || recall(event)) return;
    if (!isPressed(needsModifier ? 'sendModified' : 'send', event)) return;
    event.preventDefault();
    onSend();
  };
  return (
    <>
      <Part>
        <SuggestMenu
          ref={menu}
          topicId={topicId}
          trigger={trigger}
          area={area}
          onActive={setChosen}
          onDismiss={dismiss}
          onSend={onSend}
        />
      </Part>
      <textarea
        ref={area}
        data-testid="composer"
        rows={1}
        value={text}
        readOnly={sending}
        aria-busy={sending}
        aria-label={t('label')}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={chosen === undefined ? undefined : 'composer-suggestions'}
        aria-activedescendant={chosen}
        enterKeyHint={needsModifier ? 'enter' : 'send'}
        placeholder={placeholder}
        onChange={(event) => {
          writeDraft(topicId, { text: event.target.value });
          look();
        }}
        onSelect={look}
        onBlur={look}
        onPaste={(event) => {
          const files = pastedFiles(event.clipboardData);
          if (files.length === 0) return;
          event.preventDefault();
          onAttach(files);
        }}
        onKeyDown={onKeyDown}
        className="field-sizing-content block max-h-[40dvh] min-h-13 w-full resize-none bg-transparent px-4.5 pt-3.5 pb-1 leading-relaxed outline-none placeholder:text-muted"
      />
    </>
  );
}

/** What the box listens to, for the help. */
function useSendKeys(needsModifier: boolean): void {
  useKeys('commands', 'resources');
  useKeys(needsModifier ? 'sendModified' : 'send', needsModifier ? 'newLinePlain' : 'newLine');
}

/** The word at the caret that asks for a list, until it was waved away. */
function useTrigger(text: string, area: React.RefObject<HTMLTextAreaElement | null>) {
  const [caret, setCaret] = useState(0);
  const [dismissed, setDismissed] = useState<string>();
  const found: Trigger | undefined = findTrigger(text, Math.min(caret, text.length));
  const name = found && `${found.kind} ${found.start}`;
  const trigger = name === dismissed ? undefined : found;
  return {
    trigger,
    look: () => {
      const next = area.current?.selectionEnd ?? 0;
      setCaret(next);
      if (!findTrigger(area.current?.value ?? '', next)) setDismissed(undefined);
    },
    dismiss: () => setDismissed(name),
  };
}
