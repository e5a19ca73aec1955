import { z } from 'zod';
import { errorInfoSchema } from '../errors/error-info-schema.ts';
import { sentenceRefSchema } from '../errors/sentence-ref-schema.ts';
import { id } from '../vocabulary/fields.ts';
import { unaskedSchema } from '../vocabulary/policy-api.ts';
import { serverAccessSchema } from '../vocabulary/server/access-schema.ts';
import { serverFixSchema, serverStates } from '../vocabulary/server.ts';
import { differenceSchema } from './topic-api.ts';

/** Schemas of what a server offers and of what explains its state, as clients send and get it. */

const text = z.string().max(8192);

export const getPromptSchema = z.strictObject({
  arguments: z.record(z.string(), z.string()).default({}),
});
export const readResourceSchema = z.strictObject({ uri: z.string().min(1).max(8192) });
export const completeSchema = z.strictObject({
  ref: z.union([z.strictObject({ prompt: text }), z.strictObject({ template: text })]),
  argument: z.strictObject({ name: text, value: text }),
  /** The arguments that are known already. */
  known: z.record(z.string(), z.string()).optional(),
});

const document = {
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
};
const promptViewSchema = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  arguments: z.array(
    z.object({
      name: z.string(),
      title: z.string().optional(),
      description: z.string().optional(),
      required: z.boolean(),
    }),
  ),
});
export type PromptView = z.infer<typeof promptViewSchema>;
const resourceViewSchema = z.object({
  uri: z.string(),
  ...document,
  size: z.number().optional(),
});
export type ResourceView = z.infer<typeof resourceViewSchema>;
const templateViewSchema = z.object({ uriTemplate: z.string(), ...document });
export type TemplateView = z.infer<typeof templateViewSchema>;
export const resourceContentsSchema = z.object({
  uri: z.string(),
  mimeType: z.string().optional(),
  text: z.string().optional(),
  blob: z.string().optional(),
});
export const promptResultSchema = z.object({
  description: z.string().optional(),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.unknown() })),
});
export const completionSchema = z.object({
  values: z.array(z.string()),
  total: z.number().optional(),
  hasMore: z.boolean(),
});

/** `known` is the version a client has: lines come only if there is another. */
export const logsQuerySchema = z.strictObject({ known: z.string().max(100).optional() });
export const logsViewSchema = z.object({
  version: z.string(),
  lines: z.array(z.string()).optional(),
});
export type LogsView = z.infer<typeof logsViewSchema>;

/** Whether the system keeps a local server to its access; if not, why. */
export const sandboxSchema = z.object({
  works: z.boolean(),
  reason: z.string().optional(),
  reasonSaid: sentenceRefSchema.optional(),
});
export type SandboxView = z.infer<typeof sandboxSchema>;

/** Everything that explains the state of a server. Times are milliseconds. */
export const diagnosisSchema = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(serverStates),
  reason: z.string().optional(),
  reasonSaid: sentenceRefSchema.optional(),
  since: z.number(),
  retryAt: z.number().optional(),
  /** What its installation wrote last, while it is `installing`. */
  output: z.string().optional(),
  fix: serverFixSchema.optional(),
  transport: z.object({ configured: z.string(), used: z.string().optional() }),
  era: z.enum(['legacy', 'modern']).optional(),
  protocolVersion: z.string().optional(),
  serverInfo: z
    .object({ name: z.string(), version: z.string(), title: z.string().optional() })
    .optional(),
  capabilities: z.record(z.string(), z.unknown()).optional(),
  /** What was asked to find out how the server speaks, and what came of it. */
  probes: z.array(z.object({ text: z.string(), textSaid: sentenceRefSchema.optional() })),
  auth: z.object({
    state: z.enum(['not-needed', 'none', 'signed-in', 'expired']),
    issuer: z.string().optional(),
    scope: z.string().optional(),
  }),
  /** How old each kept list is. */
  cacheAges: z.record(z.string(), z.number()),
  lateAnswers: z.number(),
  errors: z.array(
    z.object({ at: z.number(), message: z.string(), messageSaid: sentenceRefSchema.optional() }),
  ),
  processes: z.array(
    z.object({
      pid: z.number(),
      command: z.string(),
      state: z.string(),
      rssKb: z.number().optional(),
    }),
  ),
  /** What a local server may reach. */
  access: serverAccessSchema.optional(),
  sandbox: sandboxSchema.optional(),
  /** Whether it answered just now, and how fast; absent unless it is connected. */
  ping: z
    .union([
      z.object({ ms: z.number() }),
      z.object({ error: z.string(), errorSaid: sentenceRefSchema.optional() }),
    ])
    .optional(),
  /** What of its tools can be used; `cut` if it has more than are used. */
  tools: z
    .object({
      count: z.number(),
      cut: z.boolean(),
      unusable: z.array(
        z.object({
          name: z.string(),
          reason: z.string(),
          reasonSaid: sentenceRefSchema.optional(),
        }),
      ),
      /** Changed since they were approved. */
      changed: z.array(z.string()),
      /** Denied by a rule, or turned off. */
      blocked: z.array(z.string()),
    })
    .optional(),
  unasked: unaskedSchema,
  hint: z.string(),
  hintSaid: sentenceRefSchema.optional(),
});
export type DiagnosisView = z.infer<typeof diagnosisSchema>;

/** Lists of them; `truncated` if they are not whole. */
const truncated = z.boolean();
export const promptsSchema = z.object({ prompts: z.array(promptViewSchema), truncated });
export const resourcesSchema = z.object({ resources: z.array(resourceViewSchema), truncated });
export const templatesSchema = z.object({ templates: z.array(templateViewSchema), truncated });
export const resourceReadSchema = z.object({ contents: z.array(resourceContentsSchema) });

const rehearsedSchema = z.object({
  toolCallId: id,
  toolName: z.string(),
  arguments: z.record(z.string(), z.json()),
});

/** What a rehearsal of a server would run: its launch, and recorded calls that only read. */
export const rehearsalPlanSchema = z.object({
  launchHash: z.string(),
  calls: z.array(rehearsedSchema),
});
export type RehearsalPlan = z.infer<typeof rehearsalPlanSchema>;

/** Exactly what a person was shown. */
export const rehearseSchema = z.strictObject({
  launchHash: z.string(),
  toolCallIds: z.array(id).max(100),
});
export type Rehearse = z.infer<typeof rehearseSchema>;

/** What became of a server's tools and of the calls. */
export const rehearsalSchema = z.object({
  /** By name, against what was approved. */
  tools: z.object({
    added: z.array(z.string()),
    removed: z.array(z.string()),
    changed: z.array(z.string()),
  }),
  calls: z.array(
    rehearsedSchema.extend({
      outcome: z.enum(['same', 'different', 'failed']),
      differences: z.array(differenceSchema),
      error: errorInfoSchema.optional(),
    }),
  ),
});
export type Rehearsal = z.infer<typeof rehearsalSchema>;
