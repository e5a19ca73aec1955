import { createHash } from 'node:crypto';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type {
  AnswerShape,
  ModelMessage,
  ModelPart,
  ModelRequest,
} from '#shared/vocabulary/model.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import { vendorEndpoint } from '../vendor-endpoint.ts';
import { createToolWriter, parseSignature, withJson } from '../wire-json.ts';
import type { WireRequest, WireTarget } from '../wire.ts';
import { fieldsOf } from '../../answers/event-data.ts';
import { mediaOf, partText, resultText } from '../../requests/result-content.ts';
import { toAnthropicMedia, type AnthropicMedia } from './anthropic-media.ts';
import { type AnthropicTuning, tuneAnthropic } from './anthropic-models.ts';

/** A request to Anthropic's messages API. Its beginning stays the same from round to round. */
export function toAnthropicRequest(request: ModelRequest, target: WireTarget): WireRequest {
  const { apiKey, headers } = target;
  return {
    url: vendorEndpoint(target.baseUrl, '/v1', '/messages'),
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      ...(apiKey && { 'x-api-key': apiKey }),
      ...headers,
    },
    body: toBody(request, target),
  };
}

type Block = (
  | { type: 'text'; text: string }
  | AnthropicMedia
  | CallBlock
  | ResultBlock
  | Thought
) & {
  cache_control?: typeof ephemeral;
};
type Thought =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string };
interface CallBlock {
  type: 'tool_use';
  id: string;
  name: string;
  input: JsonObject;
}
interface ResultBlock {
  type: 'tool_result';
  tool_use_id: string;
  content: string | ({ type: 'text'; text: string } | AnthropicMedia)[];
  is_error?: true;
}
interface Message {
  role: 'user' | 'assistant';
  content: Block[];
}

const ephemeral = { type: 'ephemeral' } as const;

function toBody(request: ModelRequest, target: WireTarget): Buffer[] {
  const thinks = request.parameters.reasoningEffort !== 'none';
  const messages = mergeNeighbours(
    request.messages.map((message) => toMessage(message, target, thinks)),
  );
  trimEnd(messages);
  const { tools, system, purpose } = request;
  const cached = purpose === 'answer';
  const body = {
    model: target.model,
    stream: true,
    ...withFormat(
      tuneAnthropic(request.parameters, target, mayBeginToThink(messages)),
      request.shape,
    ),
    ...(system.trim() !== '' && {
      system: [{ type: 'text', text: system, ...(cached && { cache_control: ephemeral }) }],
    }),
    messages: cached ? markForCache(messages) : messages,
    ...toShape(request),
  };
  return withJson(body, tools.length === 0 ? {} : { tools: writeCachedTools(tools) });
}

/** What a program asked for, as far as there is a word for it. */
function toShape({ shape = {}, tools }: ModelRequest): object {
  const { stop, toolChoice, parallelCalls } = shape;
  const isSaid = tools.length > 0 && (toolChoice !== undefined || parallelCalls === false);
  return {
    ...(stop && { stop_sequences: stop }),
    ...(isSaid && { tool_choice: toChoice(toolChoice, parallelCalls) }),
  };
}

function toChoice(choice: AnswerShape['toolChoice'], parallelCalls = true): object {
  if (choice === 'none') return { type: 'none' };
  const single = !parallelCalls && { disable_parallel_tool_use: true };
  if (typeof choice === 'object') return { type: 'tool', ...choice, ...single };
  return { type: choice === 'required' ? 'any' : 'auto', ...single };
}

/** JSON of any form cannot be asked for; of a schema it can. */
function withFormat(tuning: AnthropicTuning, shape: AnswerShape = {}): object {
  const { schema } = shape.format ?? {};
  if (!schema) return tuning;
  const format = { type: 'json_schema', schema };
  return { ...tuning, output_config: { ...tuning.output_config, format } };
}

const writeTools = createToolWriter(({ name, description, inputSchema }) => ({
  name,
  description,
  input_schema: inputSchema,
}));

/** The mark on the last tool covers them all. */
function writeCachedTools(tools: ModelRequest['tools']): Buffer[] {
  const mark = Buffer.from(`,"cache_control":${JSON.stringify(ephemeral)}}]`);
  return [writeTools(tools).subarray(0, -2), mark];
}

/**
 * Marks the last two messages of the user's side: the end of this request, for the next one to find,
 * and the end of the one before, however much has come since.
 */
function markForCache(messages: Message[]): Message[] {
  const users = messages.filter(({ role }) => role === 'user').slice(-2);
  for (const { content } of users) {
    const last = content.at(-1);
    if (last) last.cache_control = ephemeral;
  }
  return messages;
}

function toMessage(message: ModelMessage, target: WireTarget, thinks: boolean): Message {
  if (message.role === 'tool') {
    const results = message.results.map(({ callId, result }) => toResult(callId, result, target));
    return { role: 'user', content: results };
  }
  const content = message.parts.flatMap((part): Block[] => {
    if (part.type === 'text') return part.text.trim() === '' ? [] : [textBlock(part.text)];
    if (part.type === 'file') return [toAnthropicMedia(part, target.capabilities)];
    if (message.role === 'user') return [];
    return part.type === 'thinking' ? toThought(part, thinks) : [toCall(part)];
  });
  return { role: message.role, content };
}

/** Vendors demand that the sides alternate: what follows its like is added to it. */
function mergeNeighbours(messages: Message[]): Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (message.content.length === 0) continue;
    if (last?.role === message.role) last.content.push(...message.content);
    else merged.push(message);
  }
  return merged;
}

/** An answer that is to be continued must not end in white space. */
function trimEnd(messages: Message[]): void {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (last?.role === 'assistant' && block?.type === 'text') block.text = block.text.trimEnd();
}

/** A turn that began without thinking cannot go on with a thinking budget. */
function mayBeginToThink(messages: Message[]): boolean {
  const asked = messages.findLastIndex(
    ({ role, content }) => role === 'user' && content[0]?.type !== 'tool_result',
  );
  const first = messages[asked + 1]?.content[0]?.type;
  return first === undefined || first === 'thinking' || first === 'redacted_thinking';
}

/** Thinking goes back as it came, with what the vendor signed it with; other thinking stays here. */
function toThought(part: Extract<ModelPart, { type: 'thinking' }>, thinks: boolean): Thought[] {
  const { signature, redactedData } = fieldsOf(parseSignature(part.signature)['anthropic']);
  if (!thinks) return [];
  if (typeof signature === 'string') return [{ type: 'thinking', thinking: part.text, signature }];
  if (typeof redactedData !== 'string') return [];
  return [{ type: 'redacted_thinking', data: redactedData }];
}

function toCall(part: Extract<ModelPart, { type: 'tool-call' }>): Block {
  const { callId, toolName: name, arguments: input } = part;
  return { type: 'tool_use', id: legalId(callId), name, input };
}

/** A failed call may be described in words only. */
function toResult(callId: string, result: ToolResult, target: WireTarget): ResultBlock {
  const { content, isError } = result;
  const hasMedia = !isError && content.some((part) => mediaOf(part) !== undefined);
  return {
    type: 'tool_result',
    tool_use_id: legalId(callId),
    content: hasMedia
      ? content
          .map((part) => {
            const media = mediaOf(part);
            return media ? toAnthropicMedia(media, target.capabilities) : textBlock(partText(part));
          })
          .filter((block) => block.type !== 'text' || block.text.trim() !== '')
      : resultText(result),
    ...(isError && { is_error: true }),
  };
}

/** Other vendors' ids may hold characters that this one refuses. */
function legalId(callId: string): string {
  if (/^[\w-]+$/.test(callId)) return callId;
  const digest = createHash('sha256').update(callId).digest('hex').slice(0, 12);
  return `${callId.replaceAll(/[^\w-]/g, '_').slice(0, 40)}_${digest}`;
}

function textBlock(text: string): { type: 'text'; text: string } {
  return { type: 'text', text };
}
