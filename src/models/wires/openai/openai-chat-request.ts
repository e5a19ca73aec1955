import type {
  AnswerShape,
  ModelCapabilities,
  ModelMessage,
  ModelPart,
  ModelRequest,
} from '#shared/vocabulary/model.ts';
import type { ToolDefinition } from '#shared/vocabulary/tool.ts';
import {
  createMessageWriter,
  createToolWriter,
  parseSignature,
  toOpenAiRequest,
  withJson,
} from '../wire-json.ts';
import type { WireQuirks, WireRequest, WireTarget } from '../wire.ts';
import { fieldsOf } from '../../answers/event-data.ts';
import {
  describeMedia,
  mediaOf,
  partText,
  resultText,
  type Media,
} from '../../requests/result-content.ts';
import { detailsOf } from './openai-chat-reasoning.ts';

type ContentPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }
  | { type: 'file'; file: { filename: string; file_data: string } };

type ChatMessage =
  | { role: 'user'; content: string | ContentPart[] }
  | { role: 'assistant'; content: string | null; [extra: string]: unknown }
  | { role: 'tool'; tool_call_id: string; content: string | ContentPart[] };

const writeTools = createToolWriter(({ name, description, inputSchema }: ToolDefinition) => ({
  type: 'function',
  function: { name, description, parameters: inputSchema },
}));

/** A request of chat completions. Media that the model cannot take are described in words. */
export function toChatRequest(request: ModelRequest, target: WireTarget): WireRequest {
  const { model, quirks = {} } = target;
  const { system, messages, tools } = request;
  const first = system === '' ? undefined : { role: 'system', content: system };
  const body = {
    model,
    stream: true,
    ...(!quirks.noStreamUsage && { stream_options: { include_usage: true } }),
    ...toParameters(request, quirks),
    ...toShape(request),
  };
  const written = {
    messages: writeMessages(messages, target, first),
    ...(tools.length > 0 && {
      tools: [writeTools(tools)],
      tool_choice: [Buffer.from(JSON.stringify(toChoice(request.shape)))],
    }),
  };
  return toOpenAiRequest(target, '/chat/completions', withJson(body, written));
}

function toChoice({ toolChoice }: AnswerShape = {}): unknown {
  if (typeof toolChoice !== 'object') return toolChoice ?? 'auto';
  return { type: 'function', function: toolChoice };
}

/** What a program asked for, as far as there is a word for it. */
function toShape({ shape = {}, tools }: ModelRequest): object {
  const { format, stop, seed, frequencyPenalty, presencePenalty, parallelCalls } = shape;
  return {
    ...(format && { response_format: toFormat(format) }),
    ...(stop && { stop }),
    ...(seed !== undefined && { seed }),
    ...(frequencyPenalty !== undefined && { frequency_penalty: frequencyPenalty }),
    ...(presencePenalty !== undefined && { presence_penalty: presencePenalty }),
    ...(parallelCalls === false && tools.length > 0 && { parallel_tool_calls: false }),
  };
}

function toFormat({ schema, name = 'answer', strict }: NonNullable<AnswerShape['format']>): object {
  if (!schema) return { type: 'json_object' };
  const described = { name, schema, ...(strict !== undefined && { strict }) };
  return { type: 'json_schema', json_schema: described };
}

function toParameters({ parameters }: ModelRequest, quirks: WireQuirks): object {
  const { temperature, topP, maxOutputTokens, reasoningEffort: effort } = parameters;
  const { maxTokensField = 'max_tokens', noSampling, reasoning } = quirks;
  return {
    ...(maxOutputTokens !== undefined && { [maxTokensField]: maxOutputTokens }),
    ...(temperature !== undefined && !noSampling && { temperature }),
    ...(topP !== undefined && !noSampling && { top_p: topP }),
    ...(effort !== undefined && reasoning !== undefined && toThinking(effort, reasoning)),
  };
}

function toThinking(effort: string, said: NonNullable<WireQuirks['reasoning']>): object {
  if (said === 'reasoning_effort') return { reasoning_effort: effort };
  const thinks = effort !== 'none';
  if (said === 'enable_thinking') return { enable_thinking: thinks };
  return { thinking: { type: thinks ? 'enabled' : 'disabled' } };
}

const writeMessages = createMessageWriter((message, target, inTurn): ChatMessage[] => {
  if (message.role === 'user') {
    const words = toUser(message.parts, target.capabilities);
    const isApart = message.afterResults && target.quirks?.noUserAfterResults;
    return isApart ? [{ role: 'assistant', content: seeNext }, ...words] : words;
  }
  if (message.role === 'tool') return toResults(message.results, target);
  return toAssistant(message.parts, inTurn ? target.quirks?.replayReasoning : undefined);
});

function toUser(parts: ModelPart[], capabilities: ModelCapabilities): ChatMessage[] {
  const content: ContentPart[] = [];
  for (const part of parts) {
    if (part.type === 'text' && part.text !== '') content.push({ type: 'text', text: part.text });
    if (part.type === 'file') content.push(toFile(part, capabilities) ?? describe(part));
  }
  const [first] = content;
  if (first === undefined) return [];
  const plain = content.length === 1 && first.type === 'text';
  return [{ role: 'user', content: plain ? first.text : content }];
}

/**
 * Thinking goes back to those who ask for it within the turn, and to those who signed it. Vendors
 * other than the one that signed do not get it.
 */
function toAssistant(parts: ModelPart[], replay: WireQuirks['replayReasoning']): ChatMessage[] {
  let text = '';
  let thinking = '';
  const details: unknown[] = [];
  const calls: object[] = [];
  for (const part of parts) {
    if (part.type === 'text') text += part.text;
    if (part.type === 'tool-call') calls.push(toCall(part));
    if (part.type !== 'thinking') continue;
    if (replay) thinking += part.text;
    details.push(...(detailsOf(parseSignature(part.signature)) ?? []));
  }
  if (text === '' && calls.length === 0) return [];
  if (replay === 'think_tags' && thinking !== '') {
    text = `<think>\n${thinking}\n</think>\n\n${text}`;
    thinking = '';
  }
  return [
    {
      role: 'assistant',
      content: calls.length > 0 && text === '' ? null : text,
      ...(thinking !== '' && { reasoning_content: thinking }),
      ...(details.length > 0 && { reasoning_details: details }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ];
}

function toCall(part: Extract<ModelPart, { type: 'tool-call' }>): object {
  const seal = fieldsOf(parseSignature(part.signature)['google'])['thoughtSignature'];
  return {
    id: part.callId,
    type: 'function',
    function: { name: part.toolName, arguments: JSON.stringify(part.arguments) },
    ...(typeof seal === 'string' && { extra_content: { google: { thought_signature: seal } } }),
  };
}

const seeNext = "I'll look at what was returned.";

type ToolResults = Extract<ModelMessage, { role: 'tool' }>['results'];

/** One message a result; media that do not fit in follow in a user message, with their tool's name. */
function toResults(results: ToolResults, { capabilities, quirks = {} }: WireTarget): ChatMessage[] {
  const messages: ChatMessage[] = [];
  const after: ContentPart[] = [];
  for (const { callId, toolName, result } of results) {
    const media = result.content.map((part) => {
      const found = mediaOf(part);
      return found && toFile(found, capabilities);
    });
    const files = media.filter((file) => file !== undefined);
    const inline = files.length > 0 && quirks.mediaInToolResults === true && !result.isError;
    const content = inline
      ? result.content.map((part, index) => media[index] ?? toTextPart(partText(part)))
      : resultText(result);
    messages.push({ role: 'tool', tool_call_id: callId, content });
    if (files.length > 0 && !inline) {
      after.push(toTextPart(`What the tool ${toolName} returned:`), ...files);
    }
  }
  if (after.length === 0) return messages;
  if (quirks.noUserAfterResults) messages.push({ role: 'assistant', content: seeNext });
  messages.push({ role: 'user', content: after });
  return messages;
}

function toFile({ mimeType, data, name }: Media, can: ModelCapabilities): ContentPart | undefined {
  const url = `data:${mimeType};base64,${data}`;
  if (mimeType.startsWith('image/') && can.imagesIn)
    return { type: 'image_url', image_url: { url } };
  const format = audioFormats[mimeType];
  if (format && can.audioIn) return { type: 'input_audio', input_audio: { data, format } };
  if (mimeType === 'application/pdf' && can.filesIn) {
    return { type: 'file', file: { filename: name ?? 'document.pdf', file_data: url } };
  }
  if (mimeType.startsWith('text/')) return toTextPart(Buffer.from(data, 'base64').toString('utf8'));
  return undefined;
}

const audioFormats: Record<string, 'wav' | 'mp3'> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mp3': 'mp3',
  'audio/mpeg': 'mp3',
};

function describe({ mimeType, name }: Media): ContentPart {
  return toTextPart(describeMedia(mimeType, name));
}

function toTextPart(text: string): ContentPart {
  return { type: 'text', text };
}
