import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { type Block, isBlockOpen } from '#shared/vocabulary/block.ts';
import { isMessageRunning, type Message } from '#shared/vocabulary/message.ts';
import type { AnswerChanges } from '../cluster/command.ts';
import { blockId } from '../topic/block-manager.ts';
import type { AnswerRequest } from '../turn/run-turn.ts';

/** What is asked of the other version. */
export function changedRequest(
  { recordedIn: _, asksForCalls: __, ...request }: AnswerRequest,
  answerId: string,
  { systemPrompt, tools }: AnswerChanges,
): AnswerRequest {
  return {
    ...request,
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(tools === 'recorded' && { recordedIn: answerId }),
    ...(tools === 'ask' && { asksForCalls: true }),
  };
}

/**
 * The blocks of an answer before a step, for another answer. Its calls keep their ids: they are the same calls.
 * Throws `conflict` while the answer runs, `invalid_request` for a step that it does not have.
 */
export function blocksBefore(first: Message, step: number, messageId: string): Block[] {
  if (step === 1) return [];
  if (isMessageRunning(first))
    throw new CeriseError('conflict', say('answer-being-written')`This answer is still running.`);
  const last = Math.max(0, ...first.blocks.map(({ round }) => round)) + 1;
  if (step > last)
    throw new CeriseError('invalid_request', say('no-such-step')`This answer has ${last} steps.`);
  const blocks = first.blocks.filter(
    (block) => block.round < step - 1 && block.type !== 'translation' && !isBlockOpen(block),
  );
  const ids = new Map(
    blocks.map(({ id }, ordinal): [string, string] => [id, blockId(messageId, ordinal)]),
  );
  return blocks.map((block, ordinal) => copyOf(block, { first, messageId, ordinal, ids }));
}

function copyOf(
  block: Block,
  to: { first: Message; messageId: string; ordinal: number; ids: ReadonlyMap<string, string> },
): Block {
  const { first, messageId, ordinal, ids } = to;
  const place = { id: blockId(messageId, ordinal), messageId, ordinal };
  if (block.type === 'citation' && block.toolBlockId !== undefined)
    return { ...block, ...place, toolBlockId: ids.get(block.toolBlockId) };
  if (block.type === 'compact' && block.through.messageId === first.id)
    return { ...block, ...place, through: { ...block.through, messageId } };
  return { ...block, ...place };
}
