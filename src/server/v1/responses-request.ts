import { z } from 'zod';
import { responseNotFound } from '#chat/runs/run-place.ts';
import type { Brought, BroughtPart, RunRequest } from '#chat/runs/run-request.ts';
import { answerOfItem } from '#shared/answer/client-calls.ts';
import { say } from '#shared/errors/sentence.ts';
import { jsonObject } from '#shared/vocabulary/fields.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import type { AnswerShape } from '#shared/vocabulary/model.ts';
import { parseAs } from '../api/parse-body.ts';
import { audioOf, fileAt, fileOf } from './brought-files.ts';
import { clientToolName, customArguments } from './client-tools.ts';
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
import { readTools, responsesToolSchema } from './responses-tools.ts';
import { callOfApproval, runOfResponse } from './responses-ids.ts';

const text = z.string();
const partSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.enum(['input_text', 'output_text', 'text']), text }),
  z.looseObject({ type: z.literal('refusal'), refusal: text }),
  z.looseObject({
    type: z.literal('input_image'),
    image_url: text.nullish(),
    file_id: text.nullish(),
  }),
  z.looseObject({
    type: z.literal('input_file'),
    file_data: text.nullish(),
    file_url: text.nullish(),
    file_id: text.nullish(),
    filename: text.nullish(),
  }),
  z.looseObject({
    type: z.literal('input_audio'),
    input_audio: z.looseObject({ data: text, format: text }),
  }),
]);
const contentSchema = z.union([text, listOf(partSchema)]);

const messageSchema = z.looseObject({
  type: z.literal('message'),
  id: text.nullish(),
  role: z.enum(['user', 'system', 'developer', 'assistant']),
  content: contentSchema,
});
const typedItemSchema = z.discriminatedUnion('type', [
  messageSchema,
  z.looseObject({
    type: z.literal('function_call'),
    call_id: text,
    name: text,
    namespace: text.nullish(),
    arguments: z.unknown(),
  }),
  z.looseObject({
    type: z.literal('custom_tool_call'),
    call_id: text,
    name: text,
    namespace: text.nullish(),
    input: text,
  }),
  z.looseObject({
    type: z.enum(['function_call_output', 'custom_tool_call_output']),
    call_id: text,
    output: contentSchema,
  }),
  z.looseObject({
    type: z.literal('mcp_approval_response'),
    approval_request_id: text,
    approve: z.boolean(),
  }),
  z.looseObject({ type: z.literal('item_reference'), id: text }),
  /** Output of an earlier response that Cerise has stored. */
  z.looseObject({
    type: z.enum([
      'reasoning',
      'mcp_call',
      'mcp_list_tools',
      'mcp_approval_request',
      'image_generation_call',
    ]),
  }),
  /** Tools that OpenAI ran for an earlier response; its text says what they returned. */
  z.looseObject({
    type: z.enum(['web_search_call', 'file_search_call', 'code_interpreter_call']),
  }),
]);
/** The type of a message is optional. */
const itemSchema = z.preprocess(
  (item) => (isJsonObject(item) && item.type === undefined ? { ...item, type: 'message' } : item),
  typedItemSchema,
);

/** A request of the responses API. */
const responsesRequestSchema = z.looseObject({
  model: text.min(1).max(500),
  input: z.union([text, historyOf(itemSchema)]).default([]),
  instructions: text.nullish(),
  previous_response_id: text.nullish(),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
  background: z.boolean().nullish(),
  tools: z.array(responsesToolSchema).max(1000).nullish(),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.looseObject({
        type: z.enum(['function', 'custom']),
        name: text,
        namespace: text.nullish(),
      }),
    ])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  text: z
    .looseObject({
      format: z
        .discriminatedUnion('type', [
          z.looseObject({ type: z.literal('text') }),
          z.looseObject({ type: z.literal('json_object') }),
          z.looseObject({
            type: z.literal('json_schema'),
            name: text.optional(),
            schema: jsonObject,
            strict: z.boolean().nullish(),
          }),
        ])
        .optional(),
    })
    .nullish(),
  reasoning: z.looseObject({ effort: text.nullish() }).nullish(),
  max_output_tokens: z.int().positive().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  metadata: z.record(text, text).nullish(),
  user: text.nullish(),
  cerise: ceriseSchema,
});
type ResponsesRequest = z.infer<typeof responsesRequestSchema>;

const unsupported = ['conversation', 'prompt', 'max_tool_calls', 'top_logprobs'];

/** What a response repeats of its request. */
export interface ResponseFacts {
  model: string;
  instructions: string | null;
  previous_response_id: string | null;
  tools: NonNullable<ResponsesRequest['tools']>;
  tool_choice: unknown;
  parallel_tool_calls: boolean;
  text: unknown;
  reasoning: { effort: string | null; summary: null };
  max_output_tokens: number | null;
  temperature: number | null;
  top_p: number | null;
  metadata: Record<string, string>;
  user: string | null;
  store: boolean;
  background: boolean;
  /** The program decides on calls that need an approval. */
  asks: boolean;
}

/** Reads a request to the responses API. */
export function readResponsesRequest(json: LargeJson): {
  body: ResponsesRequest;
  request: RunRequest;
} {
  const body = parseAs(responsesRequestSchema, json.value);
  refuseUnsupported(body, unsupported);
  const items =
    typeof body.input === 'string'
      ? [{ type: 'message' as const, role: 'user' as const, content: body.input }]
      : body.input;
  if (items.length === 0 && !body.previous_response_id)
    throw refused(say('v1-no-input')`input is missing.`, 'input');
  const { system, said, decisions } = readItems(items, json, body.previous_response_id);
  const extension = extensionOf(body.cerise);
  const { own, servers, asks: decides } = readTools(body.tools ?? []);
  const asks = extension.approvals === 'refuse' && decides;
  const { previous_response_id: previous } = body;
  const stored = body.store !== false;
  const request: RunRequest = {
    kind: 'response',
    model: body.model,
    system: [body.instructions, ...system].filter(Boolean).join('\n\n'),
    said,
    decisions,
    ...(previous && { previous: runOfResponse(previous) }),
    clientTools: toDefinitions(own),
    parameters: definedOf({
      temperature: body.temperature,
      topP: body.top_p,
      maxOutputTokens: body.max_output_tokens,
      reasoningEffort: effortOf(body.reasoning?.effort, 'reasoning.effort'),
    }),
    shape: shapeOf(body),
    ...extension,
    ...(servers.length > 0 && !extension.servers && { servers }),
    ...(asks && { approvals: 'ask' }),
    stored,
    background: body.background === true,
    asked: factsOf(body, asks, stored),
  };
  if (request.background && !stored)
    throw refused(say('v1-background-store')`A background response must be stored.`, 'store');
  return { body, request };
}

function factsOf(body: ResponsesRequest, asks: boolean, store: boolean): ResponseFacts {
  return {
    model: body.model,
    instructions: body.instructions ?? null,
    previous_response_id: body.previous_response_id ?? null,
    tools: body.tools ?? [],
    tool_choice: body.tool_choice ?? 'auto',
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    text: { format: { type: 'text' }, ...body.text },
    reasoning: { effort: body.reasoning?.effort ?? null, summary: null },
    max_output_tokens: body.max_output_tokens ?? null,
    temperature: body.temperature ?? null,
    top_p: body.top_p ?? null,
    metadata: body.metadata ?? {},
    user: body.user ?? null,
    store,
    background: body.background === true,
    asks,
  };
}

function shapeOf(body: ResponsesRequest): AnswerShape {
  const { tool_choice: choice } = body;
  const format = body.text?.format;
  return {
    ...(choice &&
      choice !== 'auto' && {
        toolChoice: typeof choice === 'string' ? choice : { name: clientToolName(choice) },
      }),
    ...(body.parallel_tool_calls === false && { parallelCalls: false }),
    ...(format?.type === 'json_object' && { format: { type: 'json' as const } }),
    ...(format?.type === 'json_schema' && {
      format: {
        type: 'json' as const,
        schema: format.schema,
        ...definedOf({ name: format.name, strict: format.strict }),
      },
    }),
  };
}

type Item = z.infer<typeof itemSchema>;
type Files = Pick<LargeJson, 'file'>;
type BroughtAnswer = Extract<Brought, { role: 'assistant' }>;

interface Read {
  system: string[];
  said: Brought[];
  decisions: NonNullable<RunRequest['decisions']>;
}

/** A program that continues no response repeats the history: only its last decisions are new. */
function readItems(
  items: readonly Item[],
  files: Files,
  previous: string | null | undefined,
): Read {
  const read: Read = { system: [], said: [], decisions: [] };
  for (const item of items) readItem(read, item, files);
  if (previous || read.decisions.length === 0) return read;
  const isNew = items.at(-1)?.type === 'mcp_approval_response';
  return isNew ? { ...read, said: [] } : { ...read, decisions: [] };
}

function readItem(read: Read, item: Item, files: Files): void {
  const { said } = read;
  const toOne = (part: Part) => toPart(part, files);
  switch (item.type) {
    case 'message':
      if (item.role === 'user') said.push({ role: 'user', parts: partsOf(item.content, toOne) });
      else if (item.role === 'assistant') addText(said, wordsOf(item.content));
      else read.system.push(wordsOf(item.content));
      return;
    case 'function_call':
      answerIn(said).calls.push({
        callId: item.call_id,
        toolName: clientToolName(item),
        arguments: argumentsOf(item.arguments),
      });
      return;
    case 'custom_tool_call':
      answerIn(said).calls.push({
        callId: item.call_id,
        toolName: clientToolName(item),
        arguments: customArguments(item.input),
      });
      return;
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const { call_id: callId, output } = item;
      said.push({ role: 'tool', callId, parts: partsOf(output, toOne) });
      return;
    }
    case 'mcp_approval_response': {
      const { approval_request_id: id, approve } = item;
      read.decisions.push({ toolCallId: callOfApproval(id), approve });
      return;
    }
    case 'item_reference':
      answerIn(said).answerId = answerOfReference(item.id);
      return;
    default:
  }
}

function answerOfReference(id: string): string {
  const answerId = answerOfItem(id);
  if (answerId === undefined) throw responseNotFound();
  return answerId;
}

/** Consecutive items belong to one answer. */
function answerIn(said: Brought[]): BroughtAnswer {
  const last = said.at(-1);
  if (last?.role === 'assistant') return last;
  const answer: BroughtAnswer = { role: 'assistant', text: '', calls: [] };
  said.push(answer);
  return answer;
}

function addText(said: Brought[], more: string): void {
  const answer = answerIn(said);
  // Thousands of items may be one answer: adding to a text copies none of it.
  answer.text += answer.text === '' || more === '' ? more : `\n\n${more}`;
}

type Part = z.infer<typeof partSchema>;

function toPart(part: Part, files: Files): BroughtPart {
  switch (part.type) {
    case 'refusal':
      return { type: 'text', text: part.refusal };
    case 'input_image':
      if (part.file_id) return { type: 'stored', id: part.file_id };
      return fileAt(part.image_url ?? '', files);
    case 'input_file': {
      if (part.file_id) return { type: 'stored', id: part.file_id };
      if (part.file_url) return fileAt(part.file_url, files, part.filename ?? undefined);
      const name = part.filename ?? undefined;
      return fileOf(part.file_data ?? '', 'application/octet-stream', files, name);
    }
    case 'input_audio':
      return audioOf(part.input_audio, files);
    default:
      return { type: 'text', text: part.text };
  }
}
