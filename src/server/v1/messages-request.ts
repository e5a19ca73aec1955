import { z } from 'zod';
import type { Brought, BroughtPart, RunRequest } from '#chat/runs/run-request.ts';
import { jsonObject } from '#shared/vocabulary/fields.ts';
import type { AnswerShape, ChosenParameters } from '#shared/vocabulary/model.ts';
import { parseAs } from '../api/parse-body.ts';
import { fileAt, fileOf, textAt } from './brought-files.ts';
import { toolNameSchema } from './client-tools.ts';
import type { LargeJson } from './large-json.ts';
import {
  ceriseSchema,
  definedOf,
  effortOf,
  extensionOf,
  historyOf,
  listOf,
  refuseUnsupported,
  refuseVendorTools,
  toDefinitions,
} from './request-parts.ts';

const text = z.string();
const sourceSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('base64'), media_type: text, data: text }),
  z.looseObject({ type: z.literal('url'), url: text }),
  z.looseObject({ type: z.literal('file'), file_id: text }),
  z.looseObject({ type: z.literal('text'), data: text }),
]);
const mediaSchema = z.looseObject({
  type: z.enum(['image', 'document']),
  source: sourceSchema,
  title: text.nullish(),
});
const textSchema = z.looseObject({ type: z.literal('text'), text });
const resultSchema = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: text,
  content: z
    .union([text, listOf(z.discriminatedUnion('type', [textSchema, mediaSchema]))])
    .nullish(),
  is_error: z.boolean().nullish(),
});
const blockSchema = z.discriminatedUnion('type', [
  textSchema,
  mediaSchema,
  z.looseObject({ type: z.literal('tool_use'), id: text, name: text, input: z.unknown() }),
  resultSchema,
  /** Thinking of an earlier answer, which Cerise has stored. */
  z.looseObject({ type: z.enum(['thinking', 'redacted_thinking']) }),
  /** Tools that Anthropic ran for an earlier answer; its text says what they returned. */
  z.looseObject({
    type: z.enum([
      'server_tool_use',
      'web_search_tool_result',
      'web_fetch_tool_result',
      'code_execution_tool_result',
      'bash_code_execution_tool_result',
      'text_editor_code_execution_tool_result',
      'tool_search_tool_result',
      'mcp_tool_use',
      'mcp_tool_result',
    ]),
  }),
]);

const formatSchema = z
  .looseObject({ type: z.literal('json_schema'), schema: jsonObject })
  .nullish();

/** A request of the messages API. */
const messagesRequestSchema = z.looseObject({
  model: text.min(1).max(500),
  max_tokens: z.int().positive().optional(),
  system: z.union([text, z.array(textSchema)]).nullish(),
  messages: historyOf(
    z.looseObject({
      role: z.enum(['user', 'assistant', 'system']),
      content: z.union([text, listOf(blockSchema)]),
    }),
    { least: 1 },
  ),
  stream: z.boolean().nullish(),
  tools: z
    .array(
      z.looseObject({
        type: text.nullish(),
        name: toolNameSchema,
        description: text.nullish(),
        input_schema: jsonObject.nullish(),
      }),
    )
    .max(1000)
    .nullish(),
  tool_choice: z
    .discriminatedUnion('type', [
      z.looseObject({ type: z.literal('auto'), disable_parallel_tool_use: z.boolean().nullish() }),
      z.looseObject({ type: z.literal('any'), disable_parallel_tool_use: z.boolean().nullish() }),
      z.looseObject({
        type: z.literal('tool'),
        name: text,
        disable_parallel_tool_use: z.boolean().nullish(),
      }),
      z.looseObject({ type: z.literal('none') }),
    ])
    .nullish(),
  stop_sequences: z.array(text).max(16).nullish(),
  temperature: z.number().min(0).max(1).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  thinking: z.looseObject({ type: text }).nullish(),
  output_config: z
    .looseObject({
      effort: text.nullish(),
      format: formatSchema,
    })
    .nullish(),
  /** The older place of `output_config.format`. */
  output_format: formatSchema,
  /** The conversation is kept here, and continued by the id of a message. */
  thread: z
    .discriminatedUnion('type', [
      z.looseObject({ type: z.literal('create') }),
      z.looseObject({ type: z.literal('continue'), previous_message_id: text }),
    ])
    .nullish(),
  cerise: ceriseSchema,
});
export type MessagesRequest = z.infer<typeof messagesRequestSchema>;

/** Reads a request to the messages API. */
export function readMessagesRequest(json: LargeJson): {
  body: MessagesRequest;
  request: RunRequest;
} {
  const body = parseAs(messagesRequestSchema, json.value);
  refuseUnsupported(body, ['mcp_servers', 'container', 'compaction']);
  const { system, said } = readMessages(body, json);
  const tools = Object.groupBy(body.tools ?? [], ({ type }) =>
    !type || type === 'custom' ? 'own' : 'vendor',
  );
  const { own = [], vendor = [] } = tools;
  refuseVendorTools(
    vendor.map(({ type }) => type ?? ''),
    { areAlone: own.length === 0 },
  );
  const request: RunRequest = {
    kind: 'message',
    model: body.model,
    system,
    said,
    clientTools: toDefinitions(own.map((tool) => ({ ...tool, schema: tool.input_schema }))),
    parameters: parametersOf(body),
    shape: shapeOf(body),
    ...extensionOf(body.cerise),
    stored: false,
    background: false,
    asked: { model: body.model },
  };
  return { body, request };
}

/** Whether the client requested thinking. */
export function wantsThinking({ thinking }: MessagesRequest): boolean {
  return thinking?.type === 'enabled' || thinking?.type === 'adaptive';
}

function parametersOf(body: MessagesRequest): ChosenParameters {
  const { max_tokens: maxOutputTokens, temperature, top_p: topP, thinking } = body;
  const effort =
    effortOf(body.output_config?.effort, 'output_config.effort') ??
    (thinking?.type === 'disabled' ? 'none' : thinking?.type === 'enabled' ? 'medium' : undefined);
  return definedOf({ maxOutputTokens, temperature, topP, reasoningEffort: effort });
}

function shapeOf({
  tool_choice: choice,
  stop_sequences: stop,
  output_config: output,
  output_format: olderFormat,
}: MessagesRequest): AnswerShape {
  const format = output?.format ?? olderFormat;
  const isSingle =
    choice && 'disable_parallel_tool_use' in choice && choice.disable_parallel_tool_use;
  return {
    ...(choice?.type === 'any' && { toolChoice: 'required' as const }),
    ...(choice?.type === 'none' && { toolChoice: 'none' as const }),
    ...(choice?.type === 'tool' && { toolChoice: { name: choice.name } }),
    ...(isSingle === true && { parallelCalls: false }),
    ...(stop && stop.length > 0 && { stop }),
    ...(format && { format: { type: 'json' as const, schema: format.schema } }),
  };
}

type Files = Pick<LargeJson, 'file' | 'hasFiles'>;
type Block = z.infer<typeof blockSchema>;

function readMessages(body: MessagesRequest, files: Files): { system: string; said: Brought[] } {
  const system = body.system ? [textOf(body.system)] : [];
  const said: Brought[] = [];
  for (const { role, content } of body.messages) {
    if (role === 'system') system.push(textOf(content));
    else if (role === 'assistant') said.push(toAnswer(content, files));
    else said.push(...toQuestion(content, files));
  }
  return { system: system.join('\n\n'), said };
}

function textOf(content: string | Block[]): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

function toAnswer(content: string | Block[], files: Files): Brought {
  const blocks = typeof content === 'string' ? [] : content;
  const calls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map((block) => ({
      callId: String(block['id']),
      toolName: String(block['name']),
      arguments: inputText(block['input'] ?? {}, files),
    }));
  return { role: 'assistant', text: textOf(content), calls };
}

/** The arguments of a call; texts that were taken for files are put back. */
function inputText(input: unknown, files: Files): string {
  if (!files.hasFiles) return JSON.stringify(input);
  return JSON.stringify(input, (_, value: unknown) =>
    typeof value === 'string' ? textAt(value, files) : value,
  );
}

/** Tool results come before the user's text in the same message. */
function toQuestion(content: string | Block[], files: Files): Brought[] {
  if (typeof content === 'string')
    return [{ role: 'user', parts: [{ type: 'text', text: content }] }];
  const said: Brought[] = [];
  const parts: BroughtPart[] = [];
  for (const block of content) {
    if (block.type === 'tool_result') said.push(toResult(block, files));
    else if (block.type === 'text') parts.push({ type: 'text', text: block.text });
    else if (block.type === 'image' || block.type === 'document') parts.push(toFile(block, files));
  }
  if (parts.length > 0) said.push({ role: 'user', parts });
  return said;
}

function toResult(block: z.infer<typeof resultSchema>, files: Files): Brought {
  const { tool_use_id: callId, content, is_error: isError } = block;
  const parts: BroughtPart[] =
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : (content ?? []).map((part) =>
          part.type === 'text' ? { type: 'text', text: part.text } : toFile(part, files),
        );
  return { role: 'tool', callId, parts, ...(isError && { isError: true }) };
}

function toFile({ source, title }: z.infer<typeof mediaSchema>, files: Files): BroughtPart {
  const name = title ?? undefined;
  switch (source.type) {
    case 'base64':
      return fileOf(source.data, source.media_type, files, name);
    case 'url':
      return fileAt(source.url, files, name);
    case 'file':
      return { type: 'stored', id: source.file_id };
    case 'text':
      return { type: 'text', text: textAt(source.data, files) };
  }
}
