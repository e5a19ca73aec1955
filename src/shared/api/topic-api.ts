import { z } from 'zod';
import { id } from '../vocabulary/fields.ts';
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
