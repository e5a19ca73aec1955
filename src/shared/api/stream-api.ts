import { z } from 'zod';

/** A topic to be carried by an open stream. */
export const followSchema = z.object({
  topicId: z.string().min(1).max(200),
  /** The last event that is known; absent: a snapshot comes first. */
  after: z.number().int().min(0).optional(),
  /** How many blocks a snapshot shows at most. */
  blocks: z.number().int().min(1).max(500).optional(),
});

/** Topics with the last events that are known: `ID:SEQ,ID:SEQ`. */
export const streamQuerySchema = z.object({
  topics: z.string().max(8000).default(''),
  blocks: z.coerce.number().int().min(1).max(500).optional(),
});
export const eventsQuerySchema = z.object({ after: z.string().optional() });
