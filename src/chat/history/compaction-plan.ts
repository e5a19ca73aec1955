import type { CompactBlock } from '#shared/vocabulary/block.ts';
import { estimateMessages } from './history-size.ts';
import type { HistoryEntry } from './history.ts';

const fullShare = 0.8;
/** Of what the answer leaves: our estimate may be a little low. */
const safeShare = 0.9;
const keptShare = 0.4;
const tightShare = 0.6;
const leastShare = 0.1;

/** How much a request may hold, in tokens. */
export interface Room {
  /** Request and answer together. */
  contextTokens: number;
  /** What the answer may take of it, where that is known. */
  outputTokens?: number | undefined;
  /** System prompt and tools. */
  overhead: number;
  /** By how much the vendor counts more than we estimate. */
  ratio: number;
  /** Bytes that are sent of a text file, or of a result. */
  resultToModel: number;
}

/** What a summary is to stand for. */
export interface CompactionPlan {
  through: CompactBlock['through'];
  covered: HistoryEntry[];
}

/**
 * What to compact before a request: nothing (undefined) while it fits, else the oldest turns, so that
 * what stays is well below the limit; where the present turn alone is too much, its oldest rounds too.
 * The last message of the user always stays. `always` plans although the request seems to fit. Pure.
 */
export function planCompaction(
  entries: HistoryEntry[],
  room: Room,
  always = false,
): CompactionPlan | undefined {
  const sizes = entries.map(
    ({ messages }) => estimateMessages(messages, room.resultToModel) * room.ratio,
  );
  const overhead = room.overhead * room.ratio;
  const total = sum(sizes) + overhead;
  if (!always && total <= fullAt(room)) return undefined;
  const contextTokens = always ? Math.min(room.contextTokens, total) : room.contextTokens;
  const question = entries.findLastIndex(
    ({ messageId, round }) => messageId && round === undefined,
  );
  const first = firstRemaining(entries, sizes, question, {
    wanted: keptShare * contextTokens - overhead,
    most: tightShare * contextTokens - overhead,
  });
  const covered = entries.slice(0, first).filter((_entry, index) => index !== question);
  const last = covered.at(-1);
  const gain = total - overhead - sum(sizes.slice(first));
  if (!last?.messageId || (!always && gain < leastShare * contextTokens)) return undefined;
  const { messageId, round } = last;
  return { through: first > question ? { messageId, round } : { messageId }, covered };
}

/** Everything before a message, which is the command that asked for it. */
export function planWhole(covered: HistoryEntry[], commandId: string): CompactionPlan | undefined {
  if (!covered.some(({ messageId }) => messageId)) return undefined;
  return { through: { messageId: commandId }, covered };
}

function fullAt({ contextTokens, outputTokens = 0 }: Room): number {
  const room = Math.min(fullShare * contextTokens, safeShare * (contextTokens - outputTokens));
  return Math.max(0.5 * contextTokens, room);
}

/**
 * The first entry that stays besides the last question: the oldest turn with which all fits as wanted,
 * or the present turn if that fits at all, or the oldest round of it.
 */
function firstRemaining(
  entries: HistoryEntry[],
  sizes: number[],
  question: number,
  budget: { wanted: number; most: number },
): number {
  const sizeFrom = (from: number) => sum(sizes.slice(from));
  for (let from = 1; from <= question; from += 1)
    if (entries[from]?.round === undefined && sizeFrom(from) <= budget.wanted) return from;
  const hasRounds = question < entries.length - 1;
  if (!hasRounds || (question > 0 && sizeFrom(question) <= budget.most)) return question;
  const asked = sizes[question] ?? 0;
  for (let from = question + 2; from < entries.length; from += 1)
    if (asked + sizeFrom(from) <= budget.wanted) return from;
  const newest = entries.length - 1;
  const fits = newest > question + 1 && asked + sizeFrom(newest) <= budget.most;
  return fits ? newest : entries.length;
}

function sum(sizes: number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
