import { z } from 'zod';
import { errorInfoSchema } from '../errors/error-info-schema.ts';
import { sentenceRefSchema } from '../errors/sentence-ref-schema.ts';
import { count, id, jsonObject, time } from './fields.ts';
import { originsSchema } from './origin.ts';
import {
  askReasonSchema,
  blobRefSchema,
  callReaches,
  toolCallStates,
  toolProgressSchema,
  toolResultSchema,
} from './tool.ts';
import { usageSchema } from './usage.ts';

/** The one definition of a block: the types in `block.ts`, the API and the export file are made from it. */

const blockStatuses = [
  'pending',
  'processing',
  'streaming',
  'success',
  'error',
  'paused',
  'cancelled',
  'interrupted',
] as const;

/** What every block has. */
export const blockFields = {
  id,
  /** The order in which blocks of the answer began; given once. */
  ordinal: count,
  status: z.enum(blockStatuses),
  /** The text of the block; for a tool, its arguments as the model is still writing them. */
  content: z.string(),
  /** Which model request of the answer produced it. */
  round: z.int(),
  startedAt: time,
  endedAt: time.optional(),
};

/** What the vendor attached and wants back, untouched. */
const signature = z.string().optional();
/** Where untrusted words in it came from. */
const origins = originsSchema.optional();

/** A numbered source; numbers run through the whole answer. */
const citationSchema = z.object({
  number: count,
  url: z.string().optional(),
  title: z.string().optional(),
  snippet: z.string().optional(),
});

/** Inline base64 `data`, or `stored`. */
const media = {
  name: z.string().optional(),
  mimeType: z.string().optional(),
  data: z.string().optional(),
  stored: blobRefSchema.optional(),
  signature,
  origins,
};

const tool = {
  toolCallId: id,
  /** The vendor's id; may repeat from round to round. */
  callId: z.string(),
  serverId: z.string(),
  serverName: z.string(),
  toolName: z.string(),
  /** The name the model used. */
  modelToolName: z.string(),
  title: z.string().optional(),
  /** Who ran it, where that was the vendor of the model itself. */
  vendor: z.string().optional(),
  /** The program that asked for the answer runs it, and brings its result with its next request. */
  client: z.literal(true).optional(),
  arguments: jsonObject,
  argsHash: z.string().optional(),
  state: z.enum(toolCallStates),
  /** How far the call came, once it has ended; absent where an earlier version recorded it. */
  reach: z.enum(callReaches).optional(),
  /** What the model had asked for, where a person changed the arguments. */
  proposedArguments: jsonObject.optional(),
  /** The result comes from an untrusted source: what follows from it is asked about. */
  untrusted: z.literal(true).optional(),
  result: toolResultSchema.optional(),
  error: errorInfoSchema.optional(),
  signature,
};

/** Of a call that has not ended. */
const openTool = {
  /** Set while a person must decide: why. */
  approval: askReasonSchema.optional(),
  progress: toolProgressSchema.optional(),
};

/** Every type of block. What must know each of them does not compile before it knows a new one. */
export function blockUnion<Common extends z.ZodRawShape, Open extends z.ZodRawShape>(
  common: Common,
  open: Open,
) {
  const block = <Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields) =>
    z.object({ ...common, type: z.literal(type), ...fields });
  return z.discriminatedUnion('type', [
    block('main_text', { signature, origins }),
    block('thinking', { signature }),
    /** The text of its message in another language; models never see it. */
    block('translation', {
      /** As BCP 47 writes it. */
      language: z.string(),
      /** `provider/model` of who translated. */
      model: z.string(),
      usage: usageSchema.optional(),
      error: errorInfoSchema.optional(),
    }),
    block('image', media),
    block('code', { language: z.string().optional() }),
    block('tool', { ...tool, ...open }),
    block('file', media),
    block('video', media),
    block('error', { error: errorInfoSchema }),
    block('citation', {
      citations: z.array(citationSchema).max(10_000),
      /** The tool block the sources came from, if any. */
      toolBlockId: id.optional(),
    }),
    /** A summary that stands for the conversation up to a place; with status `error`, a note instead of it. */
    block('compact', {
      /** The last message it stands for; with `round`, only up to that round of the answer. */
      through: z.object({ messageId: id, round: z.int().optional() }),
      /** How many messages it stands for, wholly or in part. */
      messageCount: count,
      /** Where in the text the note begins, and by what it is known. */
      note: z.object({ at: count, said: sentenceRefSchema }).optional(),
      origins,
    }),
    /** Of a type this version does not know; kept, shown as such. */
    block('unknown', {}),
  ]);
}

/** What a block is, whatever its type. */
export const blockSchema = blockUnion({ ...blockFields, messageId: id }, openTool);
/** Every type of block, in the order of the schema. */
export const blockTypes = blockSchema.options.map(({ shape }) => shape.type.value);
