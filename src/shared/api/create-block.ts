import type { ErrorInfo } from '../errors/errors.ts';
import type { Block, BlockOf, BlockStatus, BlockType } from '../vocabulary/block.ts';
import type { Conversation, Message } from '../vocabulary/message.ts';

type Base = 'id' | 'messageId' | 'type' | 'ordinal' | 'content' | 'round' | 'startedAt' | 'status';
/** What may be said of a new block besides what its type needs. */
type More<Type extends BlockType> = Partial<Omit<BlockOf<Type>, 'type' | 'messageId'>>;

/** A block of any type with the usual beginnings; `fields` are what its type needs. */
export function createBlock<Type extends BlockType>(
  messageId: string,
  type: Type,
  fields: Omit<BlockOf<Type>, Base> & More<Type>,
): BlockOf<Type> {
  const { ordinal = 0 } = fields;
  const base = { ordinal, id: `${messageId}.${ordinal}`, content: '', round: 0 };
  const status: BlockStatus = 'pending';
  return {
    ...base,
    status,
    startedAt: Date.now(),
    ...fields,
    messageId,
    type,
  } as unknown as BlockOf<Type>;
}

/** The model's text. */
export function createMainTextBlock(
  messageId: string,
  content: string,
  more: More<'main_text'> = {},
): BlockOf<'main_text'> {
  return createBlock(messageId, 'main_text', { ...more, content });
}

/** The model's thinking. */
export function createThinkingBlock(
  messageId: string,
  content: string,
  more: More<'thinking'> = {},
): BlockOf<'thinking'> {
  return createBlock(messageId, 'thinking', { ...more, content });
}

/** A tool call; what is not said is as for a call that the model has just made. */
export function createToolBlock(
  messageId: string,
  toolCallId: string,
  more: More<'tool'> = {},
): BlockOf<'tool'> {
  const toolName = more.toolName ?? '';
  const call = { callId: toolCallId, serverId: '', serverName: '', modelToolName: toolName };
  const usual = { ...call, toolName, arguments: {}, state: 'proposed' as const };
  return createBlock(messageId, 'tool', { ...usual, ...more, toolCallId });
}

/** Numbered sources. */
export function createCitationBlock(
  messageId: string,
  citations: BlockOf<'citation'>['citations'],
  more: More<'citation'> = {},
): BlockOf<'citation'> {
  return createBlock(messageId, 'citation', { ...more, citations });
}

/** An image, as base64 `data` or `stored`. */
export function createImageBlock(messageId: string, more: More<'image'> = {}): BlockOf<'image'> {
  return createBlock(messageId, 'image', more);
}

/** A failure with its cause. */
export function createErrorBlock(
  messageId: string,
  error: ErrorInfo,
  more: More<'error'> = {},
): BlockOf<'error'> {
  return createBlock(messageId, 'error', { status: 'error', ...more, error });
}

/** The question that an answer replies to; undefined if there is none. */
export function getUserMessage(
  { messages }: Pick<Conversation, 'messages'>,
  answerId: string,
): Message | undefined {
  const answer = messages.find(({ id }) => id === answerId);
  return messages.find(({ id, role }) => id === answer?.parentId && role === 'user');
}

/** The text of a message: all its `main_text` blocks. */
export function getMainText(message: Pick<Message, 'blocks'>): string {
  const isText = (block: Block) => block.type === 'main_text';
  return message.blocks
    .filter(isText)
    .map(({ content }) => content)
    .join('\n\n');
}
