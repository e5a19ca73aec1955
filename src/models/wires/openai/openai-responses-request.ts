import type {
  AnswerShape,
  ModelCapabilities,
  ModelMessage,
  ModelPart,
  ModelRequest,
} from '#shared/vocabulary/model.ts';
import type { ToolDefinition, ToolResult } from '#shared/vocabulary/tool.ts';
import { createMessageWriter, createToolWriter, toOpenAiRequest, withJson } from '../wire-json.ts';
import type { WireRequest, WireTarget } from '../wire.ts';
import {
  describeMedia,
  mediaOf,
  partText,
  resultText,
  type Media,
} from '../../requests/result-content.ts';
import { readReasoningSignature } from './openai-responses-reasoning.ts';

type InputPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string }
  | { type: 'input_file'; filename: string; file_data: string };

interface ReasoningItem {
  type: 'reasoning';
  id: string;
  encrypted_content?: string;
  summary: { type: 'summary_text'; text: string }[];
}

type InputItem =
  | { role: 'assistant'; content: string }
  | { role: 'user'; content: InputPart[] }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | { type: 'function_call_output'; call_id: string; output: string | InputPart[] }
  | ReasoningItem;

/** Not strict: schemas of MCP servers are seldom in the form that strictness asks for. */
const writeTools = createToolWriter(({ name, description, inputSchema }: ToolDefinition) => ({
  type: 'function',
  name,
  description,
  parameters: inputSchema,
  strict: false,
}));

/** A request of the responses API. Thinking comes back sealed, so that nothing has to be stored. */
export function toResponsesRequest(request: ModelRequest, target: WireTarget): WireRequest {
  const { model, capabilities } = target;
  const { system, messages, tools } = request;
  const role = capabilities.reasoning ? 'developer' : 'system';
  const first = system === '' ? undefined : { role, content: system };
  const body = {
    model,
    store: false,
    ...(capabilities.reasoning && { include: ['reasoning.encrypted_content'] }),
    stream: true,
    ...toParameters(request, target),
    ...toShape(request),
  };
  const written = {
    input: writeInput(messages, target, first),
    ...(tools.length > 0 && {
      tools: [writeTools(tools)],
      tool_choice: [Buffer.from(JSON.stringify(toChoice(request.shape)))],
    }),
  };
  return toOpenAiRequest(target, '/responses', withJson(body, written));
}

function toChoice({ toolChoice }: AnswerShape = {}): unknown {
  return typeof toolChoice === 'object'
    ? { type: 'function', ...toolChoice }
    : (toolChoice ?? 'auto');
}

/** What a program asked for, as far as there is a word for it. */
function toShape({ shape = {}, tools }: ModelRequest): object {
  const { format, parallelCalls } = shape;
  return {
    ...(format && { text: { format: toFormat(format) } }),
    ...(parallelCalls === false && tools.length > 0 && { parallel_tool_calls: false }),
  };
}

function toFormat({ schema, name = 'answer', strict }: NonNullable<AnswerShape['format']>): object {
  if (!schema) return { type: 'json_object' };
  return { type: 'json_schema', name, schema, ...(strict !== undefined && { strict }) };
}

/** Models that reason refuse temperature and top-p. */
function toParameters({ parameters }: ModelRequest, target: WireTarget): object {
  const { temperature, topP, maxOutputTokens, reasoningEffort: effort } = parameters;
  const { capabilities, quirks = {} } = target;
  const samples = !capabilities.reasoning && !quirks.noSampling;
  const reasoning = {
    ...(effort !== undefined && { effort }),
    ...(effort !== 'none' && !quirks.noReasoningSummary && { summary: 'auto' }),
  };
  const says = capabilities.reasoning && Object.keys(reasoning).length > 0;
  return {
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
    ...(samples && temperature !== undefined && { temperature }),
    ...(samples && topP !== undefined && { top_p: topP }),
    ...(says && { reasoning }),
  };
}

const writeInput = createMessageWriter((message, { capabilities }): InputItem[] => {
  if (message.role === 'user') return toUser(message.parts, capabilities);
  if (message.role === 'tool') return toOutputs(message.results, capabilities);
  return toAssistant(message.parts, capabilities);
});

function toUser(parts: ModelPart[], capabilities: ModelCapabilities): InputItem[] {
  const content: InputPart[] = [];
  for (const part of parts) {
    if (part.type === 'text' && part.text !== '') content.push(toTextPart(part.text));
    if (part.type === 'file') {
      const described = toTextPart(describeMedia(part.mimeType, part.name));
      content.push(toFile(part, capabilities) ?? described);
    }
  }
  return content.length > 0 ? [{ role: 'user', content }] : [];
}

function toAssistant(parts: ModelPart[], capabilities: ModelCapabilities): InputItem[] {
  const items: InputItem[] = [];
  const reasoning = new Map<string, ReasoningItem>();
  for (const part of parts) {
    if (part.type === 'text' && part.text !== '') {
      items.push({ role: 'assistant', content: part.text });
    }
    if (part.type === 'tool-call') {
      const { callId, toolName, arguments: input } = part;
      const json = JSON.stringify(input);
      items.push({ type: 'function_call', call_id: callId, name: toolName, arguments: json });
    }
    if (part.type !== 'thinking' || !capabilities.reasoning) continue;
    const item = addReasoning(part, reasoning);
    if (item) items.push(item);
  }
  const known = items.filter((item) => !isReasoning(item) || item.encrypted_content !== undefined);
  // Where an answer was stopped, reasoning may stand without what it led to: the vendor refuses that.
  return known.slice(0, known.findLastIndex((item) => !isReasoning(item)) + 1);
}

/** Several parts may belong to one item; gives the item when it is a new one. */
function addReasoning(
  { text, signature }: Extract<ModelPart, { type: 'thinking' }>,
  known: Map<string, ReasoningItem>,
): ReasoningItem | undefined {
  const signed = readReasoningSignature(signature);
  if (!signed) return undefined;
  const { id, encrypted } = signed;
  const item: ReasoningItem = known.get(id) ?? { type: 'reasoning', id, summary: [] };
  if (text !== '') item.summary.push({ type: 'summary_text', text });
  if (encrypted !== undefined) item.encrypted_content = encrypted;
  if (known.has(id)) return undefined;
  known.set(id, item);
  return item;
}

/** Without its seal a vendor that stores nothing cannot know the item. */
function isReasoning(item: InputItem): item is ReasoningItem {
  return 'type' in item && item.type === 'reasoning';
}

type ToolResults = Extract<ModelMessage, { role: 'tool' }>['results'];

function toOutputs(results: ToolResults, capabilities: ModelCapabilities): InputItem[] {
  return results.map(({ callId, result }) => ({
    type: 'function_call_output',
    call_id: callId,
    output: toOutput(result, capabilities),
  }));
}

function toOutput(result: ToolResult, capabilities: ModelCapabilities): string | InputPart[] {
  if (result.isError) return JSON.stringify({ error: resultText(result) });
  const media = result.content.map((part) => {
    const found = mediaOf(part);
    return found && toFile(found, capabilities);
  });
  if (media.every((file) => file === undefined)) return resultText(result);
  return result.content.map((part, index) => media[index] ?? toTextPart(partText(part)));
}

function toFile({ mimeType, data, name }: Media, can: ModelCapabilities): InputPart | undefined {
  const url = `data:${mimeType};base64,${data}`;
  if (mimeType.startsWith('image/') && can.imagesIn) return { type: 'input_image', image_url: url };
  if (mimeType === 'application/pdf' && can.filesIn) {
    return { type: 'input_file', filename: name ?? 'document.pdf', file_data: url };
  }
  if (mimeType.startsWith('text/')) return toTextPart(Buffer.from(data, 'base64').toString('utf8'));
  return undefined;
}

function toTextPart(text: string): InputPart {
  return { type: 'input_text', text };
}
