import { z } from 'zod';

/** A model or an assistant in the words of OpenAI and of Anthropic. */
export const v1ModelSchema = z.looseObject({
  id: z.string(),
  object: z.literal('model'),
  created: z.number(),
  owned_by: z.string(),
});
export type V1Model = z.infer<typeof v1ModelSchema>;

/** All of them; there is one page. */
export const v1ModelListSchema = z.object({
  object: z.literal('list'),
  data: z.array(v1ModelSchema),
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
});

/** How a stored response is read: whole, or as a stream after an event of it. */
export const responseQuerySchema = z.object({
  stream: z.enum(['true', 'false']).optional(),
  starting_after: z.coerce.number().int().min(0).optional(),
});

/** Which of the items that a response was given are listed. */
export const inputItemsQuerySchema = z.object({
  order: z.enum(['asc', 'desc']).default('desc'),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  after: z.string().optional(),
});
export type InputItemsQuery = z.infer<typeof inputItemsQuerySchema>;

/** The number of tokens of a request, estimated. */
export const tokenCountSchema = z.object({ input_tokens: z.number() });
/** A request of a program, and the answer that it is made of. */
export interface Run {
  id: string;
  owner: string;
  credential: string;
  kind: 'chat' | 'response' | 'message';
  bodyHash: string;
  requestKey?: string | undefined;
  topicId: string;
  answerId: string;
  /** What has to be told of the request again. */
  asked: unknown;
  /** The hash of everything that was said before the answer: a request that goes on with it is known by that. */
  chain: string;
  /** It can be read again, for a long time. */
  stored: boolean;
  /** Where in the answer it begins. */
  begins: number;
  /** Where it ended although the answer goes on: there the program was asked about these calls. */
  ends?: { at: number; calls: string[] } | undefined;
  createdAt: number;
}
