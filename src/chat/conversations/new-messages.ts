import { CeriseError } from '#shared/errors/errors.ts';
import { counted, say } from '#shared/errors/sentence.ts';
import { sanitiseText, truncate } from '#shared/text/text.ts';
import {
  type Block,
  type MediaBlock,
  mediaBlockType,
  type TextBlock,
} from '#shared/vocabulary/block.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { Origin } from '#shared/vocabulary/origin.ts';
import type { StoredBlob } from '#shared/vocabulary/ports.ts';
import { blockId } from '../topic/block-manager.ts';
import { titleText } from '../turn/title-text.ts';

/** What a person may send, as it is stored. Throws `message_empty` or `message_too_large`. */
export function checkText(
  { text: raw, files = [] }: { text: string; files?: string[] | undefined },
  limits: Limits,
): string {
  const text = sanitiseText(raw);
  if (text.trim() === '' && files.length === 0)
    throw new CeriseError('message_empty', say('message-empty')`The message is empty.`, {
      hint: say('write-something')`Enter a message.`,
    });
  if (files.length > limits.filesPerMessage)
    throw new CeriseError(
      'invalid_request',
      say('files-at-most')`A message can have up to ${counted(limits.filesPerMessage, 'file')}.`,
    );
  if (Buffer.byteLength(text) > limits.messageText)
    throw new CeriseError(
      'message_too_large',
      say('message-at-most')`A message can be up to ${limits.messageText / 1024} KiB.`,
      { hint: say('long-text-to-file')`Put long text in a file in the workspace.` },
    );
  return text;
}

/** What a person said, whole from the start: the files first, then the words. */
export function userMessage(
  topicId: string,
  parentId: string | null,
  { id, at }: { id: string; at: number },
  { text, files, origins }: { text: string; files: StoredBlob[]; origins: Origin[] },
): Message {
  const whole = { messageId: id, status: 'success', round: 0, startedAt: at, endedAt: at } as const;
  const source = origins.length > 0 && { origins };
  const said: MessagePart[] =
    text.trim() === '' ? [] : [{ type: 'main_text', content: text, ...source }];
  const blocks = [...files.map(filePart), ...said].map((part, ordinal): Block => ({
    ...whole,
    ...part,
    id: blockId(id, ordinal),
    ordinal,
  }));
  const status = 'success';
  return { id, topicId, parentId, role: 'user', status, createdAt: at, endedAt: at, blocks };
}

type MessagePart =
  | Pick<TextBlock, 'type' | 'content' | 'origins'>
  | (Pick<MediaBlock, 'name' | 'mimeType' | 'stored' | 'origins'> & {
      type: MediaBlock['type'];
      content: '';
    });

function filePart({ id, size, mimeType, name, origins }: StoredBlob): MessagePart {
  return {
    type: mediaBlockType(mimeType),
    content: '',
    mimeType,
    stored: { id, size },
    ...(name !== undefined && { name }),
    ...(origins && { origins }),
  };
}

/** An answer that is still to come. */
export function newAnswer(
  topicId: string,
  parentId: string | null,
  { id, at }: { id: string; at: number },
  model: string,
): Message {
  const status = 'pending';
  return { id, topicId, parentId, role: 'assistant', status, model, createdAt: at, blocks: [] };
}

/** What a topic is called until a model has named it. */
export function firstTitle(text: string): string {
  return truncate(titleText(text), 60);
}
