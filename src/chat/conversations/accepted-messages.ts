import type { Block } from '#shared/vocabulary/block.ts';
import type { Conversation, Message } from '#shared/vocabulary/message.ts';
import type { InboxRow } from '#store/conversations/inbox.ts';
import { type AcceptedCommand, toCommand } from '../cluster/command.ts';
import { blockId } from '../topic/block-manager.ts';

/**
 * A conversation with the messages that were accepted for it and that the host which has it, or takes it
 * over, has yet to carry out. Their ids are the final ones; the rest is what is known of them so far.
 */
export function withAccepted(conversation: Conversation, inbox: InboxRow[]): Conversation {
  let shown = conversation;
  for (const row of inbox) shown = withCommand(shown, toCommand(row));
  return shown;
}

function withCommand(shown: Conversation, command: AcceptedCommand): Conversation {
  const known = new Set(shown.messages.map(({ id }) => id));
  const messages = toMessages(shown, command).filter(({ id }) => !known.has(id));
  const last = messages.at(-1);
  if (!last) return shown;
  return {
    ...shown,
    messages: [...shown.messages, ...messages],
    topic: { ...shown.topic, activeLeafId: last.id, isLoading: true },
  };
}

function toMessages({ topic, messages }: Conversation, command: AcceptedCommand): Message[] {
  if (command.kind === 'send') {
    const { input, ids } = command.body;
    const parentId = input.parentId === undefined ? topic.activeLeafId : input.parentId;
    const user = question(command, ids.userMessageId, parentId, input.text);
    return [user, answer(command, ids.answerId, user.id, input.model ?? topic.model)];
  }
  if (!isRegeneration(command)) return [];
  const { answerId, model, ids } = command.body;
  const before = messages.find(({ id }) => id === answerId);
  return before ? [answer(command, ids.answerId, before.parentId, model ?? before.model)] : [];
}

type Regeneration = Extract<AcceptedCommand, { kind: `regenerate${string}` }>;

function isRegeneration(command: AcceptedCommand): command is Regeneration {
  return command.kind.startsWith('regenerate');
}

function question(
  { topicId, createdAt: at }: AcceptedCommand,
  id: string,
  parentId: string | null,
  content: string,
): Message {
  const block: Block = {
    id: blockId(id, 0),
    messageId: id,
    ordinal: 0,
    round: 0,
    type: 'main_text',
    status: 'success',
    content,
    startedAt: at,
    endedAt: at,
  };
  const blocks = content.trim() === '' ? [] : [block];
  const times = { createdAt: at, endedAt: at };
  return {
    id,
    topicId,
    parentId,
    role: 'user',
    status: 'success',
    ...times,
    blocks,
    accepted: true,
  };
}

function answer(
  { topicId, createdAt }: AcceptedCommand,
  id: string,
  parentId: string | null,
  model: string | undefined,
): Message {
  return {
    id,
    topicId,
    parentId,
    role: 'assistant',
    status: 'pending',
    ...(model !== undefined && { model }),
    createdAt,
    blocks: [],
    accepted: true,
  };
}
