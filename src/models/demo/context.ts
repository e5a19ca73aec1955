import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolDefinition } from '#shared/vocabulary/tool.ts';
import type { Turn } from './history.ts';

/** The languages the demo model speaks. */
export type Language = 'en' | 'zh';

/** Everything the demo model decides from. */
export interface DemoContext {
  /** All turns; the last one is `turn`. */
  turns: Turn[];
  turn: Turn;
  tools: ToolDefinition[];
  language: Language;
  now: Date;
}

/** A call the demo model wants to make. */
export interface PlannedCall {
  toolName: string;
  arguments: JsonObject;
}

/** What one response consists of, in order. */
export type ScriptPart =
  | { type: 'thinking' | 'text'; deltas: string[] }
  | ({ type: 'call' } & PlannedCall)
  | { type: 'error'; error: ErrorInfo };

/** The language of a text: Chinese as soon as it has a Chinese character. */
export function languageOf(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
}

/** Text as it is streamed: word by word, Chinese a few characters at a time. Joins to the same text. */
export function toDeltas(text: string): string[] {
  return text.match(/\p{Script=Han}{1,3}|[^\s\p{Script=Han}]+\s*|\s+/gu) ?? [];
}

/** A part of a script that says or thinks `text`. */
export function spoken(type: 'thinking' | 'text', text: string): ScriptPart {
  return { type, deltas: toDeltas(text) };
}
