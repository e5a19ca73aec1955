import { z } from 'zod';
import { exactObject } from '../vocabulary/fields.ts';

/** Schemas of the questions that servers ask people, and of their answers. */

const id = z.string().min(1).max(200);

const inputBase = {
  id,
  serverId: id,
  serverName: z.string(),
  /** The call the question belongs to, where that is known, and the answer the call belongs to. */
  toolCallId: id.optional(),
  topicId: id.optional(),
  answerId: id.optional(),
  createdAt: z.number(),
  /** When it is cancelled if nobody answers; absent: it stays as long as its call is parked. */
  expiresAt: z.number().optional(),
};
/** A question of a server that waits for a person. Media of a `sampling` are only described. */
export const inputViewSchema = z.discriminatedUnion('kind', [
  z.object({
    ...inputBase,
    kind: z.literal('form'),
    message: z.string(),
    schema: z.object({
      type: z.literal('object'),
      properties: z.record(z.string(), z.record(z.string(), z.json())),
      required: z.array(z.string()).optional(),
    }),
  }),
  z.object({ ...inputBase, kind: z.literal('url'), message: z.string(), url: z.string() }),
  z.object({
    ...inputBase,
    kind: z.literal('sampling'),
    /** The model that is asked unless the answer names another. */
    model: z.string(),
    params: z.object({
      systemPrompt: z.string().optional(),
      messages: z.array(
        z.object({
          role: z.enum(['user', 'assistant']),
          content: z.array(
            z.union([
              z.object({ type: z.literal('text'), text: z.string() }),
              z.object({
                type: z.enum(['image', 'audio']),
                mimeType: z.string(),
                /** Bytes, about. */
                size: z.number(),
              }),
            ]),
          ),
        }),
      ),
      maxTokens: z.number(),
      temperature: z.number().optional(),
      stopSequences: z.array(z.string()).optional(),
    }),
  }),
]);
export type InputView = z.infer<typeof inputViewSchema>;

/** `accept`, `decline` and `cancel` answer a form or an address; the others a request for a model. */
export const answerInputSchema = z.strictObject({
  action: z.enum(['accept', 'decline', 'cancel', 'approve', 'deny']),
  content: exactObject.optional(),
  /** Which model to ask instead of the one that was proposed. */
  model: z.string().min(1).max(300).optional(),
});
export type AnswerInput = z.infer<typeof answerInputSchema>;

export const inputsSchema = z.object({ inputs: z.array(inputViewSchema) });
