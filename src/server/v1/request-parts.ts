import { z } from 'zod';
import type { BroughtPart, RunRequest } from '#chat/runs/run-request.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import type { ChosenParameters } from '#shared/vocabulary/model.ts';
import type { ToolDefinition } from '#shared/vocabulary/tool.ts';
import { type ClientTool, clientToolName } from './client-tools.ts';

/** The most messages or items in one request; a longer history would block other requests. */
const maxEntries = 20_000;

/** A list of any length. It is read up to its first invalid entry: reporting thousands takes seconds. */
export function listOf<T extends z.ZodType>(entry: T, { least = 0, most = Infinity } = {}) {
  return z
    .array(z.unknown())
    .min(least)
    .max(most)
    .transform((values, context): z.output<T>[] => {
      const entries: z.output<T>[] = [];
      for (const [place, input] of values.entries()) {
        const { success, data, error } = entry.safeParse(input);
        if (!success) {
          for (const issue of error.issues)
            context.issues.push({ ...issue, input, path: [place, ...issue.path] } as Issue);
          return z.NEVER;
        }
        entries.push(data);
      }
      return entries;
    });
}
type Issue = z.core.$ZodRawIssue;

/** The messages or items of a request. */
export function historyOf<T extends z.ZodType>(entry: T, { least = 0 } = {}) {
  return listOf(entry, { least, most: maxEntries });
}

/** What a request may say beyond its vendor's API, in the field `cerise`. */
export const ceriseSchema = z
  .strictObject({
    /** The servers whose tools are offered, by id or name; none: no server tools. */
    servers: z.array(z.string()).max(100).optional(),
    /** Calls that need approval are refused, or wait until a person decides in Cerise. */
    approvals: z.enum(['refuse', 'wait']).optional(),
    /** The conversation becomes a chat in Cerise. */
    chat: z.boolean().optional(),
  })
  .optional();

/** The field `cerise` with its defaults. */
export function extensionOf(
  cerise: z.infer<typeof ceriseSchema>,
): Pick<RunRequest, 'servers' | 'approvals' | 'asChat'> {
  const { servers, approvals = 'refuse', chat = false } = cerise ?? {};
  return { servers, approvals, asChat: chat };
}

/** The most tools of one request, those in namespaces included. */
const maxTools = 1000;

/** The tools of a program as models get them. Throws where there are too many, or two have one name. */
export function toDefinitions(tools: readonly ClientTool[]): ToolDefinition[] {
  if (tools.length > maxTools)
    throw refused(say('v1-tools-most')`A request can have up to ${maxTools} tools.`, 'tools');
  const names = new Set<string>();
  return tools.map((tool) => {
    const name = clientToolName(tool);
    if (names.has(name))
      throw refused(say('v1-tool-twice')`There are two tools named ${name}.`, 'tools');
    names.add(name);
    const inputSchema = tool.schema ?? { type: 'object', properties: {} };
    return { name, description: tool.description ?? '', inputSchema };
  });
}

/** Only the fields that have a value: to these APIs, null means absent. */
export function definedOf<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const present = Object.entries(fields).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Object.fromEntries(present) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** The reasoning effort as Cerise names it. */
export function effortOf(
  effort: string | null | undefined,
  field: string,
): ChosenParameters['reasoningEffort'] {
  if (effort === null || effort === undefined) return undefined;
  const known: Record<string, ChosenParameters['reasoningEffort']> = {
    none: 'none',
    minimal: 'low',
    low: 'low',
    medium: 'medium',
    high: 'high',
    xhigh: 'high',
    max: 'high',
  };
  const found = Object.hasOwn(known, effort) && known[effort];
  if (found) return found;
  throw refused(say('v1-effort')`Reasoning effort ${effort.slice(0, 50)} isn't supported.`, field);
}

/** The text of content in the formats of OpenAI: of a text, of texts and refusals among its parts. */
export function wordsOf(content: string | readonly Record<string, unknown>[]): string {
  if (typeof content === 'string') return content;
  const isText = (each: unknown): each is string => typeof each === 'string';
  return content.map(({ text, refusal }) => [text, refusal].find(isText) ?? '').join('');
}

/** Content as parts; a text is one. */
export function partsOf<P>(
  content: string | readonly P[],
  toPart: (part: P) => BroughtPart,
): BroughtPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content.map(toPart);
}

/** The arguments of a call that a client repeats: as text, or as the object it parsed them into. */
export function argumentsOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? {});
}

/** Refuses parameters that would change the answer and cannot be honoured here. */
export function refuseUnsupported(body: object, names: readonly string[]): void {
  for (const [name, value] of Object.entries(body))
    if (names.includes(name) && !asksNothing(name, value))
      throw refused(say('v1-unsupported')`${name} isn't supported.`, name);
}

/** Clients also send what they leave at its default. */
function asksNothing(name: string, value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === false ||
    (name === 'top_logprobs' && value === 0)
  );
}

/**
 * Refuses tools that a vendor runs or defines. A search of the web is left out beside other tools: agents offer it in
 * every request, and the servers of Cerise have their own.
 */
export function refuseVendorTools(
  types: readonly string[],
  { areAlone }: { areAlone: boolean },
): void {
  const missing = types.find((type) => areAlone || !type.startsWith('web_search'));
  if (missing !== undefined)
    throw refused(say('v1-unsupported')`${missing.slice(0, 100)} isn't supported.`, 'tools');
}

/** The error for a field that cannot be honoured. */
export function refused(message: Words, path: string): CeriseError {
  return new CeriseError('invalid_request', message, { details: [{ path, message: '' }] });
}
