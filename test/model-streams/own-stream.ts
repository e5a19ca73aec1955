import { toSse } from '../fakes/wire-oracle.ts';
import type { Told } from './told.ts';

/** A stream written for the project, and what it tells. */
export interface OwnStream {
  name: string;
  /** The protocol, named as the folders of recordings are. */
  vendor: 'openai-chat' | 'openai-responses' | 'anthropic' | 'google';
  /** The kind of provider that is spoken to like that. */
  kind: string;
  bytes: Buffer;
  told: Told;
}

/** What is told, where most streams tell little. */
export function tells(parts: Told['parts'], more: Partial<Told> = {}): Told {
  return { parts, sources: [], sealed: [], ...more };
}

/** Events as most vendors write them; strings are sent as they are. */
export function stream(...events: (object | string)[]): Buffer {
  return Buffer.from(
    events.map((event) => (typeof event === 'string' ? event : toSse([event]))).join(''),
  );
}

/** The same stream with lines that end as on Windows. */
export function withCrLf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString().replaceAll('\n', '\r\n'));
}

/** What says that an answer is whole, whatever may follow. */
const endMarks = {
  'openai-chat': /"finish_reason":\s*"|\[DONE\]/,
  'openai-responses': /"type":\s*"response\.(completed|incomplete)"/,
  anthropic: /"stop_reason":\s*"/,
  google: /"finishReason":\s*"/,
};

/**
 * The bytes between which an answer becomes whole: up to `from` it is not, from `to` on it is; in
 * between only the empty line after its last event is missing.
 */
export function wholeBetween({ vendor, bytes }: Pick<OwnStream, 'vendor' | 'bytes'>): {
  from: number;
  to: number;
} {
  const text = bytes.toString('latin1');
  const mark = endMarks[vendor].exec(text);
  const end = mark && /\r?\n(\r?\n|$)/.exec(text.slice(mark.index));
  if (!mark || !end) return { from: bytes.length, to: bytes.length };
  const from = mark.index + end.index;
  return { from, to: from + end[0].length };
}
