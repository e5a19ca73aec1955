import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolDefinition, ToolResult } from '#shared/vocabulary/tool.ts';
import type { Locale, Say } from './say.ts';

type FileKind = 'list' | 'read' | 'info' | 'write' | 'append' | 'rank' | 'pick' | 'size';
type FactKind = 'time' | 'calculate' | 'fetch' | 'search' | 'remember' | 'observe' | 'recall';
type ShowKind = 'image' | 'sound' | 'cite' | 'slow' | 'fail' | 'large';

/** What the demo model knows how to do. */
export type Kind = FileKind | FactKind | ShowKind | 'history' | 'help' | 'again';

type Detail = 'place' | 'path' | 'text' | 'line' | 'column' | 'url' | 'fact' | 'about' | 'query';

/** Something a person asks for. `position` counts from 0, -1 is the last; `subject` is a follow-up's. */
export type Intent = { kind: Kind; position?: number; smallest?: boolean; most?: boolean } & {
  [detail in Detail | 'expression' | 'subject']?: string | undefined;
};

/** A call the demo model wants to make. */
export interface PlannedCall {
  toolName: string;
  arguments: JsonObject;
}

/** A call of the history with what came of it; `kind` is what its tool seems to be good for. */
export interface PastCall extends PlannedCall {
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

/** Everything the demo model decides from. The last of the turns is `turn`. */
export interface Context {
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
