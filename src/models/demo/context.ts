import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolDefinition, ToolResult } from '#shared/vocabulary/tool.ts';
import type { Locale, Say } from './say.ts';
import type { Intent, Kind } from './skills.ts';

/** A call the demo model wants to make. */
export interface PlannedCall {
  toolName: string;
  arguments: JsonObject;
}

/** A call of the history with what came of it; `kind` is what its tool seems to be good for. */
export interface PastCall extends PlannedCall {
  kind?: Kind | undefined;
  result?: ToolResult;
}

/** One question of the user with everything that followed it. */
export interface Turn {
  question: string;
  /** The calls that were made at the same time, round by round. */
  rounds: PastCall[][];
  /** What tools were searched for. */
  searches: string[];
  answer: string;
}

/** Everything the demo model decides from. The last of the turns is `turn`. */
export interface Context {
  turns: Turn[];
  turn: Turn;
  /** What is known of the tools: those offered, and those that a search found. */
  tools: ToolDefinition[];
  /** The names of those offered, with what searches and calls others. */
  offered: Set<string>;
  locale: Locale;
  say: Say;
  now: Date;
}

/** What one response consists of, in order. */
export type ScriptPart =
  | { type: 'thinking' | 'text'; deltas: string[] }
  | ({ type: 'call' } & PlannedCall)
  | { type: 'image'; mimeType: string; data: string }
  | { type: 'error'; error: ErrorInfo };

/** A call that a script wants: by the tool for an intent, as it stands, or by whatever fits a question. */
export type Want = Intent | { call: PlannedCall } | { guess: string };

/** What a script says in the end: text, or parts of its own. */
export type Ending = string | ScriptPart[];

/**
 * Asks for calls that are made at the same time, and goes on with what came of them: undefined where there
 * is no tool. It runs again for every response, so it decides by nothing but the question and those calls.
 */
export type Script = Generator<
  { wants: Want[]; lead?: string },
  Ending,
  readonly (PastCall | undefined)[]
>;
