import type { Block } from '#shared/vocabulary/block.ts';
import type { Event } from '#shared/vocabulary/event.ts';
import {
  activePath,
  type Conversation,
  isMessageRunning,
  type Message,
} from '#shared/vocabulary/message.ts';
import { reduce } from '#shared/vocabulary/reduce.ts';
import { PageProviders } from '../../features/loading/page-providers.tsx';
import { warmUp } from '../../features/markdown/warm-up.ts';
import { useConversation } from '../../state/chat/conversation.ts';
import { MessageView } from './message/message-view.tsx';

/** How long after a key or a touch the page counts as in use, in milliseconds. */
const pauseMs = 1000;
const uses = ['keydown', 'pointerdown', 'wheel'] as const;

/** Spends the first use of what moves a conversation on and draws it, while nobody needs the page. */
export async function warmUpConversation(): Promise<void> {
  let lastUse = -Infinity;
  const onUse = () => (lastUse = performance.now());
  const isBusy = () => performance.now() - lastUse < pauseMs || isAnswering();
  for (const use of uses) addEventListener(use, onUse, { capture: true, passive: true });
  let conversation = sample;
  try {
    await warmUp((text, growing) => {
      conversation = eventsOf(conversation, text, growing).reduce(reduce, conversation);
      return (
        <PageProviders>
          {activePath(conversation).map((message) => (
            <MessageView key={message.id} message={message} far={false} queued={false} />
          ))}
        </PageProviders>
      );
    }, isBusy);
  } finally {
    for (const use of uses) removeEventListener(use, onUse, { capture: true });
    performance.mark('warmed-up');
  }
}

function isAnswering(): boolean {
  return useConversation.getState().conversation?.messages.some(isMessageRunning) ?? false;
}

const messageId = 'answer';
const blockId = 'text';
const sample: Conversation = {
  topic: {
    id: 'sample',
    title: '',
    titled: false,
    assistantId: '',
    activeLeafId: null,
    isLoading: false,
    createdAt: 0,
    updatedAt: 0,
  },
  messages: [],
  hasEarlier: false,
  seq: 0,
};

/** What happens until so much of the answer has come. */
function eventsOf({ messages }: Conversation, text: string, growing: boolean): Event[] {
  if (text === '') return [start('question', 'user')];
  const content = messages.find(({ id }) => id === messageId)?.blocks[0]?.content;
  const begin: Event[] =
    content === undefined
      ? [start(messageId, 'assistant'), { type: 'block-start', messageId, blockId, block }]
      : [];
  const offset = content?.length ?? 0;
  const delta: Event = {
    type: 'block-delta',
    messageId,
    blockId,
    offset,
    text: text.slice(offset),
  };
  const ended = { status: 'success', at: 0 } as const;
  const end: Event[] = [
    { type: 'block-end', messageId, blockId, length: text.length, ...ended },
    { type: 'message-end', messageId, ...ended },
  ];
  return [...begin, delta, ...(growing ? [] : end)];
}

const block: Block = {
  id: blockId,
  messageId,
  ordinal: 0,
  round: 0,
  startedAt: 0,
  type: 'main_text',
  status: 'streaming',
  content: '',
};

function start(id: string, role: Message['role']): Event {
  const isQuestion = role === 'user';
  const message: Message = {
    id,
    topicId: sample.topic.id,
    parentId: isQuestion ? null : 'question',
    role,
    status: isQuestion ? 'success' : 'pending',
    createdAt: 0,
    blocks: isQuestion ? [{ ...block, status: 'success', content: 'Words' }] : [],
  };
  return { type: 'message-start', messageId: id, message };
}
