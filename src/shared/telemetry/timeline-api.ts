import { z } from 'zod';
import { id, time } from '../vocabulary/fields.ts';
import { messageSchema, modelRequestSchema } from '../vocabulary/message-schema.ts';
import { policyReasons } from '../vocabulary/policy-api.ts';
import { callTimesSchema, toolCallStates } from '../vocabulary/tool.ts';

/** One request to the model; it has no end while it runs. */
const timelineRequestSchema = modelRequestSchema.extend({
  endedAt: time.optional(),
  /** Derived from the blocks of the answer, which an earlier version made or which is still running. */
  derived: z.literal(true).optional(),
});

/** One tool call, without what it was given and gave. */
const timelineCallSchema = z.object({
  toolCallId: id,
  round: z.int(),
  serverId: z.string(),
  serverName: z.string(),
  toolName: z.string(),
  title: z.string().optional(),
  /** Who ran it, where that was the vendor of the model itself. */
  vendor: z.string().optional(),
  state: z.enum(toolCallStates),
  /** The code of what it failed with. */
  error: z.string().optional(),
  /** The rule that let it run, or why a person was asked. */
  rule: z.string().optional(),
  reason: z.enum(policyReasons).optional(),
  createdAt: time,
  decidedAt: time.optional(),
  startedAt: time.optional(),
  endedAt: time.optional(),
  times: callTimesSchema.optional(),
  /** When its server waited for the answers of a person. */
  waits: z.array(z.object({ startedAt: time, endedAt: time.optional() })),
});

/** What an answer spent its time on, for its owner. */
export const timelineSchema = messageSchema
  .pick({ topicId: true, model: true, status: true, usage: true, endedAt: true })
  .extend({
    answerId: id,
    startedAt: time,
    requests: z.array(timelineRequestSchema),
    calls: z.array(timelineCallSchema),
  });

export type Timeline = z.infer<typeof timelineSchema>;
export type TimelineRequest = Timeline['requests'][number];
export type TimelineCall = Timeline['calls'][number];
