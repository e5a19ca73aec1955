import { ArrowDown } from 'lucide-react';
import { type ReactElement, type RefObject, useContext, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import {
  activePath,
  type Conversation,
  isMessageRunning,
  type Message,
} from '#shared/vocabulary/message.ts';
import { SlotWatch } from '../../ui/virtual/slot-watch.ts';
import { Slot, SlotWatchContext } from '../../ui/virtual/slot.tsx';
import { EarlierMessages } from './earlier-messages.tsx';
import { Find } from './find/find.tsx';
import { ForkedFrom } from './forked-from.tsx';
import { MessageView } from './message/message-view.tsx';
import { Outgoing } from './outgoing.tsx';
import { estimateMessage, messageName } from './scroll/block-groups.ts';
import { useLinkedMessage } from './scroll/use-linked-message.ts';
import { useStickToEnd } from './scroll/use-stick-to-end.ts';

/** The newest messages are always drawn: this is where a conversation is read and goes on. */
const always = 4;
/** Up to so many blocks everything is drawn, so that the browser's own search finds it all. */
const few = 60;

/** The shown branch of a conversation, following its end while the reader is there. */
export function ConversationView({ conversation }: { conversation: Conversation }): ReactElement {
  const t = useTranslations('chat');
  const { topic } = conversation;
  const { scroller, content, atEnd, toEnd } = useStickToEnd();
  const watch = useSlotWatch(scroller);
  useLinkedMessage(scroller);
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
        className="page-scroller scroll-focus relative h-full scroll-pb-15 overscroll-contain"
      >
        <div
          ref={content}
          className="mx-auto w-full max-w-measure space-y-7 px-4 pt-6 pb-10 sm:px-6"
        >
          <Branch conversation={conversation} watch={watch} />
        </div>
      </div>
      <Find topicId={topic.id} scroller={scroller} />
      {!atEnd && <LatestButton onClick={toEnd} />}
    </div>
  );
}

/** All that is shown of it, from what is before to what is on its way. */
function Branch({ conversation, watch }: { conversation: Conversation; watch: SlotWatch }) {
  const { topic, messages, hasEarlier } = conversation;
  const path = activePath(conversation);
  return (
    <>
      {topic.forkedFrom && !hasEarlier && <ForkedFrom from={topic.forkedFrom} />}
      <EarlierMessages firstId={firstBlock(messages)} hasEarlier={hasEarlier} />
      <SlotWatchContext value={hasEarlier || isLarge(path) ? watch : null}>
        <Messages path={path} />
      </SlotWatchContext>
      <Outgoing topicId={topic.id} messages={messages} />
    </>
  );
}

function LatestButton({ onClick }: { onClick: () => void }) {
  const t = useTranslations('chat');
  return (
    <button
      type="button"
      aria-label={t('latest')}
      title={t('latest')}
      data-testid="jump-latest"
      onClick={onClick}
      className="absolute right-4 bottom-3 grid size-9 place-items-center rounded-full border border-line bg-raised text-muted shadow-float hover:text-ink sm:right-auto sm:left-1/2 sm:-translate-x-1/2 pointer-coarse:size-11"
    >
      <ArrowDown aria-hidden className="size-4" />
    </button>
  );
}

function useSlotWatch(scroller: RefObject<HTMLElement | null>): SlotWatch {
  const [watch] = useState(() => new SlotWatch());
  useEffect(() => {
    if (scroller.current) return watch.open(scroller.current);
  }, [scroller, watch]);
  return watch;
}

function Messages({ path }: { path: Message[] }) {
  const running = path.findIndex(isMessageRunning);
  const isVirtual = useContext(SlotWatchContext) !== null;
  return path.map((message, index) => {
    const isRunning = isMessageRunning(message);
    return (
      <Slot
        key={message.id}
        name={messageName(message.id)}
        always={isRunning || index >= path.length - always}
        estimate={estimateMessage(message)}
      >
        <MessageView
          message={message}
          far={!isVirtual && index < path.length - always}
          queued={index > running && isRunning}
        />
      </Slot>
    );
  });
}

function isLarge(path: Message[]): boolean {
  let blocks = 0;
  for (const message of path) blocks += Math.max(1, message.blocks.length);
  return blocks > few;
}

/** Changes whenever an earlier page was put in front. */
function firstBlock([oldest]: Message[]): string | undefined {
  return oldest?.blocks[0]?.id ?? oldest?.id;
}
