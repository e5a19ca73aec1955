import { z } from 'zod';
import { blockFields, blockUnion } from '../vocabulary/block-schema.ts';
import { count, id, jsonObject, time } from '../vocabulary/fields.ts';
import { assistantSchema, messageSchema, topicSchema } from '../vocabulary/message-schema.ts';
import { attachmentSchema } from '../vocabulary/server.ts';

/**
 * The file that holds everything of one person: a JSON object on each line. First `cerise-export`, then
 * settings, servers and assistants; each topic is followed by its files, these by their pieces, and then
 * by its messages in the order of their creation; then what is attached to topics, calls outside of topics, and
 * `end`.
 */

/** Models and vendors choose these: whatever they chose is stored here, and so it must come back. */
const name = z.string();

/** Here a block stands below its message, and nobody waits for it. */
const exportedBlockSchema = blockUnion(blockFields, {});
export type ExportedBlock = z.infer<typeof exportedBlockSchema>;
const exportedBlocks = z.array(exportedBlockSchema).max(100_000);

/** Here a message stands below its topic, with the first of its blocks. */
const exportedMessageSchema = messageSchema
  .omit({ topicId: true, waiting: true, translating: true, hasEarlierBlocks: true, accepted: true })
  .extend({ blocks: exportedBlocks });
export type ExportedMessage = z.infer<typeof exportedMessageSchema>;

const exportedTopicSchema = topicSchema
  .omit({ isLoading: true, unlisted: true })
  .extend({ title: z.string().max(10_000) });

/** One line of the file. Fields that are not ours are left out. */
export const exportLineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('cerise-export'), version: z.literal(1), exportedAt: time }),
  z.object({
    kind: z.literal('settings'),
    settings: z.object({
      defaultModel: name.optional(),
      titleModel: name.optional(),
      translationModel: name.optional(),
      favouriteModels: z.array(name).max(500).optional(),
      reasoningEffort: z.enum(['none', 'low', 'medium', 'high']).optional(),
    }),
  }),
  z.object({ kind: z.literal('assistant'), assistant: assistantSchema }),
  z.object({
    kind: z.literal('server'),
    /** Without the values of secrets; their names are there. */
    server: z.object({ id, config: jsonObject, attachedTo: attachmentSchema.optional() }),
  }),
  z.object({ kind: z.literal('topic'), topic: exportedTopicSchema }),
  z.object({
    kind: z.literal('file'),
    file: z.object({ id, size: count, mimeType: name, name: name.optional() }),
  }),
  /** The next bytes of the file above, in base64. */
  z.object({ kind: z.literal('piece'), data: z.base64() }),
  z.object({ kind: z.literal('message'), message: exportedMessageSchema }),
  /** More blocks of the message above: a line is not longer than it has to be. */
  z.object({ kind: z.literal('blocks'), blocks: exportedBlocks }),
  /** A call outside of any topic. It is for reading: an import leaves it where it was made. */
  z.object({ kind: z.literal('call'), call: jsonObject }),
  z.object({ kind: z.literal('end') }),
]);
export type ExportLine = z.infer<typeof exportLineSchema>;
