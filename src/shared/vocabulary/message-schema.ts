import { z } from 'zod';
import { blockSchema } from './block-schema.ts';
import { retryReasons } from './chunk.ts';
import { count, id, time } from './fields.ts';
import { usageSchema } from './usage.ts';

/**
 * The one definition of messages, topics and assistants: the types in `message.ts`, the API and the export
 * file are made from it.
 */

/** A request to a model that failed and is repeated. */
const retrySchema = z.object({
  reason: z.enum(retryReasons),
  /** Which try it is, the first being 1, and how many there are at most. */
  attempt: count,
  of: count,
  /** When the model is asked. */
  at: time,
});

/** What a running answer waits for: derived by the reducer, never stored on its own. */
const waitingSchema = z.object({
  for: z.enum(['model', 'tool', 'approval', 'input']),
  since: time,
  /** The model could not answer and is asked again. */
  retry: retrySchema.optional(),
});

/** One request to the model of an answer: when it was made, what came of it, what it used. */
export const modelRequestSchema = z.object({
  /** A round has several where the model was asked again with less history. */
  round: z.int(),
  startedAt: time,
  /** When the first chunk arrived. */
  firstAt: time.optional(),
  endedAt: time,
  usage: usageSchema.optional(),
  finishReason: z.string().optional(),
  /** The code of what it failed with. */
  error: z.string().optional(),
});

/** A question or an answer. */
export const messageSchema = z.object({
  id,
  topicId: id,
  /** The message this one replies to; null at the root. Messages form a tree. */
  parentId: id.nullable(),
  role: z.enum(['user', 'assistant']),
  status: z.enum(['pending', 'processing', 'waiting', 'success', 'error', 'stopped']),
  waiting: waitingSchema.optional(),
  /** `provider/model` of an answer. */
  model: z.string().optional(),
  usage: usageSchema.optional(),
  /** The requests to its model that have ended; absent where an earlier version made the answer. */
  rounds: z.array(modelRequestSchema).optional(),
  /** True while a translation is added to it; it had ended before and keeps how. */
  translating: z.literal(true).optional(),
  createdAt: time,
  endedAt: time.optional(),
  /** The error of an answer is one of them. */
  blocks: z.array(blockSchema),
  /** True if this is only the end of a long message: blocks of smaller ordinals were left out. */
  hasEarlierBlocks: z.boolean().optional(),
  /** True while it waits for the host that has the topic: no event tells of it yet. */
  accepted: z.boolean().optional(),
});

/** What a person chose; `auto` is the vendor's own effort, whatever is usual here. */
export const chosenParametersSchema = z.object({
  temperature: z.number().optional(),
  topP: z.number().optional(),
  maxOutputTokens: z.int().positive().optional(),
  reasoningEffort: z.enum(['none', 'low', 'medium', 'high', 'auto']).optional(),
});

/** Which servers an assistant or a topic uses. */
const toolSelectionSchema = z.object({
  enabled: z.boolean(),
  mode: z.enum(['auto', 'manual']),
  selectedServers: z.array(id).max(100),
});

/** A conversation without its messages. */
export const topicSchema = z.object({
  id,
  title: z.string(),
  /** False while the title is still the automatic one. */
  titled: z.boolean(),
  assistantId: id,
  /** Overrides of the assistant's fields. */
  model: z.string().optional(),
  systemPrompt: z.string().optional(),
  parameters: chosenParametersSchema.optional(),
  mcp: toolSelectionSchema.optional(),
  /** The end of the branch that is shown. */
  activeLeafId: id.nullable(),
  /** Since when it is pinned, which is the order of pinned ones; one that is archived never is. */
  pinnedAt: time.optional(),
  /** It is kept apart from the others, until it gets a new message. */
  archived: z.literal(true).optional(),
  /** It belongs to a request of a program: it is in no list and no search, and goes after a time. */
  unlisted: z.literal(true).optional(),
  /** The message that it was copied up to, and the topic of that; either may be gone by now. */
  forkedFrom: z.object({ topicId: id, messageId: id }).optional(),
  /** True while an answer runs or a message is translated. */
  isLoading: z.boolean(),
  createdAt: time,
  updatedAt: time,
});

/** A topic with its messages as of `seq`: the snapshot, and the state that `reduce` moves on. */
export const conversationSchema = z.object({
  topic: topicSchema,
  /** In order of creation. */
  messages: z.array(messageSchema),
  /** True if older messages, or blocks of the first one, are not in `messages`. */
  hasEarlier: z.boolean(),
  seq: z.number(),
});

/** What topics start from. */
export const assistantSchema = z.object({
  id,
  name: z.string().min(1).max(1000),
  systemPrompt: z.string(),
  /** Absent: the default model of the settings. */
  model: z.string().optional(),
  parameters: chosenParametersSchema,
  mcp: toolSelectionSchema,
  createdAt: time,
  updatedAt: time,
});
