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
  const area = useFocus(topicId);
  const attach = useAttach(topicId);
  const { send, sending, canSend, hint } = useSend(topicId, onSend);
  useQuotes(topicId, area);
  useTyping(area);
  return (
    <div className="composer-fade relative mx-auto w-full max-w-measure px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6 sm:pb-4">
      <DropZone onFiles={attach} />
      <Above topicId={topicId} />
      <div
        data-testid="composer-card"
        data-focus-frame
        className="relative flex max-h-[55dvh] flex-col rounded-[1.375rem] border border-line-strong bg-raised shadow-float transition-colors focus-within:border-muted"
      >
        <Part>{draft.attachments.length > 0 && <Attachments topicId={topicId} />}</Part>
        <DraftArea {...{ topicId, area, sending }} onAttach={attach} onSend={send} />
        <p role="status" className="shrink-0 px-4.5 text-xs text-muted empty:hidden">
          {hint}
        </p>
        <div className="flex shrink-0 items-center gap-0.5 px-2.5 pb-2.5">
          <AttachButton onFiles={attach} />
          <Part fallback={<span className="h-9" />}>
            <Pickers topicId={topicId} />
          </Part>
          <SendOrStop canSend={canSend} onSend={() => send()} />
        </div>
      </div>
    </div>
  );
}

/** What stands on top of the box while an answer runs: what waits behind it, or an offer to tell when it ends. */
function Above({ topicId }: { topicId: string | null }) {
  const running = useConversation(({ conversation }) => runningAnswers(conversation));
  const offers = useOfferWhileRunning(topicId);
  const isQueued = running.includes(' ');
  return (
    <>
      <Part>{isQueued && <QueuedMessages topicId={topicId} />}</Part>
      <Part>
        {offers && !isQueued && (
          <NotifyOffer
            text="offer"
            className="mx-3 -mb-px rounded-t-xl border border-line bg-sunken"
          />
        )}
      </Part>
    </>
  );
}

function SendOrStop({ canSend, onSend }: { canSend: boolean; onSend: () => void }) {
  const running = useConversation(({ conversation }) => runningAnswers(conversation));
  const translated = useConversation(({ conversation }) => translatedMessages(conversation));
  const stoppable = `${running} ${translated}`.trim();
  return (
    <div className="ml-auto flex shrink-0 gap-1.5 pl-1">
      {stoppable && <StopButton messageIds={stoppable.split(' ')} />}
      {(!running || canSend) && <SendButton disabled={!canSend} onSend={onSend} />}
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
function DraftArea(props: DraftAreaProps) {
  const { topicId, area, onSend } = props;
  const { text } = useDraft(topicId);
  const { trigger, look, dismiss } = useTrigger(text, area);
  const menu = useRef<SuggestHandle>(null);
  const [chosen, setChosen] = useState<string>();
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
      <DraftBox {...props} text={text} menu={menu} chosen={chosen} onLook={look} />
    </>
  );
}

interface DraftBoxProps extends DraftAreaProps {
  text: string;
  menu: React.RefObject<SuggestHandle | null>;
  /** The entry of the list that the keys are at. */
  chosen: string | undefined;
  /** Called whenever the caret may stand elsewhere. */
  onLook: () => void;
}

function DraftBox(props: DraftBoxProps) {
  const { topicId, area, onAttach, sending, text, chosen, onLook } = props;
  const t = useTranslations('composer');
  const placeholder = usePlaceholder();
  const { needsModifier, onKeyDown } = useDraftKeys(props);
  return (
    <textarea
      ref={area}
      data-testid="composer"
      dir="auto"
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
        onLook();
      }}
      onSelect={onLook}
      onBlur={onLook}
      onPaste={(event) => pasteFiles(event, onAttach)}
      onKeyDown={onKeyDown}
      className="field-sizing-content block max-h-[40dvh] min-h-13 w-full resize-none bg-transparent px-4.5 pt-3.5 pb-1 leading-relaxed outline-none placeholder:text-muted"
    />
  );
}

function pasteFiles(event: React.ClipboardEvent, onAttach: DraftAreaProps['onAttach']): void {
  const files = pastedFiles(event.clipboardData);
  if (files.length === 0) return;
  event.preventDefault();
  onAttach(files);
}

/** First the list takes a key, then what was sent before, then the message goes. */
function useDraftKeys({ topicId, menu, onSend }: DraftBoxProps) {
  const recall = useRecall(topicId);
  const touch = useMedia('(pointer: coarse)');
  const needsModifier = usePreferences(({ sendKey }) => sendKey === 'modifier') || touch;
  useKeys('commands', 'resources');
  useKeys(needsModifier ? 'sendModified' : 'send', needsModifier ? 'newLinePlain' : 'newLine');
  const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes a word, every key is part of it.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (menu.current?.onKey(event) || recall(event)) return;
    if (!isPressed(needsModifier ? 'sendModified' : 'send', event)) return;
    event.preventDefault();
    onSend();
  };
  return { needsModifier, onKeyDown };
}

function usePlaceholder(): string {
  const t = useTranslations('composer');
  const running = useConversation(({ conversation }) => conversation?.topic.isLoading === true);
  const wide = useMedia('(min-width: 40rem)');
  if (running) return t('placeholderRunning');
  return wide ? t('placeholder') : t('placeholderShort');
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
