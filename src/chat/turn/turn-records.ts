import type { ModelAdapter } from '#shared/vocabulary/model.ts';
import type { Tool } from '#shared/vocabulary/tool.ts';

/** Keeps what the models of turns are sent and what comes back. */
export interface TurnRecords {
  /** Undefined where nothing of this answer is to be kept. */
  begin(answer: {
    owner: string;
    topicId: string;
    answerId: string;
  }): Promise<TurnRecord | undefined>;
}

/** What is kept of one turn. Nothing waits for it, and nothing fails with it. */
export interface TurnRecord {
  /** The same model; its requests and their chunks are kept. */
  watch(model: ModelAdapter): ModelAdapter;
  /** The tools that the turn was given. */
  keepTools(tools: readonly Tool[]): void;
}
