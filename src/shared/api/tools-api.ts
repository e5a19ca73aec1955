import { z } from 'zod';
import { errorInfoSchema } from '../errors/error-info-schema.ts';
import { sentenceRefSchema } from '../errors/sentence-ref-schema.ts';
import { callToolSchema } from './api.ts';
import { toolCallViewSchema } from './tool-call-api.ts';

const id = z.string().min(1).max(200);

/** The vendors in whose shape tools can be written. */
export const toolFormats = ['openai', 'anthropic', 'google'] as const;
export type ToolFormat = (typeof toolFormats)[number];

export const exportToolsQuerySchema = z.strictObject({
  format: z.enum(toolFormats).default('openai'),
  /** Ids of servers, separated by commas; absent: every server. */
  servers: z.string().max(20_000).optional(),
});
/** The tools as requests to that vendor take them, and those that are missing. */
export const exportedToolsSchema = z.object({
  tools: z.array(z.unknown()),
  omitted: z.array(
    z.object({ name: z.string(), reason: z.string(), reasonSaid: sentenceRefSchema.optional() }),
  ),
});
export type ExportedTools = z.infer<typeof exportedToolsSchema>;

/** Several calls at once; each is made as if it were alone. */
export const callToolsSchema = z.strictObject({
  calls: z
    .array(
      callToolSchema
        .pick({ arguments: true, callId: true })
        .extend({ serverId: id, toolName: z.string().min(1).max(300) }),
    )
    .min(1)
    .max(50),
});
/** What became of each, in the order of the request: the call, or why it was not made. */
export const calledToolsSchema = z.object({
  results: z.array(
    z.object({ call: toolCallViewSchema.optional(), error: errorInfoSchema.optional() }),
  ),
});

export const skillsSchema = z.object({
  skills: z.array(
    z.object({
      uri: z.string(),
      name: z.string(),
      description: z.string(),
      /** Absent where the server can't list them. */
      files: z.array(z.object({ uri: z.string(), size: z.number() })).optional(),
    }),
  ),
  truncated: z.boolean(),
});
export type SkillView = z.infer<typeof skillsSchema>['skills'][number];
export const readSkillSchema = z.strictObject({
  uri: z.string().min(1).max(8192),
  /** Another file of the skill; absent: its instructions. */
  file: z.string().min(1).max(8192).optional(),
});
export const skillContentsSchema = z.object({
  uri: z.string(),
  mimeType: z.string().optional(),
  /** Text, or bytes as Base64. */
  text: z.string().optional(),
  blob: z.string().optional(),
  /** Whether the file has the digest that the server listed. */
  verified: z.boolean(),
});
export type SkillContentsView = z.infer<typeof skillContentsSchema>;

export const watchResourceQuerySchema = z.strictObject({ uri: z.string().min(1).max(8192) });
