import { fencedCode } from '#shared/text/fenced-code.ts';
import {
  type Block,
  type CitationBlock,
  type CompactBlock,
  isBlockOpen,
  isMediaBlock,
  isVendorRun,
  type MediaBlock,
  type ThinkingBlock,
  type ToolBlock,
} from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { ModelMessage, ModelPart } from '#shared/vocabulary/model.ts';
import { CallIds, legalToolName, outcomeForModel, withEdits } from './history-calls.ts';
import {
  type HistoryTarget,
  mediaPart,
  mediaTurnedInput,
  resultFor,
  type ResultOfCall,
} from './history-media.ts';
import { joinLegally, userText } from './history-roles.ts';
import { vendorParts } from './history-vendor.ts';

/** A user's message or one round of an answer, as the model is to see it. */
export interface HistoryEntry {
  /** Absent for the summary that stands for what came before. */
  messageId?: string;
  /** Present for a round of an answer. */
  round?: number;
  messages: ModelMessage[];
}

/**
 * The branch as the target is to see it, legal for every vendor: it begins with the user, roles take
 * turns, every call has its one result right after it. Pure; a longer branch only adds at the end,
 * except where a summary takes the place of what came before it.
 */
export function buildHistory(path: Message[], target: HistoryTarget): ModelMessage[] {
  return joinLegally(historyEntries(path, target).flatMap(({ messages }) => messages));
}

/** The same in pieces that a summary may or may not stand for, before roles are joined. */
export function historyEntries(path: Message[], target: HistoryTarget): HistoryEntry[] {
  const cut = findCut(path);
  const entries: HistoryEntry[] = cut ? [{ messages: [userText(summaryText(cut.block))] }] : [];
  const callIds = new CallIds();
  let images: ModelPart[] = [];
  for (const [index, message] of path.entries()) {
    if (cut && isCovered(cut, index, message)) continue;
    if (message.role === 'user') {
      if (isCompactCommand(message)) continue;
      entries.push({ messageId: message.id, messages: userMessages(message, images, target) });
      images = [];
      continue;
    }
    const isOwn = message.model === target.model;
    const context: RoundContext = {
      target,
      callIds,
      isOwn,
      thinksAloud: isOwn && index === path.length - 1,
      images,
    };
    for (const blocks of completeRounds(message)) {
      const round = blocks[0]?.round ?? 0;
      if (cut?.index === index && round <= (cut.round ?? -1)) continue;
      const messages = roundMessages(blocks, context);
      if (messages.length > 0) entries.push({ messageId: message.id, round, messages });
    }
  }
  return entries;
}

/** Whether a message is the command to compact the conversation now. No model ever sees it. */
export function isCompactCommand({ role, blocks }: Pick<Message, 'role' | 'blocks'>): boolean {
  const [block] = blocks;
  return role === 'user' && blocks.length === 1 && block?.content.trim() === '/compact';
}

/** How many rounds before `round` were cut by an end of the process. */
export function countCutRounds(message: Message, round: number): number {
  return roundsOf(message).filter((blocks) => (blocks[0]?.round ?? 0) < round && wasCut(blocks))
    .length;
}

interface Cut {
  block: CompactBlock;
  index: number;
  round: number | undefined;
}

/** Where the newest summary of the branch ends. One that was stopped or cut stands for nothing. */
function findCut(path: Message[]): Cut | undefined {
  for (const message of path.toReversed()) {
    const block = message.blocks.findLast(
      (each): each is CompactBlock => each.type === 'compact' && isWhole(each),
    );
    if (!block) continue;
    const index = path.findIndex(({ id }) => id === block.through.messageId);
    if (index >= 0) return { block, index, round: block.through.round };
  }
  return undefined;
}

function isWhole(block: CompactBlock): boolean {
  return (block.status === 'success' || block.status === 'error') && block.content.trim() !== '';
}

/** The question stays when only a part of the answer to it is covered. */
function isCovered(cut: Cut, index: number, message: Message): boolean {
  if (cut.round === undefined) return index <= cut.index;
  return index < cut.index && !(index === cut.index - 1 && message.role === 'user');
}

function summaryText({ content }: CompactBlock): string {
  return `[Earlier messages are no longer included. Summary:]\n\n${content}`;
}

function userMessages(
  message: Message,
  images: ModelPart[],
  target: HistoryTarget,
): ModelMessage[] {
  const own = message.blocks.flatMap((block) => sentParts(block, target));
  const empty: ModelPart = { type: 'text', text: '[Empty message]' };
  return [{ role: 'user', parts: [...images, ...(own.length > 0 ? own : [empty])] }];
}

function sentParts(block: Block, target: HistoryTarget): ModelPart[] {
  if (isMediaBlock(block)) return [mediaPart(block, target.capabilities)];
  switch (block.type) {
    case 'main_text':
      return block.content.trim() === '' ? [] : [{ type: 'text', text: block.content }];
    // No person sends these.
    case 'thinking':
    case 'translation':
    case 'code':
    case 'tool':
    case 'error':
    case 'citation':
    case 'compact':
    case 'unknown':
      return [];
  }
}

/** The rounds of an answer that count. One before the last without a call in it was cut short. */
function completeRounds(message: Message): Block[][] {
  const rounds = roundsOf(message);
  return rounds.filter((blocks, index) => index === rounds.length - 1 || !wasCut(blocks));
}

function roundsOf(message: Message): Block[][] {
  return [...Map.groupBy(message.blocks, ({ round }) => round).values()];
}

function wasCut(blocks: Block[]): boolean {
  return !blocks.some(isCall);
}

interface RoundContext {
  target: HistoryTarget;
  callIds: CallIds;
  /** The target itself made this answer. */
  isOwn: boolean;
  /** Thinking that is not signed goes back too: within the turn it belongs to. */
  thinksAloud: boolean;
  /** Images of answers, which go with the next message of the user: vendors take none in an answer. */
  images: ModelPart[];
}

interface MadeRound {
  blocks: Block[];
  callIds: string[];
  context: RoundContext;
  messages: ModelMessage[];
}

/** By the first block. Blocks that ended never change, and are asked for again in every later round. */
const made = new WeakMap<Block, MadeRound>();

/** The same messages for the same round, so that what is made of them can be kept, too. */
function roundMessages(blocks: Block[], context: RoundContext): ModelMessage[] {
  const callIds = blocks.filter(isCall).map((block) => context.callIds.take(block, context.isOwn));
  const [first] = blocks;
  const known = first && made.get(first);
  if (known && isStill(known, blocks, callIds, context)) return known.messages;
  const messages = makeRound(blocks, callIds, context);
  // Images are handed on to the next message of the user each time.
  if (first && !blocks.some(({ type }) => type === 'image'))
    made.set(first, { blocks, callIds, context, messages });
  return messages;
}

function isStill(
  known: MadeRound,
  blocks: Block[],
  callIds: string[],
  { isOwn, thinksAloud, target }: RoundContext,
): boolean {
  return (
    known.context.isOwn === isOwn &&
    known.context.thinksAloud === thinksAloud &&
    known.context.target.capabilities === target.capabilities &&
    known.blocks.length === blocks.length &&
    known.blocks.every((block, index) => block === blocks[index]) &&
    known.callIds.every((id, index) => id === callIds[index])
  );
}

/** A call that this host runs and that was not cut. */
export function isCall(block: Block): block is ToolBlock {
  return block.type === 'tool' && block.status !== 'interrupted' && !isVendorRun(block);
}

function makeRound(blocks: Block[], callIds: string[], context: RoundContext): ModelMessage[] {
  const parts: ModelPart[] = [];
  const results: Extract<ModelMessage, { role: 'tool' }>['results'] = [];
  const citations = Map.groupBy(blocks.filter(isCitation), (block) => block.toolBlockId);
  for (const block of blocks) {
    if (block.status === 'interrupted') continue;
    if (block.type !== 'tool') parts.push(...spokenParts(block, context));
    else if (isVendorRun(block)) parts.push(...vendorParts(block));
    else if (isCall(block)) {
      const call = callPart(block, callIds[results.length] ?? '', context);
      parts.push(call);
      const sources = citations.get(block.id) ?? [];
      const result = resultFor(resultOfCall(block, sources), context.target);
      results.push({
        callId: call.callId,
        toolName: call.toolName,
        result: withEdits(block, result),
      });
    }
  }
  if (!parts.some(({ type }) => type !== 'thinking')) return [];
  const assistant: ModelMessage = { role: 'assistant', parts };
  if (results.length === 0) return [assistant];
  const fromProgram = blocks.some((block) => block.type === 'tool' && block.client);
  return [assistant, { role: 'tool', results, ...(fromProgram && { fromProgram }) }];
}

function isCitation(block: Block): block is CitationBlock {
  return block.type === 'citation';
}

function resultOfCall(block: ToolBlock, sources: CitationBlock[]): ResultOfCall {
  const citations = sources.flatMap((each) => each.citations);
  return { toolCallId: block.toolCallId, result: outcomeForModel(block), citations };
}

function spokenParts(block: Exclude<Block, ToolBlock>, context: RoundContext): ModelPart[] {
  if (isMediaBlock(block)) return isBlockOpen(block) ? [] : madeParts(block, context);
  const { content } = block;
  switch (block.type) {
    case 'main_text':
      if (content.trim() === '') return [];
      return [{ type: 'text', text: content, ...signatureOf(block, context) }];
    case 'thinking':
      return thinkingParts(block, context);
    case 'code':
      return [{ type: 'text', text: fencedCode(content, block.language) }];
    // For the reader only; a summary stands at the beginning instead.
    case 'translation':
    case 'error':
    case 'citation':
    case 'compact':
    case 'unknown':
      return [];
  }
}

function thinkingParts(block: ThinkingBlock, context: RoundContext): ModelPart[] {
  const { content: text, signature } = block;
  if (signature !== undefined) return context.isOwn ? [{ type: 'thinking', text, signature }] : [];
  return context.thinksAloud && text.trim() !== '' ? [{ type: 'thinking', text }] : [];
}

/** What the model made stands as a line; a picture is also given back, for it to look at. */
function madeParts(block: MediaBlock, { target, images }: RoundContext): ModelPart[] {
  const { placeholder, input } = mediaTurnedInput(block, target.capabilities);
  if (block.type === 'image') images.push(...input);
  return [placeholder];
}

function signatureOf(
  { signature }: { signature?: string | undefined },
  { isOwn }: RoundContext,
): { signature?: string } {
  return isOwn && signature !== undefined ? { signature } : {};
}

function callPart(
  block: ToolBlock,
  callId: string,
  context: RoundContext,
): Extract<ModelPart, { type: 'tool-call' }> {
  return {
    type: 'tool-call',
    callId,
    toolName: legalToolName(block.modelToolName),
    arguments: block.proposedArguments ?? block.arguments,
    ...signatureOf(block, context),
  };
}
