import { z } from 'zod';
import { count, id } from '../vocabulary/fields.ts';
import { topicPageQuerySchema } from './api.ts';

/** Which topics: those that are not archived, unless it says otherwise. Pinned ones come in the order of pinning. */
export const topicListQuerySchema = topicPageQuerySchema.extend({
  archived: z.enum(['0', '1']).optional(),
  pinned: z.literal('1').optional(),
  /** An answer runs; or a call or a server's question waits for a person. */
  state: z.enum(['running', 'waiting']).optional(),
  /** Some answer used it. */
  model: z.string().min(1).max(300).optional(),
  server: id.optional(),
});
export type TopicListQuery = z.infer<typeof topicListQuerySchema>;
/** What answers in topics used, to choose from. */
export const topicUsesSchema = z.object({ models: z.array(z.string()), servers: z.array(id) });
export type TopicUses = z.infer<typeof topicUsesSchema>;

/** `undo`: it can be restored for a time. */
export const deleteTopicQuerySchema = z.object({ undo: z.literal('1').optional() });

export const differenceSchema = z.object({
  /** Where, such as `requests[2].messages[4]`. */
  path: z.string(),
  /** The value there as JSON, cut if it is long; absent: there is none. */
  recorded: z.string().optional(),
  replayed: z.string().optional(),
});
/** One place in which a replay is not what was recorded. */
export type Difference = z.infer<typeof differenceSchema>;

/** What came of a replay. It is identical where there are no differences. */
export const replaySchema = z.object({
  /** How many requests the record has, and how many blocks the answer. */
  requests: count,
  blocks: count,
  differences: z.array(differenceSchema),
});
export type Replay = z.infer<typeof replaySchema>;
