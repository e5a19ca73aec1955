import type {
  JSONValue,
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { isJsonObject, parseJson } from '#shared/vocabulary/json.ts';
import type {
  AnswerShape,
  ModelMessage,
  ModelPart,
  ModelRequest,
} from '#shared/vocabulary/model.ts';
import type { ContentPart, ToolDefinition, ToolResult } from '#shared/vocabulary/tool.ts';
import { describeMedia, mediaOf, partText } from '../requests/result-content.ts';

/**
 * Where media go. `inline`: in the tool's result; `after`: in a user message after it, for vendors
 * whose tool results are text; `described`: nowhere, a line of text stands for each.
 */
export type MediaHandling = 'inline' | 'after' | 'described';

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];
type UserContent = Extract<LanguageModelV4Message, { role: 'user' }>['content'];
type OutputPart = Extract<LanguageModelV4ToolResultOutput, { type: 'content' }>['value'][number];

/** Our request in the words of the AI SDK. Pure. */
export function toCallOptions(
  request: ModelRequest,
  signal: AbortSignal,
  media: MediaHandling = 'inline',
): LanguageModelV4CallOptions {
  const { temperature, topP, maxOutputTokens, reasoningEffort } = request.parameters;
  return {
    prompt: toPrompt(request, media),
    abortSignal: signal,
    ...(request.tools.length > 0 && {
      tools: request.tools.map(toFunctionTool),
      toolChoice: toChoice(request.shape),
    }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(reasoningEffort !== undefined && { reasoning: reasoningEffort }),
    ...toShape(request.shape),
  };
}

function toChoice({ toolChoice }: AnswerShape = {}): NonNullable<
  LanguageModelV4CallOptions['toolChoice']
> {
  if (typeof toolChoice === 'object') return { type: 'tool', toolName: toolChoice.name };
  return { type: toolChoice ?? 'auto' };
}

/** What a program asked for, in the words of the AI SDK. */
function toShape(shape: AnswerShape = {}): Partial<LanguageModelV4CallOptions> {
  const { format, stop, seed, frequencyPenalty, presencePenalty } = shape;
  const { schema, name } = format ?? {};
  return {
    ...(format && {
      responseFormat: {
        type: 'json',
        ...(schema && { schema: schema as LanguageModelV4FunctionTool['inputSchema'] }),
        ...(name !== undefined && { name }),
      },
    }),
    ...(stop && { stopSequences: stop }),
    ...(seed !== undefined && { seed }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(presencePenalty !== undefined && { presencePenalty }),
  };
}

function toPrompt({ system, messages }: ModelRequest, media: MediaHandling): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [];
  if (system !== '') prompt.push({ role: 'system', content: system });
  const lastUser = messages.findLastIndex((message) => message.role === 'user');
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') prompt.push(...toUserMessage(message.parts, media));
    else if (message.role === 'tool') prompt.push(...toToolMessages(message.results, media));
    else prompt.push(...toAssistantMessage(message.parts, index > lastUser));
  }
  return prompt;
}

function toUserMessage(parts: ModelPart[], media: MediaHandling): LanguageModelV4Prompt {
  const content: UserContent = [];
  for (const part of parts) {
    if (part.type === 'text' && part.text !== '') content.push({ type: 'text', text: part.text });
    if (part.type === 'file') {
      content.push(
        media === 'described'
          ? { type: 'text', text: describeMedia(part.mimeType, part.name) }
          : toFilePart(part.mimeType, part.data, part.name),
      );
    }
  }
  return content.length > 0 ? [{ role: 'user', content }] : [];
}

/**
 * Thinking that a vendor signed goes back to it as it was; unsigned thinking only within the turn
 * it belongs to, which is where vendors expect it.
 */
function toAssistantMessage(parts: ModelPart[], inTurn: boolean): LanguageModelV4Prompt {
  const content: AssistantContent = [];
  for (const part of parts) {
    const providerOptions = parseSignature(part.signature);
    const signed = providerOptions && { providerOptions };
    if (part.type === 'text' && part.text !== '') {
      content.push({ type: 'text', text: part.text, ...signed });
    }
    if (part.type === 'thinking' && (part.signature !== undefined || inTurn)) {
      content.push({ type: 'reasoning', text: part.text, ...signed });
    }
    if (part.type === 'tool-call') {
      const { callId: toolCallId, toolName, arguments: input } = part;
      content.push({ type: 'tool-call', toolCallId, toolName, input, ...signed });
    }
  }
  return content.length > 0 ? [{ role: 'assistant', content }] : [];
}

function parseSignature(signature: string | undefined): SharedV4ProviderOptions | undefined {
  const value = signature === undefined ? undefined : parseJson(signature);
  return isJsonObject(value) ? (value as SharedV4ProviderOptions) : undefined;
}

type ToolResults = Extract<ModelMessage, { role: 'tool' }>['results'];

function toToolMessages(results: ToolResults, media: MediaHandling): LanguageModelV4Prompt {
  const content = results.map(({ callId, toolName, result }): LanguageModelV4ToolResultPart => ({
    type: 'tool-result',
    toolCallId: callId,
    toolName,
    output: toOutput(result, media),
  }));
  if (content.length === 0) return [];
  const messages: LanguageModelV4Prompt = [{ role: 'tool', content }];
  const after = media === 'after' ? mediaMessage(results) : [];
  if (after.length > 0) messages.push({ role: 'user', content: after });
  return messages;
}

/** The media of a round's results, each after a line that says which tool it came from. */
function mediaMessage(results: ToolResults): UserContent {
  const content: UserContent = [];
  for (const { toolName, result } of results) {
    const files = result.content.map(toFile).filter((file) => file !== undefined);
    if (files.length > 0) {
      content.push({ type: 'text', text: `What the tool ${toolName} returned:` }, ...files);
    }
  }
  return content;
}

function toOutput(result: ToolResult, media: MediaHandling): LanguageModelV4ToolResultOutput {
  const { content, structuredContent, isError } = result;
  if (!isError && media === 'inline' && content.some((part) => toFile(part) !== undefined)) {
    return { type: 'content', value: content.map(toOutputPart) };
  }
  const text = content.map(partText).filter(Boolean).join('\n');
  if (text === '' && structuredContent !== undefined) {
    return { type: isError ? 'error-json' : 'json', value: structuredContent as JSONValue };
  }
  if (isError)
    return { type: 'error-text', value: text || 'The tool failed without giving a reason.' };
  return { type: 'text', value: text || 'The tool returned nothing.' };
}

function toOutputPart(part: ContentPart): OutputPart {
  return toFile(part) ?? { type: 'text', text: partText(part) };
}

function toFile(part: ContentPart): LanguageModelV4FilePart | undefined {
  const media = mediaOf(part);
  return media && toFilePart(media.mimeType, media.data);
}

function toFilePart(mediaType: string, data: string, filename?: string): LanguageModelV4FilePart {
  return {
    type: 'file',
    mediaType,
    data: { type: 'data', data },
    ...(filename !== undefined && { filename }),
  };
}

function toFunctionTool({
  name,
  description,
  inputSchema,
}: ToolDefinition): LanguageModelV4FunctionTool {
  return { type: 'function', name, description, inputSchema };
}
