import { tags } from './tags.ts';

/** Fences around a call that are part of writing it; any other fence shows code to the reader. */
const callFences = new Set(['', 'json', 'tool_call', 'tool_calls', 'tool-call', 'tool']);
const fenceLine = /(?:^|\n) {0,3}(?<marker>`{3,}|~{3,})(?<info>[^\n`]*)(?<end>\n|$)/;

/** A line that opens a fence; `whole` once its end is known. */
export interface Fence {
  at: number;
  after: number;
  marker: string;
  label: string;
  whole: boolean;
}

/** Where the JSON of a call begins, and the fence around it if there is one. */
export interface CallStart {
  json: string;
  fence: string;
}

/** The first line that opens a fence. Pure, like all of this file. */
export function findFence(text: string, midLine: boolean): Fence | undefined {
  const from = midLine ? text.indexOf('\n') : 0;
  const match = from < 0 ? null : fenceLine.exec(text.slice(from));
  if (!match) return undefined;
  const { marker = '', info = '', end } = match.groups ?? {};
  const at = from + match.index;
  const label = info.trim().toLowerCase();
  return { at, after: at + match[0].length, marker, label, whole: end !== '' };
}

/** What follows an opening tag. A call may stand in a fence inside its tags. */
export function lookAhead(text: string, final: boolean): CallStart | 'mention' | 'undecided' {
  const fence = /^\s*(?<fence>`{3,})[a-z_]*\s+/.exec(text);
  const json = text.slice(fence?.[0].length ?? 0).trimStart();
  if (/^[{[]/.test(json)) return { json, fence: fence?.groups?.['fence'] ?? '' };
  const mayBegin = json === '' || (!fence && /^`{1,2}$|^`{3,}[a-z_]*$/.test(json));
  return mayBegin && !final ? 'undecided' : 'mention';
}

/** What follows the line of a fence: a call, or anything else. */
export function lookAheadInFence(
  label: string,
  body: string,
  final: boolean,
): CallStart | 'mention' | 'undecided' {
  if (!callFences.has(label)) return 'mention';
  if (body.startsWith(tags.openCall)) return lookAhead(body.slice(tags.openCall.length), final);
  if (label.startsWith('tool') && /^[{[]/.test(body)) return { json: body, fence: '' };
  return tags.openCall.startsWith(body) && !final ? 'undecided' : 'mention';
}

/** How much of a text is text whatever follows: not its last spaces, nor what may begin a tag. */
export function safeLength(text: string): number {
  const held = Math.max(tagOverlap(text, tags.openCall), tagOverlap(text, tags.openResult));
  const sure = text.slice(0, text.length - held);
  // A line that may become a fence is held with the space before it; so is a mark before a tag.
  return sure
    .replace(/(?:^|\n) {0,3}[`~]{1,2}$/, '')
    .replace(/`$/, '')
    .trimEnd().length;
}

/** How many of the last characters may be the beginning of `tag`. */
export function tagOverlap(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(tag.slice(0, length))) return length;
  return 0;
}
