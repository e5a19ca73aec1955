import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolDefinition, ToolResult } from '#shared/vocabulary/tool.ts';
import { toDeltas, type Locale, type Say } from './say.ts';

type FileKind = 'list' | 'read' | 'info' | 'write' | 'append' | 'rank' | 'pick' | 'size';
type FactKind = 'time' | 'calculate' | 'fetch' | 'search' | 'remember' | 'observe' | 'recall';
type ShowKind = 'image' | 'sound' | 'cite' | 'slow' | 'fail' | 'large';
type TalkKind = 'history' | 'help' | 'again';

/** What the demo model knows how to do. */
export type Kind = FileKind | FactKind | ShowKind | TalkKind;

/** Words of a question that matter, by what they tell. */
type Detail =
  | 'place'
  | 'path'
  | 'text'
  | 'line'
  | 'column'
  | 'url'
  | 'fact'
  | 'about'
  | 'expression'
  | 'query';

/** Something a person asks for. `subject` is what “and in Paris?” puts in place of what was asked before. */
export type Intent = { kind: Kind; subject?: string } & { [detail in Detail]?: string } & {
  /** Which of the listed files: counted from 0, -1 is the last. */
  position?: number;
  smallest?: boolean;
  most?: boolean;
};

/** A call the demo model wants to make. */
export interface PlannedCall {
  toolName: string;
  arguments: JsonObject;
}

/** A call of the history with what came of it. */
export interface PastCall extends PlannedCall {
  /** What its tool is good for, as far as the demo model can tell. */
  kind: Kind | undefined;
  result?: ToolResult;
}

/** One question of the user with everything that followed it. */
export interface Turn {
  question: string;
  calls: PastCall[];
  /** How many times tool results have come back so far. */
  rounds: number;
  answer: string;
}

/** Everything the demo model decides from. */
export interface Context {
  /** All turns; the last one is `turn`. */
  turns: Turn[];
  turn: Turn;
  tools: ToolDefinition[];
  locale: Locale;
  say: Say;
  now: Date;
}

/** What one response consists of, in order. */
export type ScriptPart =
  | { type: 'thinking' | 'text'; deltas: string[] }
  | ({ type: 'call' } & PlannedCall)
  | { type: 'error'; error: ErrorInfo };

/** A part of a script that says or thinks `text`. */
export function spoken(type: 'thinking' | 'text', text: string): ScriptPart {
  return { type, deltas: toDeltas(text) };
}
