import { isTextType } from '#shared/vocabulary/media-input.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { ModelMessage, ModelPart } from '#shared/vocabulary/model.ts';
import type { ToolDefinition, ToolResult } from '#shared/vocabulary/tool.ts';
import type { HistoryEntry } from './history.ts';

const tokensPerMedium = 1000;
const tokensPerMessage = 4;
/** What was counted for a smaller request says little about a large one. */
const tellingTokens = 500;

/** About how many tokens a text is: four characters each, Chinese, Japanese and Korean one each. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) >= 0x2e80) wide += 1;
  return Math.ceil((text.length - wide) / 4) + wide;
}

/** About how many tokens messages are; media count alike, whatever their size. */
export function estimateMessages(messages: ModelMessage[], resultToModel: number): number {
  const tokens = messages.map((message) => estimateMessage(message, resultToModel));
  return tokens.reduce((sum, each) => sum + tokensPerMessage + each, 0);
}

/** What a request needs besides its messages. */
export function estimateOverhead(system: string, tools: ToolDefinition[]): number {
  return estimateTokens(system) + (tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools)));
}

/** What a vendor counted for the request of one round. */
export interface Measured {
  messageId: string;
  round: number;
  inputTokens: number;
}

/** The newest answer of the model that was one request, so that what was counted is that request. */
export function measuredIn(path: Message[], model: string): Measured | undefined {
  const answer = path.findLast(
    (message) =>
      message.model === model &&
      message.usage?.inputTokens !== undefined &&
      message.blocks.every(({ type, round }) => round === 0 && type !== 'compact'),
  );
  const inputTokens = answer?.usage?.inputTokens;
  return inputTokens === undefined
    ? undefined
    : { messageId: answer?.id ?? '', round: 0, inputTokens };
}

/**
 * By how much the vendor counts more (or less) than we estimate, from the newest request it counted;
 * 1 if there is none in this history.
 */
export function calibrate(
  entries: HistoryEntry[],
  { overhead, resultToModel }: { overhead: number; resultToModel: number },
  measured?: Measured,
): number {
  if (!measured) return 1;
  const { messageId, round, inputTokens } = measured;
  const place = entries.findIndex(
    (entry) => entry.messageId === messageId && (entry.round ?? 0) >= round,
  );
  if (place < 1 || inputTokens < tellingTokens) return 1;
  const sent = entries.slice(0, place).flatMap(({ messages }) => messages);
  return Math.min(
    3,
    Math.max(0.75, inputTokens / (overhead + estimateMessages(sent, resultToModel))),
  );
}

/** Messages of earlier rounds are asked for again in every round. */
const estimates = new WeakMap<ModelMessage, number>();

function estimateMessage(message: ModelMessage, resultToModel: number): number {
  const known = estimates.get(message);
  if (known !== undefined) return known;
  const tokens = countTokens(message, resultToModel);
  estimates.set(message, tokens);
  return tokens;
}

function countTokens(message: ModelMessage, resultToModel: number): number {
  if (message.role === 'tool')
    return message.results.reduce((sum, { result }) => sum + estimateResult(result), 0);
  return message.parts.reduce((sum, part) => sum + estimatePart(part, resultToModel), 0);
}

function estimatePart(part: ModelPart, resultToModel: number): number {
  switch (part.type) {
    case 'text':
      return estimateTokens(part.text);
    case 'thinking':
      return estimateTokens(part.text) + Math.ceil((part.signature?.length ?? 0) / 4);
    case 'file':
      return isTextType(part.mimeType)
        ? fileTokens(part.stored?.size, resultToModel)
        : tokensPerMedium;
    case 'tool-call':
      return estimateTokens(part.toolName) + estimateTokens(JSON.stringify(part.arguments));
  }
}

/** A text file goes as text, as much of it as of a result. */
function fileTokens(size = 0, resultToModel: number): number {
  return Math.ceil(Math.min(size, resultToModel) / 4);
}

function estimateResult({ content, structuredContent }: ToolResult): number {
  if (content.length === 0) return estimateTokens(JSON.stringify(structuredContent ?? null));
  return content.reduce((sum, part) => {
    if (part.type === 'text') return sum + estimateTokens(part.text);
    if (part.type === 'resource_link') return sum + estimateTokens(JSON.stringify(part));
    if (part.type === 'resource' && part.resource.text !== undefined)
      return sum + estimateTokens(part.resource.text);
    return sum + tokensPerMedium;
  }, 0);
}
