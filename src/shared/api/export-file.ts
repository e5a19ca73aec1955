import { z } from 'zod';
import { saidAsSchema } from '../errors/said-as-schema.ts';
import { sanitiseText } from '../text/text.ts';
import { blockStatuses } from '../vocabulary/block.ts';
import { isJsonObject, type JsonObject } from '../vocabulary/json.ts';
import { messageStatuses } from '../vocabulary/message.ts';
import { attachmentSchema } from '../vocabulary/server.ts';
import { callReaches, toolCallStates } from '../vocabulary/tool.ts';

/**
 * The file that holds everything of one person: a JSON object on each line. First `cerise-export`, then
 * settings, servers and assistants; each topic is followed by its files, these by their pieces, and then
 * by its messages in the order of their creation; then what is attached to topics, calls outside of topics, and
 * `end`.
 */

/** Without what a database writes otherwise: two of them must not become the same. */
const id = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => sanitiseText(text) === text);
const time = z.int().nonnegative().max(8.64e15);
const small = z.int().nonnegative().max(1_000_000_000);
/** Models and vendors choose these: whatever they chose is stored here, and so it must come back. */
const name = z.string();
const json = z.custom<JsonObject>(isJsonObject);
/** Of one list: it is refused by its length, before each of its entries is. */
const most = 10_000;
const tokens = z.number().nonnegative().optional();

const usage = z.object({
  inputTokens: tokens,
  outputTokens: tokens,
  reasoningTokens: tokens,
  cachedInputTokens: tokens,
  cacheWriteTokens: tokens,
  cost: z.number().nonnegative().optional(),
  costEstimated: z.literal(true).optional(),
});
const error = z.object({
  code: name,
  message: z.string(),
  hint: z.string().optional(),
  details: z.unknown().optional(),
  messageSaid: saidAsSchema.optional(),
  hintSaid: saidAsSchema.optional(),
});
const parameters = z.object({
  temperature: z.number().optional(),
  topP: z.number().optional(),
  maxOutputTokens: z.int().positive().optional(),
  reasoningEffort: z.enum(['none', 'low', 'medium', 'high', 'auto']).optional(),
});
const mcp = z.object({
  enabled: z.boolean(),
  mode: z.enum(['auto', 'manual']),
  selectedServers: z.array(id).max(100),
});

const stored = z.object({ id, size: small });
const contentPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), stored: stored.optional() }),
  z.object({
    type: z.enum(['image', 'audio']),
    data: z.string(),
    mimeType: name,
    stored: stored.optional(),
  }),
  z.object({
    type: z.literal('resource_link'),
    uri: z.string(),
    name: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    mimeType: name.optional(),
    size: z.number().optional(),
  }),
  z.object({
    type: z.literal('resource'),
    resource: z.object({
      uri: z.string(),
      mimeType: name.optional(),
      text: z.string().optional(),
      blob: z.string().optional(),
    }),
    stored: stored.optional(),
  }),
]);
/** What they say is not believed, only that there are some. */
const origins = z.array(z.unknown()).max(1000).optional();
const result = z.object({
  content: z.array(contentPart).max(most),
  structuredContent: z.unknown().optional(),
  structuredStored: stored.optional(),
  isError: z.boolean().optional(),
  origins,
  problem: z.string().optional(),
  problemSaid: saidAsSchema.optional(),
});

const common = {
  id,
  ordinal: small,
  status: z.enum(blockStatuses),
  content: z.string(),
  round: z.int(),
  startedAt: time,
  endedAt: time.optional(),
};
const signature = z.string().optional();
const blockSchema = z.discriminatedUnion('type', [
  z.object({ ...common, type: z.enum(['main_text', 'thinking']), signature, origins }),
  z.object({ ...common, type: z.literal('code'), language: name.optional() }),
  z.object({
    ...common,
    type: z.literal('translation'),
    language: name,
    model: name,
    usage: usage.optional(),
    error: error.optional(),
  }),
  z.object({
    ...common,
    type: z.literal('compact'),
    through: z.object({ messageId: id, round: z.int().optional() }),
    messageCount: small,
    note: z.object({ at: small, said: saidAsSchema }).optional(),
    origins,
  }),
  z.object({
    ...common,
    type: z.enum(['image', 'file', 'video']),
    name: name.optional(),
    mimeType: name.optional(),
    data: z.string().optional(),
    stored: stored.optional(),
    signature,
    origins,
  }),
  z.object({ ...common, type: z.literal('error'), error }),
  z.object({
    ...common,
    type: z.literal('citation'),
    citations: z
      .array(
        z.object({
          number: small,
          url: z.string().optional(),
          title: z.string().optional(),
          snippet: z.string().optional(),
        }),
      )
      .max(most),
    toolBlockId: id.optional(),
  }),
  z.object({
    ...common,
    type: z.literal('tool'),
    toolCallId: id,
    callId: name,
    serverId: name,
    serverName: name,
    toolName: name,
    modelToolName: name,
    title: name.optional(),
    vendor: name.optional(),
    arguments: json,
    argsHash: name.optional(),
    state: z.enum(toolCallStates),
    reach: z.enum(callReaches).optional(),
    proposedArguments: json.optional(),
    untrusted: z.literal(true).optional(),
    result: result.optional(),
    error: error.optional(),
    signature,
  }),
  z.object({ ...common, type: z.literal('unknown') }),
]);
export type ExportedBlock = z.infer<typeof blockSchema>;

const messageSchema = z.object({
  id,
  parentId: id.nullable(),
  role: z.enum(['user', 'assistant']),
  status: z.enum(messageStatuses),
  model: name.optional(),
  usage: usage.optional(),
  error: error.optional(),
  createdAt: time,
  endedAt: time.optional(),
  blocks: z.array(blockSchema).max(100_000),
});
export type ExportedMessage = z.infer<typeof messageSchema>;

const times = { createdAt: time, updatedAt: time };
const topicSchema = z.object({
  id,
  title: z.string().max(10_000),
  titled: z.boolean(),
  assistantId: id,
  model: name.optional(),
  systemPrompt: z.string().optional(),
  parameters: parameters.optional(),
  mcp: mcp.optional(),
  activeLeafId: id.nullable(),
  ...times,
});
const assistantSchema = z.object({
  id,
  name: z.string().min(1).max(1000),
  systemPrompt: z.string(),
  model: name.optional(),
  parameters,
  mcp,
  ...times,
});

/** One line of the file. Fields that are not ours are left out. */
export const exportLineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('cerise-export'), version: z.literal(1), exportedAt: time }),
  z.object({
    kind: z.literal('settings'),
    settings: z.object({
      defaultModel: name.optional(),
      titleModel: name.optional(),
      translationModel: name.optional(),
      reasoningEffort: z.enum(['none', 'low', 'medium', 'high']).optional(),
    }),
  }),
  z.object({ kind: z.literal('assistant'), assistant: assistantSchema }),
  z.object({
    kind: z.literal('server'),
    /** Without the values of secrets; their names are there. */
    server: z.object({ id, config: json, attachedTo: attachmentSchema.optional() }),
  }),
  z.object({ kind: z.literal('topic'), topic: topicSchema }),
  z.object({
    kind: z.literal('file'),
    file: z.object({ id, size: small, mimeType: name, name: name.optional() }),
  }),
  /** The next bytes of the file above, in base64. */
  z.object({ kind: z.literal('piece'), data: z.base64() }),
  z.object({ kind: z.literal('message'), message: messageSchema }),
  /** More blocks of the message above: a line is not longer than it has to be. */
  z.object({ kind: z.literal('blocks'), blocks: z.array(blockSchema).max(100_000) }),
  /** A call outside of any topic. It is for reading: an import leaves it where it was made. */
  z.object({ kind: z.literal('call'), call: json }),
  z.object({ kind: z.literal('end') }),
]);
export type ExportLine = z.infer<typeof exportLineSchema>;
