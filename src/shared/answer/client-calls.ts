import { isSpoken } from './answer-cursor.ts';
import type { ToolBlock } from '../vocabulary/block.ts';
import type { Message } from '../vocabulary/message.ts';

/** The name under which a program gets a call that it has to run: the answer and the place of the call in it. */
export function clientCallId({ messageId, ordinal }: Pick<ToolBlock, 'messageId' | 'ordinal'>) {
  return `call_${messageId.replaceAll('-', '')}_${ordinal}`;
}

const itemId = /^[a-z]+_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_\d+$/;

/** The answer that an id of ours, of a call or another item, names; undefined for any other text. */
export function answerOfItem(id: string): string | undefined {
  return itemId.exec(id)?.slice(1).join('-');
}

/** The calls of an answer that a program runs. */
export function clientCalls({ blocks }: Pick<Message, 'blocks'>): ToolBlock[] {
  return blocks.filter(
    (block): block is ToolBlock =>
      block.type === 'tool' && block.client === true && block.status !== 'interrupted',
  );
}

/** The text of an answer as programs get it: what was cut by an end of the process was said again. */
export function answerText({ blocks }: Pick<Message, 'blocks'>): string {
  return blocks
    .filter((block) => isSpoken(block) && block.type !== 'thinking')
    .filter(({ status }) => status !== 'interrupted')
    .map(({ content }) => content)
    .join('\n\n');
}
