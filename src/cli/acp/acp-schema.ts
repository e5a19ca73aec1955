import { z } from 'zod';
import { CeriseError } from '#shared/errors/errors.ts';
import { issueWords } from '#shared/errors/issue-words.ts';
import { say } from '#shared/errors/sentence.ts';

/** The fields that are read of what editors send (Agent Client Protocol, version 1). */

const text = z.string();
const pairs = z.array(z.object({ name: text, value: text }));

const mcpServerSchema = z.union([
  z.object({ type: z.enum(['http', 'sse']), name: text, url: text, headers: pairs }),
  z.object({ name: text, command: text, args: z.array(text), env: pairs }),
]);
/** A server that an editor wants to be used in a session. */
export type AcpServer = z.infer<typeof mcpServerSchema>;

const contentSchema = z.union([
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.enum(['image', 'audio']), data: text, mimeType: text }),
  z.object({ type: z.literal('resource_link'), uri: text, name: text }),
  z.object({
    type: z.literal('resource'),
    resource: z.object({
      uri: text,
      mimeType: text.nullish(),
      text: text.optional(),
      blob: text.optional(),
    }),
  }),
]);
/** A part of a prompt. */
export type AcpContent = z.infer<typeof contentSchema>;

const sessionId = text;
const mcpServers = z.array(mcpServerSchema).default([]);

/** The parameters of each request. */
export const acpSchemas = {
  newSession: z.object({ mcpServers }),
  loadSession: z.object({ sessionId, mcpServers }),
  listSessions: z.object({ cwd: text.nullish(), cursor: text.nullish() }),
  closeSession: z.object({ sessionId }),
  prompt: z.object({ sessionId, prompt: z.array(contentSchema) }),
  cancel: z.object({ sessionId }),
  setOption: z.object({ sessionId, configId: z.literal('model'), value: text }),
} as const;

/** The response to a request for permission. */
export const permissionSchema = z.object({
  outcome: z.union([
    z.object({ outcome: z.literal('selected'), optionId: text }),
    z.object({ outcome: z.literal('cancelled') }),
  ]),
});

/** Throws `invalid_request` for invalid parameters. */
export function readParams<T>(schema: z.ZodType<T>, params: unknown): T {
  const parsed = schema.safeParse(params ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') || 'params';
  const wrong = issue ? issueWords(issue) : say('issue-invalid')`isn't valid`;
  throw new CeriseError(
    'invalid_request',
    say('cli-acp-bad-params')`Invalid parameters. ${place}: ${wrong}.`,
  );
}
