import { z } from 'zod';
import { errorInfoSchema } from '../errors/error-info-schema.ts';
import { sentenceRefSchema } from '../errors/sentence-ref-schema.ts';
import { blockFields, blockTypes } from '../vocabulary/block-schema.ts';
import { exactObject, modelName } from '../vocabulary/fields.ts';
import { adminOnly } from '../vocabulary/field-marks.ts';
import { limitSpecs } from '../vocabulary/limits.ts';
import { conversationSchema, messageSchema, topicSchema } from '../vocabulary/message-schema.ts';
import { policyVerdictSchema, unaskedSchema } from '../vocabulary/policy-api.ts';
import {
  attachmentSchema,
  serverConfigSchema,
  serverFixSchema,
  serverStates,
} from '../vocabulary/server.ts';
import { catalogueWaySchema } from '../vocabulary/server/installed-from.ts';
import { priceSchema } from './provider-api.ts';

/** Schemas of what clients send and get. The OpenAPI document is made from these. */

const id = z.string().min(1).max(200);

const effortSchema = z.enum(['none', 'low', 'medium', 'high']);

const modelParametersSchema = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  maxOutputTokens: z.int().positive().optional(),
  /** `auto`: the vendor's own, whatever is usual here. */
  reasoningEffort: effortSchema.or(z.literal('auto')).optional(),
});

const toolSelectionSchema = z.strictObject({
  enabled: z.boolean().default(true),
  mode: z.enum(['auto', 'manual']).default('auto'),
  selectedServers: z.array(id).max(100).default([]),
});

const createAssistantSchema = z.strictObject({
  name: z.string().trim().min(1).max(100),
  systemPrompt: z.string().max(100_000).default(''),
  model: modelName.optional(),
  parameters: modelParametersSchema.default({}),
  mcp: toolSelectionSchema.default({ enabled: true, mode: 'auto', selectedServers: [] }),
});
export const updateAssistantSchema = z.strictObject({
  name: z.string().trim().min(1).max(100).optional(),
  systemPrompt: z.string().max(100_000).optional(),
  model: modelName.nullable().optional(),
  parameters: modelParametersSchema.optional(),
  mcp: toolSelectionSchema.optional(),
});

export const createTopicSchema = z.strictObject({
  title: z.string().trim().min(1).max(200).optional(),
  assistantId: id.optional(),
  model: modelName.optional(),
});
export const updateTopicSchema = z.strictObject({
  title: z.string().trim().min(1).max(200).optional(),
  assistantId: id.optional(),
  /** Null removes the override. */
  model: modelName.nullable().optional(),
  systemPrompt: z.string().max(100_000).nullable().optional(),
  parameters: modelParametersSchema.nullable().optional(),
  mcp: toolSelectionSchema.nullable().optional(),
  activeLeafId: id.optional(),
  /** One that is pinned is not archived, and the other way round. */
  pinned: z.boolean().optional(),
  archived: z.boolean().optional(),
});

const quoteSchema = z.union([z.strictObject({ message: id }), z.strictObject({ server: id })]);
export type Quote = z.infer<typeof quoteSchema>;

export const sendMessageSchema = z.strictObject({
  text: z.string(),
  model: modelName.optional(),
  tools: z
    .strictObject({
      enabled: z.boolean().optional(),
      mode: z.enum(['auto', 'manual', 'none']).optional(),
      servers: z.array(id).max(100).optional(),
    })
    .optional(),
  /** Where to branch off; absent: the end of the shown branch; null: a new root. */
  parentId: id.nullable().optional(),
  /** Ids that `POST /api/files` gave, or of files of other messages. */
  files: z.array(id).max(limitSpecs.filesPerMessage.most).optional(),
  /** Whose words the text and the files repeat: of messages, or of servers (prompts, resources). */
  quotes: z.array(quoteSchema).max(100).optional(),
});
export const sentMessageSchema = z.object({ userMessageId: z.string(), answerId: z.string() });
export const startedAnswerSchema = z.object({ answerId: z.string() });
export const regenerateSchema = z.strictObject({
  model: modelName.optional(),
  systemPrompt: z.string().max(100_000).optional(),
  /** The step that is made anew, with all after it; steps count from 1. Those before it are copied. */
  from: z.int().min(1).max(10_000).optional(),
  /** Calls take the results that the answer has, run as always, or each need an approval. */
  tools: z.enum(['recorded', 'live', 'ask']).optional(),
});

export const translateSchema = z.strictObject({
  /** As BCP 47 writes it, such as `en` or `zh-Hans`. */
  language: z.string().regex(/^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i),
  model: modelName.optional(),
});
export const translatingSchema = z.object({ messageId: z.string() });

/**
 * Our own form, or an entry as other hosts write it; `readServerInput` turns the second into the first. These
 * fields stand beside those of a config.
 */
export const besideServerSchema = z.looseObject({
  attachedTo: attachmentSchema.optional(),
  /** Whether everybody on the host may use it; for what an admin adds, absent means yes. */
  shared: adminOnly(z.boolean(), 'sharing').optional(),
});
export const createServerSchema = z.union([serverConfigSchema, besideServerSchema]);
/** Fields of a config, and what stands beside them; only those that change. */
export const updateServerSchema = z.looseObject({});
/** Session servers may come with the assistant; they are then in the list of servers, attached to it. */
export const newAssistantSchema = createAssistantSchema.extend({
  sessionServers: z.array(createServerSchema).max(20).default([]),
});
export const approveServerSchema = z.strictObject({ launchHash: z.string() });
const callName = z
  .string()
  .regex(/^[\w.-]{1,100}$/)
  .optional();

export const callToolSchema = z.strictObject({
  arguments: exactObject.default({}),
  callId: callName,
  /** The call of a chat whose arguments these are: untrusted words in them stay so. */
  repeats: callName,
  /** A person has exactly these arguments before them and approves them, this once: where the policy asks, it runs. */
  approve: z.literal('once').optional(),
});

export const settingsSchema = z.strictObject({
  defaultModel: modelName.optional(),
  /** What names conversations, and what translates; absent: the model of the conversation. */
  titleModel: modelName.optional(),
  translationModel: modelName.optional(),
  /** Those that stand first where a model is chosen; one that is gone is not shown. */
  favouriteModels: z.array(modelName).max(500).optional(),
  /** How much a model thinks first where neither conversation nor assistant says. */
  reasoningEffort: effortSchema.optional(),
  /** Whether what models are sent for their answers, and what comes back, is kept for a replay. */
  recordAnswers: z.boolean().optional(),
  /** `host` or `host:port` entries that the fetch tool may reach although they are private. */
  fetchAllow: adminOnly(z.array(z.string().max(300)).max(100), 'host-reach').default([]),
  /** The engine behind the web-search tool. A key is read back as dots, which mean: unchanged. */
  webSearch: adminOnly(
    z.strictObject({
      kind: z.enum(['searxng', 'brave', 'tavily']),
      url: z
        .url({ protocol: /^https?$/ })
        .max(2000)
        .optional(),
      apiKey: z.string().max(10_000).optional(),
    }),
    'host-reach',
  ).optional(),
  /** Local servers start only where the system can keep them to their access. */
  requireSandbox: adminOnly(z.boolean(), 'host-reach').optional(),
});
export type Settings = z.infer<typeof settingsSchema>;
/** As a change answers it: with the secrets it removed because they were given for another address. */
export const settingsViewSchema = settingsSchema.extend({
  secretsDropped: z.array(z.string()).optional(),
});
export type SettingsView = z.infer<typeof settingsViewSchema>;

/** A server as clients see it: its config without secrets, its state, and what to approve. */
export const serverViewSchema = z.object({
  id,
  name: z.string(),
  type: z.enum(['stdio', 'streamableHttp', 'sse', 'inMemory']),
  state: z.enum(serverStates),
  reason: z.string().optional(),
  reasonSaid: sentenceRefSchema.optional(),
  /** The code of what the reason says. */
  reasonCode: z.string().optional(),
  /** When it came into this state. */
  since: z.number(),
  /** When it is tried again by itself. */
  retryAt: z.number().optional(),
  /** What its installation wrote last, while it is `installing`. */
  output: z.string().optional(),
  /** The change of its config that would fix it, where that can be told. */
  fix: serverFixSchema.optional(),
  builtin: z.boolean(),
  /** Present for a session server. */
  attachedTo: attachmentSchema.optional(),
  /** Everybody on the host may use it. */
  shared: z.boolean().optional(),
  /** The entry of the catalogue that it was installed from. */
  installedFrom: catalogueWaySchema.optional(),
  /** How many tools it has, if that is known. */
  toolCount: z.number().optional(),
  /** When one of its tools was last called, to a quarter of an hour; told in the list only. */
  lastUsedAt: z.number().optional(),
  /** An admin shares it: others may use it and nothing else, and do not see its address. */
  readOnly: z.literal(true).optional(),
  launchHash: z.string(),
  config: z.unknown(),
  /** Told where one server is read, not in the list. */
  unasked: unaskedSchema.optional(),
});
export type ServerView = z.infer<typeof serverViewSchema>;
export const serversSchema = z.object({ servers: z.array(serverViewSchema) });

const toolViewSchema = z.object({
  name: z.string(),
  modelName: z.string(),
  title: z.string().optional(),
  description: z.string(),
  inputSchema: z.unknown(),
  annotations: z.unknown(),
  enabled: z.boolean(),
  /** What to approve where it changed; absent for tools that are not pinned. */
  definitionHash: z.string().optional(),
  /** Present for a tool that is no longer what was approved: nobody can use it until that is. */
  changed: z.object({ before: z.unknown(), after: z.unknown() }).optional(),
  /** What becomes of a call without arguments; absent for a tool that nobody can use now. */
  verdict: policyVerdictSchema
    .extend({
      /** Rules about certain arguments or a topic may decide otherwise. */
      varies: z.literal(true).optional(),
    })
    .optional(),
  /** `proposed` by the hints of a trusted server, `marked` by an admin. */
  safeToRepeat: z.enum(['proposed', 'marked']).optional(),
  /** Models of these dialects are not offered the tool; the reason completes "not offered: …". */
  leftOut: z
    .array(
      z.object({
        dialect: z.enum(['openai', 'anthropic', 'google']),
        reason: z.string(),
        reasonSaid: sentenceRefSchema.optional(),
      }),
    )
    .optional(),
});
export type ToolView = z.infer<typeof toolViewSchema>;
export const toolsSchema = z.object({ tools: z.array(toolViewSchema) });

const searchHitSchema = z.object({
  topicId: id,
  topicTitle: z.string(),
  /** The topic is archived. */
  archived: z.literal(true).optional(),
  messageId: id.optional(),
  blockId: id.optional(),
  /** When the message was made; of a title, when something was last said in its topic. */
  at: z.number(),
  /** Text around the match, plain. */
  snippet: z.string(),
});
export type SearchHit = z.infer<typeof searchHitSchema>;
export const searchHitsSchema = z.object({ hits: z.array(searchHitSchema) });
export const searchQuerySchema = z.object({
  q: z.string().max(500).default(''),
  topicId: z.string().optional(),
});

/** What clients build on of a topic, a block and a message; more may be there. */
export const topicViewSchema = topicSchema
  .pick({
    id: true,
    title: true,
    assistantId: true,
    activeLeafId: true,
    pinnedAt: true,
    archived: true,
    forkedFrom: true,
    isLoading: true,
    createdAt: true,
    updatedAt: true,
  })
  .loose();

const blockViewSchema = z.looseObject({
  id: blockFields.id,
  ordinal: blockFields.ordinal,
  type: z.enum(blockTypes),
  status: blockFields.status,
  content: blockFields.content,
});

const messageViewSchema = messageSchema
  .pick({ id: true, parentId: true, role: true, status: true })
  .extend({ blocks: z.array(blockViewSchema) })
  .loose();

export const conversationViewSchema = conversationSchema.extend({
  topic: topicViewSchema,
  messages: z.array(messageViewSchema),
});

export const topicsSchema = z.object({ topics: z.array(topicViewSchema) });
export const messagePageSchema = conversationViewSchema.pick({ messages: true, hasEarlier: true });

export const topicPageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(200),
  before: z.string().optional(),
});
/** How many of the newest blocks there are at most. */
export const topicQuerySchema = z.object({
  blocks: z.coerce.number().int().min(1).max(500).optional(),
});
export const messagePageQuerySchema = topicPageQuerySchema.extend({
  ...topicQuerySchema.shape,
  ordinal: z.coerce.number().int().min(0).optional(),
});

export const assistantSchema = createAssistantSchema.extend({
  id,
  createdAt: z.number(),
  updatedAt: z.number(),
});
export const assistantsSchema = z.object({ assistants: z.array(assistantSchema) });
const modelSchema = z.object({
  id: modelName,
  name: z.string(),
  provider: z.string(),
  providerName: z.string(),
  scripted: z.boolean(),
  capabilities: z.object({
    tools: z.boolean(),
    imagesIn: z.boolean(),
    audioIn: z.boolean(),
    filesIn: z.boolean(),
    imagesOut: z.boolean(),
    reasoning: z.boolean(),
    contextTokens: z.number().optional(),
    outputTokens: z.number().optional(),
  }),
  toolCheck: z.enum(['passed', 'failed', 'unknown']).optional(),
  hidden: z.literal(true).optional(),
  listPrice: priceSchema.extend({ source: z.string(), at: z.number() }).optional(),
});
/** The models, and what is used where nobody chooses. */
export const modelsViewSchema = z.object({
  models: z.array(modelSchema),
  defaultModel: z.string(),
  /** Whether the default is a choice of their own; else a new chat takes the model that was used last. */
  hasOwnDefault: z.boolean(),
  favouriteModels: z.array(modelName),
  reasoningEffort: effortSchema.optional(),
});
export const errorBodySchema = z.object({ error: errorInfoSchema });
