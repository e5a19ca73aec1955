import { z } from 'zod';
import { errorInfoSchema } from '../errors/error-info-schema.ts';
import type { ErrorInfo } from '../errors/errors.ts';
import type { JsonObject } from '../vocabulary/json.ts';
import { policyReasons } from '../vocabulary/policy-api.ts';
import {
  callReaches,
  callTimesSchema,
  toolCallStates,
  type ToolResult,
} from '../vocabulary/tool.ts';

/** Schemas of tool calls as clients get them. */

const id = z.string().min(1).max(200);

export const toolCallViewSchema = z.object({
  id,
  topicId: id.optional(),
  answerId: id.optional(),
  serverId: id,
  serverName: z.string(),
  toolName: z.string(),
  arguments: z.unknown(),
  argsHash: z.string(),
  state: z.enum(toolCallStates),
  /** Once it has ended: whether it never left, left with its end unknown, or ended. */
  reach: z.enum(callReaches).optional(),
  rule: z.string().optional(),
  /** What the rule says as a code, where no rule of a person decided. */
  reason: z.enum(policyReasons).optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
  createdAt: z.number(),
  /** When a person, or a rule that they made meanwhile, decided; absent where nobody was asked. */
  decidedAt: z.number().optional(),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
  times: callTimesSchema.optional(),
});
/** A tool call as the API tells it; what a server gave or was given is not checked again. */
export interface ToolCallView extends z.infer<typeof toolCallViewSchema> {
  arguments: JsonObject;
  result?: ToolResult | undefined;
  error?: ErrorInfo | undefined;
}

/** A call outside of any conversation, as a list shows it: without what it was given and gave. */
const directCallSchema = toolCallViewSchema
  .pick({
    id: true,
    serverId: true,
    serverName: true,
    toolName: true,
    state: true,
    reach: true,
    createdAt: true,
    startedAt: true,
    endedAt: true,
  })
  .extend({ error: z.unknown().optional() });
export type DirectCallView = Omit<z.infer<typeof directCallSchema>, 'error'> & {
  error?: ErrorInfo | undefined;
};

export const directCallsQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** The `next` of the page before. */
  after: z.string().max(300).optional(),
  /** Only those of one server, or of one of its tools. */
  serverId: id.optional(),
  toolName: z.string().min(1).max(300).optional(),
});
export type DirectCallsQuery = z.infer<typeof directCallsQuerySchema>;
export const directCallsSchema = z.object({
  calls: z.array(directCallSchema),
  next: z.string().optional(),
});
export interface DirectCallPage {
  calls: DirectCallView[];
  next?: string;
}

/** What became of each decision: the call as it is now, or why it was refused. */
export const decisionResultsSchema = z.object({
  results: z.array(
    z.object({
      toolCallId: z.string(),
      call: toolCallViewSchema.optional(),
      error: errorInfoSchema.optional(),
    }),
  ),
});
