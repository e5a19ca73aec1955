import { z } from 'zod';
import type { RunRequest, Brought, BroughtPart } from '#chat/runs/run-request.ts';
import { say } from '#shared/errors/sentence.ts';
import { jsonObject } from '#shared/vocabulary/fields.ts';
import type { AnswerShape } from '#shared/vocabulary/model.ts';
import { parseAs } from '../api/parse-body.ts';
import type { LargeJson } from './large-json.ts';
import {
  argumentsOf,
  ceriseSchema,
  definedOf,
  effortOf,
  extensionOf,
  historyOf,
  listOf,
  partsOf,
  refused,
  refuseUnsupported,
  toDefinitions,
  wordsOf,
} from './request-parts.ts';
import { audioOf, fileAt, fileOf } from './brought-files.ts';
import {
  type ClientTool,
  customArguments,
  customTool,
  grammarSchema,
  toolNameSchema,
} from './client-tools.ts';

const partSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
  z.looseObject({
    type: z.literal('image_url'),
    image_url: z.union([z.string(), z.looseObject({ url: z.string() })]),
  }),
  z.looseObject({
    type: z.literal('input_audio'),
    input_audio: z.looseObject({ data: z.string(), format: z.string() }),
  }),
  z.looseObject({
    type: z.literal('file'),
    file: z.looseObject({
      file_data: z.string().optional(),
      file_id: z.string().optional(),
      filename: z.string().optional(),
    }),
  }),
]);
const contentSchema = z.union([z.string(), listOf(partSchema)]);

/** A call of an earlier answer. */
const callSchema = z.union([
  z
    .looseObject({
      id: z.string(),
      function: z.looseObject({ name: z.string(), arguments: z.unknown() }),
    })
    .transform(({ id: callId, function: { name: toolName, arguments: args } }) => ({
      callId,
      toolName,
      arguments: argumentsOf(args),
    })),
  z
    .looseObject({ id: z.string(), custom: z.looseObject({ name: z.string(), input: z.string() }) })
    .transform(({ id: callId, custom: { name: toolName, input } }) => ({
      callId,
      toolName,
      arguments: customArguments(input),
    })),
]);

const messageSchema = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer', 'user']), content: contentSchema }),
  z.looseObject({
    role: z.literal('assistant'),
    content: contentSchema.nullish(),
    refusal: z.string().nullish(),
    tool_calls: z.array(callSchema).nullish(),
  }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: z.string(), content: contentSchema }),
]);

const toolSchema = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('function'),
    function: z.looseObject({
      name: toolNameSchema,
      description: z.string().nullish(),
      parameters: jsonObject.nullish(),
    }),
  }),
  z.looseObject({
    type: z.literal('custom'),
    custom: z.looseObject({
      name: toolNameSchema,
      description: z.string().nullish(),
      format: z
        .discriminatedUnion('type', [
          z.looseObject({ type: z.literal('text') }),
          z.looseObject({ type: z.literal('grammar'), grammar: grammarSchema }),
        ])
        .nullish(),
    }),
  }),
]);

/** A request of chat completions. Fields that are not listed here are ignored, or refused where that would mislead. */
const chatRequestSchema = z.looseObject({
  model: z.string().min(1).max(500),
  messages: historyOf(messageSchema, { least: 1 }),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  tools: z.array(toolSchema).max(1000).nullish(),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }),
      z.looseObject({ type: z.literal('custom'), custom: z.looseObject({ name: z.string() }) }),
    ])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: z
    .discriminatedUnion('type', [
      z.looseObject({ type: z.literal('text') }),
      z.looseObject({ type: z.literal('json_object') }),
      z.looseObject({
        type: z.literal('json_schema'),
        json_schema: z.looseObject({
          name: z.string().optional(),
          schema: jsonObject.optional(),
          strict: z.boolean().nullish(),
        }),
      }),
    ])
    .nullish(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(16)]).nullish(),
  seed: z.int().nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  reasoning_effort: z.string().nullish(),
  n: z.int().nullish(),
  cerise: ceriseSchema,
});
export type ChatRequest = z.infer<typeof chatRequestSchema>;

/** What would change the answer and cannot be honoured. */
const unsupported = ['logprobs', 'top_logprobs', 'functions', 'function_call', 'audio'];

/** Reads a request for a chat completion. */
export function readChatRequest(json: LargeJson): { body: ChatRequest; request: RunRequest } {
  const body = parseAs(chatRequestSchema, json.value);
  refuseUnsupported(body, unsupported);
  if ((body.n ?? 1) !== 1) throw refused(say('v1-one-choice')`n must be 1.`, 'n');
  const { system, said } = readMessages(body.messages, json);
  const request: RunRequest = {
    kind: 'chat',
    model: body.model,
    system,
    said,
    clientTools: toDefinitions((body.tools ?? []).map(toClientTool)),
    parameters: definedOf({
      temperature: body.temperature,
      topP: body.top_p,
      maxOutputTokens: body.max_completion_tokens ?? body.max_tokens,
      reasoningEffort: effortOf(body.reasoning_effort, 'reasoning_effort'),
    }),
    shape: shapeOf(body),
    ...extensionOf(body.cerise),
    stored: false,
    background: false,
    asked: { model: body.model },
  };
  return { body, request };
}

function shapeOf(body: ChatRequest): AnswerShape {
  const { tool_choice: choice, response_format: format, stop } = body;
  return {
    ...(choice &&
      choice !== 'auto' && {
        toolChoice: typeof choice === 'string' ? choice : { name: chosenTool(choice) },
      }),
    ...(body.parallel_tool_calls === false && { parallelCalls: false }),
    ...(format && format.type !== 'text' && { format: formatOf(format) }),
    ...definedOf({
      stop: typeof stop === 'string' ? [stop] : stop,
      seed: body.seed,
      frequencyPenalty: body.frequency_penalty,
      presencePenalty: body.presence_penalty,
    }),
  };
}

function chosenTool(choice: Exclude<NonNullable<ChatRequest['tool_choice']>, string>): string {
  return choice.type === 'function' ? choice.function.name : choice.custom.name;
}

function toClientTool(tool: z.infer<typeof toolSchema>): ClientTool {
  if (tool.type === 'function') return { ...tool.function, schema: tool.function.parameters };
  const { custom } = tool;
  return customTool(custom, custom.format?.type === 'grammar' ? custom.format.grammar : undefined);
}

/** The names of the tools of a request that take a text. */
export function customTools({ tools }: ChatRequest): ReadonlySet<string> {
  return new Set(
    (tools ?? []).flatMap((tool) => (tool.type === 'custom' ? [tool.custom.name] : [])),
  );
}

type Format = Exclude<NonNullable<ChatRequest['response_format']>, { type: 'text' }>;

function formatOf(format: Format): NonNullable<AnswerShape['format']> {
  if (format.type === 'json_object') return { type: 'json' };
  const { name, schema, strict } = format.json_schema;
  return { type: 'json', ...definedOf({ name, schema, strict }) };
}

type Files = Pick<LargeJson, 'file'>;

/** System messages come first, wherever they were. */
function readMessages(
  messages: ChatRequest['messages'],
  files: Files,
): { system: string; said: Brought[] } {
  const system: string[] = [];
  const said: Brought[] = [];
  const toOne = (part: Part) => toPart(part, files);
  for (const message of messages) {
    if (message.role === 'system' || message.role === 'developer')
      system.push(wordsOf(message.content));
    else if (message.role === 'user')
      said.push({ role: 'user', parts: partsOf(message.content, toOne) });
    else if (message.role === 'tool')
      said.push({
        role: 'tool',
        callId: message.tool_call_id,
        parts: partsOf(message.content, toOne),
      });
    else if (message.role === 'assistant')
      said.push({
        role: 'assistant',
        text: wordsOf(message.content ?? message.refusal ?? ''),
        calls: message.tool_calls ?? [],
      });
  }
  return { system: system.join('\n\n'), said };
}

type Part = z.infer<typeof partSchema>;

function toPart(part: Part, files: Files): BroughtPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'refusal':
      return { type: 'text', text: part.refusal };
    case 'image_url': {
      const { image_url: image } = part;
      return fileAt(typeof image === 'string' ? image : image.url, files);
    }
    case 'input_audio':
      return audioOf(part.input_audio, files);
    case 'file': {
      const { file_id: id, file_data: data, filename } = part.file;
      if (id !== undefined) return { type: 'stored', id };
      return fileOf(data ?? '', 'application/octet-stream', files, filename);
    }
  }
}
