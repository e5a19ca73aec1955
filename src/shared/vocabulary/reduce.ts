import { type Block, isBlockOpen, toolBlockStatus } from './block.ts';
import type { BlockPatch, Event, EventBody } from './event.ts';
import {
  type Conversation,
  isMessageOpen,
  isMessageRunning,
  type Message,
  type Retry,
  type Waiting,
} from './message.ts';

/**
 * Gives an event its meaning: the next conversation, or the same object if nothing changes. Server,
 * store, command line and browser all run this. Repeated events (by `seq`), events of types or ids it
 * does not know and events that would break a finished message change nothing.
 */
export function reduce(conversation: Conversation, event: Event): Conversation {
  if (event.type === 'snapshot') return event.conversation;
  if (event.seq !== undefined && event.seq <= conversation.seq) return conversation;
  const next = applyToConversation(conversation, event);
  if (next === null) return conversation;
  const seq = event.seq ?? conversation.seq;
  return next === conversation && seq === conversation.seq ? conversation : { ...next, seq };
}

/** Null for an event whose type is unknown; the same conversation if it has no effect. */
function applyToConversation(conversation: Conversation, event: EventBody): Conversation | null {
  switch (event.type) {
    case 'message-start':
      return startMessage(conversation, event.message);
    case 'topic-update':
      return { ...conversation, topic: patched(conversation.topic, event.patch) };
    case 'topic-delete':
      return {
        ...conversation,
        messages: [],
        topic: { ...conversation.topic, activeLeafId: null },
      };
    case 'messages-delete':
      return deleteMessages(conversation, event);
    case 'message-reopen':
    case 'message-retry':
    case 'model-end':
    case 'block-start':
    case 'block-delta':
    case 'block-update':
    case 'block-end':
    case 'message-end':
      return changeMessage(conversation, event);
    default:
      return null;
  }
}

function startMessage(conversation: Conversation, message: Message): Conversation {
  const { messages } = conversation;
  if (messages.some(({ id, accepted }) => id === message.id && !accepted)) return conversation;
  // What somebody goes on with is not put away any more.
  const { archived: _, ...topic } = conversation.topic;
  return withLoading({
    ...conversation,
    messages: [...messages.filter(({ id }) => id !== message.id), withWaiting(message)],
    topic: { ...topic, activeLeafId: message.id, updatedAt: message.createdAt },
  });
}

function deleteMessages(
  conversation: Conversation,
  { messageIds, activeLeafId }: Extract<EventBody, { type: 'messages-delete' }>,
): Conversation {
  const gone = new Set(messageIds);
  return withLoading({
    ...conversation,
    messages: conversation.messages.filter(({ id }) => !gone.has(id)),
    topic: { ...conversation.topic, activeLeafId },
  });
}

function changeMessage(
  conversation: Conversation,
  event: Exclude<
    EventBody,
    { type: 'message-start' | 'messages-delete' | 'topic-update' | 'topic-delete' | 'snapshot' }
  >,
): Conversation {
  const index = conversation.messages.findLastIndex(({ id }) => id === event.messageId);
  const message = conversation.messages[index];
  if (!message) return conversation;
  const changed = reduceMessage(message, event);
  if (changed === message) return conversation;
  const next = { ...conversation, messages: conversation.messages.with(index, changed) };
  const isEdge = event.type === 'message-end' || event.type === 'message-reopen';
  return isEdge ? withLoading(next) : next;
}

function withLoading(conversation: Conversation): Conversation {
  const isLoading = conversation.messages.some(isMessageOpen);
  if (isLoading === conversation.topic.isLoading) return conversation;
  return { ...conversation, topic: { ...conversation.topic, isLoading } };
}

/** The part of `reduce` that concerns one message; the engine keeps a running answer with it. */
export function reduceMessage(message: Message, event: EventBody): Message {
  if (event.type === 'message-reopen')
    return isMessageOpen(message) ? message : { ...message, translating: true };
  if (!isMessageOpen(message)) return message;
  switch (event.type) {
    case 'block-start':
      return startBlock(message, event.block);
    case 'block-delta':
      return changeBlock(message, event.blockId, (block) =>
        appendText(block, event.offset, event.text),
      );
    case 'block-update':
    case 'block-end':
      return withWaiting(changeBlock(message, event.blockId, (block) => reduceBlock(block, event)));
    case 'message-end':
      return endMessage(message, event);
    case 'message-retry':
      return retryMessage(message, event.retry);
    case 'model-end':
      return { ...message, rounds: [...(message.rounds ?? []), event.request] };
    default:
      return message;
  }
}

/** The part of it that concerns the fields of one block. */
export function reduceBlock(
  block: Block,
  event: Extract<EventBody, { type: 'block-update' | 'block-end' }>,
): Block {
  return event.type === 'block-end' ? endBlock(block, event) : patchBlock(block, event.patch);
}

/** Ordinals only grow, so the order of blocks never changes once given. */
function startBlock(message: Message, block: Block): Message {
  const last = message.blocks.at(-1);
  if (last && block.ordinal <= last.ordinal) return message;
  const blocks = [...message.blocks, block];
  if (message.translating) return { ...message, blocks };
  return withWaiting({ ...message, status: 'processing', blocks });
}

function changeBlock(message: Message, blockId: string, change: (block: Block) => Block): Message {
  const index = message.blocks.findLastIndex(({ id }) => id === blockId);
  const block = message.blocks[index];
  if (!block || !isBlockOpen(block)) return message;
  const changed = change(block);
  return changed === block ? message : { ...message, blocks: message.blocks.with(index, changed) };
}

/** Text with a gap before it cannot be placed and is left out; the durable delta will bring it. */
function appendText(block: Block, offset: number, text: string): Block {
  const length = block.content.length;
  if (offset + text.length <= length || offset > length) return block;
  const kept = offset === length ? block.content : block.content.slice(0, offset);
  return { ...block, content: kept + text };
}

function patchBlock(block: Block, patch: BlockPatch): Block {
  const next = patched(block, patch);
  if (next.type === 'tool') next.status = toolBlockStatus[next.state];
  return next;
}

/** Null removes a field; what is undefined stays. */
function patched<T extends object>(value: T, patch: object): T {
  const changed = { ...value } as Record<string, unknown>;
  for (const [key, field] of Object.entries(patch)) {
    if (field === null) delete changed[key];
    else if (field !== undefined) changed[key] = field;
  }
  return changed as T;
}

function endBlock(block: Block, event: Extract<EventBody, { type: 'block-end' }>): Block {
  const patched = event.patch ? patchBlock(block, event.patch) : { ...block };
  return {
    ...patched,
    status: event.status,
    content: patched.content.slice(0, event.length),
    endedAt: event.at,
  };
}

/** A message never ends with an open block: what is still open was interrupted. */
function endMessage(message: Message, event: Extract<EventBody, { type: 'message-end' }>): Message {
  const { waiting: _, translating: __, ...rest } = message;
  return {
    ...rest,
    status: event.status,
    endedAt: event.at,
    ...(event.usage && { usage: event.usage }),
    blocks: message.blocks.map((block) =>
      isBlockOpen(block) ? { ...block, status: 'interrupted', endedAt: event.at } : block,
    ),
  };
}

/** Only who waits for the model can see that it is asked again. */
function retryMessage(message: Message, retry: Retry | null): Message {
  if (message.waiting?.for !== 'model') return message;
  const { retry: _, ...waiting } = message.waiting;
  return { ...message, waiting: { ...waiting, ...(retry && { retry }) } };
}

/** Derives what a running answer waits for, and `waiting` as its status when that is a person. */
export function withWaiting(message: Message): Message {
  if (message.role === 'user' || !isMessageRunning(message)) return message;
  const waiting = waitingFor(message);
  const person = waiting?.for === 'approval' || waiting?.for === 'input';
  const running = message.blocks.length === 0 ? 'pending' : 'processing';
  const status = person ? 'waiting' : running;
  if (waiting) return { ...message, status, waiting };
  if (!message.waiting && message.status === status) return message;
  const { waiting: _, ...rest } = message;
  return { ...rest, status };
}

function waitingFor(message: Message): Waiting | undefined {
  let toolSince: number | undefined;
  let since = message.createdAt;
  for (const block of message.blocks) {
    since = Math.max(since, block.endedAt ?? block.startedAt);
    if (!isBlockOpen(block)) continue;
    if (block.type !== 'tool') return undefined;
    if (block.approval) return { for: 'approval', since: block.startedAt };
    if (block.state === 'parked') return { for: 'input', since: block.startedAt };
    toolSince ??= block.startedAt;
  }
  return toolSince === undefined ? { for: 'model', since } : { for: 'tool', since: toolSince };
}
