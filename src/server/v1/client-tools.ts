import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isJsonObject, type JsonObject, parseJson } from '#shared/vocabulary/json.ts';

/** A tool that a program runs, as the program defines it. */
export interface ClientTool {
  name: string;
  namespace?: string | null | undefined;
  description?: string | null | undefined;
  schema?: JsonObject | null | undefined;
  /** It takes a text instead of arguments. */
  isCustom?: boolean;
}

/** Names that every vendor accepts; a tool with any other name would be left out. */
export const toolNameSchema = z.string().regex(/^[A-Za-z_][\w-]{0,63}$/);

/** What the text for a custom tool looks like. */
export const grammarSchema = z.looseObject({ syntax: z.string(), definition: z.string() });

/** A custom tool, which takes a text, for models that only know tools with arguments. */
export function customTool(
  { name, description }: Pick<ClientTool, 'name' | 'description'>,
  format?: z.infer<typeof grammarSchema>,
): ClientTool {
  const grammar =
    format && `The input follows this ${format.syntax} grammar:\n${format.definition}`;
  return {
    name,
    description: [description, grammar].filter(Boolean).join('\n\n'),
    schema: {
      type: 'object',
      properties: { input: { type: 'string' } },
      required: ['input'],
      additionalProperties: false,
    },
    isCustom: true,
  };
}

/** The arguments of a call of a custom tool. */
export function customArguments(input: string): string {
  return JSON.stringify({ input });
}

/** The text that a custom tool was called with; anything else that a model wrote is taken as the text. */
export function customInput(args: string): string {
  const parsed = parseJson(args);
  const input = isJsonObject(parsed) ? parsed['input'] : undefined;
  return typeof input === 'string' ? input : args;
}

const maxChars = 64;
const digestChars = 10;

/** The name of a program's tool for models: only OpenAI's API has namespaces. */
export function clientToolName({
  name,
  namespace,
}: Pick<ClientTool, 'name' | 'namespace'>): string {
  if (!namespace) return name;
  const plain = `${namespace}__${name}`;
  if (plain.length <= maxChars) return plain;
  const digest = createHash('sha256').update(plain).digest('hex').slice(0, digestChars);
  return `${plain.slice(0, maxChars - digestChars - 1)}_${digest}`;
}
