import { z } from 'zod';
import { compileSchema } from '#mcp/schema/validate.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import type { Block } from '#shared/vocabulary/block.ts';
import { isJsonObject, type JsonObject, parseJson } from '#shared/vocabulary/json.ts';
import type { Message } from '#shared/vocabulary/message.ts';

const objectSchema = z.record(z.string(), z.json());
const shownChars = 100;

/** A check that an answer must pass in an evaluation. */
export const answerCheckSchema = z.union([
  z.strictObject({ contains: z.string().min(1) }),
  /** The text after the last call is JSON that fits. */
  z.strictObject({ schema: objectSchema }),
  /** A call of this tool with at least these arguments. */
  z.strictObject({ tool: z.string().min(1), arguments: objectSchema.optional() }),
  /** A criterion by which a model judges the answer. */
  z.strictObject({ judge: z.string().min(1) }),
]);
export type AnswerCheck = z.infer<typeof answerCheckSchema>;
/** The checks that need no model. */
export type PlainCheck = Exclude<AnswerCheck, { judge: string }>;

/** Why an answer fails a check; undefined: it passes. Pure. */
export function failureOf(check: PlainCheck, answer: Pick<Message, 'blocks'>): Words | undefined {
  if ('contains' in check) {
    if (textOf(answer.blocks).includes(check.contains)) return undefined;
    return say('check-contains')`The answer doesn't contain “${displayOf(check.contains)}”.`;
  }
  if ('schema' in check) return misfitOf(check.schema, answer);
  const { tool, arguments: args = {} } = check;
  const calls = answer.blocks.filter(
    (block) => block.type === 'tool' && (block.toolName === tool || block.modelToolName === tool),
  );
  if (calls.length === 0) return say('check-tool')`${displayOf(tool)} wasn't called.`;
  if (calls.some((block) => block.type === 'tool' && includes(block.arguments, args)))
    return undefined;
  return say(
    'check-arguments',
  )`${displayOf(tool)} was called, but never with ${displayOf(JSON.stringify(args))}.`;
}

/** The text of an answer. */
export function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.type === 'main_text' ? block.content : [])).join('\n\n');
}

function misfitOf(schema: JsonObject, { blocks }: Pick<Message, 'blocks'>): Words | undefined {
  const last = Math.max(0, ...blocks.map(({ round }) => round));
  const value = parseAnswer(textOf(blocks.filter(({ round }) => round === last)));
  if (value === undefined) return say('check-json')`The answer isn't JSON.`;
  const problem = compileSchema(schema).check(value);
  return problem && say('check-schema')`The answer doesn't match the schema: ${problem}`;
}

/** The JSON that a model wrote, alone or as a single code block; undefined for anything else. */
export function parseAnswer(text: string): unknown {
  const [, fenced] = /^```(?:json)?\n(.*)\n```$/s.exec(text.trim()) ?? [];
  return parseJson(fenced ?? text);
}

/** Whether a value contains another one; lists must have the same length. */
function includes(value: unknown, wanted: unknown): boolean {
  if (isJsonObject(wanted))
    return (
      isJsonObject(value) &&
      Object.entries(wanted).every(
        ([key, inner]) => Object.hasOwn(value, key) && includes(value[key], inner),
      )
    );
  if (Array.isArray(wanted))
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((inner, index) => includes(value[index], inner))
    );
  return value === wanted;
}

function displayOf(text: string): string {
  return truncate(text, shownChars);
}
