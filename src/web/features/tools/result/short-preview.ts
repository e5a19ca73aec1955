import { findGap } from '#shared/text/text-gap.ts';

const most = { head: { lines: 12, characters: 1200 }, tail: { lines: 4, characters: 400 } };

/** The few first and last lines of a text, and how many characters of the whole lie between them. */
export interface ShortPreview {
  head: string;
  missing: number;
  tail: string;
}

/** What is seen at once of the preview of a stored text. */
export function shortPreview(preview: string): ShortPreview {
  const cut = findGap(preview);
  const before = cut ? preview.slice(0, cut.at) : preview;
  const after = cut ? preview.slice(cut.at + cut.length).replace(/\n$/, '') : '';
  const head = firstOf(before);
  const tail = lastOf(after);
  const whole = preview.length + (cut ? cut.missing - cut.length : 0);
  return { head, missing: whole - head.length - tail.length, tail };
}

function firstOf(text: string): string {
  const { lines, characters } = most.head;
  const head = text.slice(0, characters);
  return head
    .split('\n')
    .slice(0, lines)
    .join('\n')
    .replace(/[\uD800-\uDBFF]$/, '');
}

function lastOf(text: string): string {
  const { lines, characters } = most.tail;
  const tail = text.slice(-characters);
  return tail
    .split('\n')
    .slice(-lines)
    .join('\n')
    .replace(/^[\uDC00-\uDFFF]/, '');
}
