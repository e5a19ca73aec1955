import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';

/** How a text that a tool answered is best shown. */
export type TextKind = { kind: 'data'; value: Json } | { kind: 'markdown' } | { kind: 'text' };

const maxDataChars = 500_000;
const maxMarkdownChars = 100_000;
/** What is nested deeper than this is left as text: walking it could overrun the stack. */
const deepest = 100;

/** Marks that hardly stand in plain text by chance. */
const markdownMarks = [
  /^#{1,6} \S/m,
  /^\s*(?:[-*+]|\d+\.) \S.*\n\s*(?:[-*+]|\d+\.) \S/m,
  /^(?:```|~~~)/m,
  /\*\*\S[^*\n]*\*\*/,
  /\[[^\]\n]+\]\(https?:\/\/[^)\s]+\)/,
  /^\|.+\|\s*\n\|[\s:|-]+\|/m,
  /^> \S/m,
];

/** Reads what kind of text it is; what is only nearly data or Markdown is text. */
export function textKind(text: string): TextKind {
  const value = readData(text);
  if (value !== undefined) return { kind: 'data', value };
  const isMarkdown =
    text.length <= maxMarkdownChars && markdownMarks.some((mark) => mark.test(text));
  return { kind: isMarkdown ? 'markdown' : 'text' };
}

/** The records of a value: itself, or its only field; undefined unless that is a list of records. */
export function recordsOf(value: unknown): JsonObject[] | undefined {
  if (isRecords(value)) return value;
  if (!isJsonObject(value)) return undefined;
  const [only, ...more] = Object.values(value);
  return more.length === 0 && isRecords(only) ? only : undefined;
}

/** Whether a value can be walked by recursion. */
export function isShallow(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= deepest; depth += 1) {
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    );
    if (level.length === 0) return true;
  }
  return false;
}

function readData(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text) || text.length > maxDataChars) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return isShallow(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function isRecords(value: unknown): value is JsonObject[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((item) => isJsonObject(item) && Object.keys(item).length > 0);
}
