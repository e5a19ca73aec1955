import type { Message } from '#shared/vocabulary/message.ts';

const maxPieceChars = 8000;

/** What a message says in words, without tools, thinking and files. */
export function wordsOf({ blocks }: Pick<Message, 'blocks'>): string {
  return blocks
    .flatMap(({ type, content }) => (type === 'main_text' && content.trim() ? [content] : []))
    .join('\n\n');
}

/**
 * A text in pieces that a model can translate in one go each, cut between paragraphs where that is
 * possible and never inside a fenced code block. Joined by empty lines they are the text again.
 */
export function translationPieces(text: string, longest: number = maxPieceChars): string[] {
  const pieces: string[] = [];
  for (const paragraph of paragraphsOf(text)) {
    const last = pieces.at(-1);
    const joined = last === undefined ? paragraph : `${last}\n\n${paragraph}`;
    if (last !== undefined && joined.length <= longest) pieces[pieces.length - 1] = joined;
    else pieces.push(paragraph);
  }
  return pieces;
}

function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = [];
  let fence: string | undefined;
  for (const part of text.split('\n\n')) {
    const last = paragraphs.length - 1;
    if (fence === undefined) paragraphs.push(part);
    else paragraphs[last] = `${paragraphs[last]}\n\n${part}`;
    fence = fenceAfter(part, fence);
  }
  return paragraphs;
}

/** The fence that is open after some lines. */
function fenceAfter(lines: string, open: string | undefined): string | undefined {
  let fence = open;
  for (const line of lines.split('\n')) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark === undefined) continue;
    if (fence === undefined) fence = mark;
    else if (mark.startsWith(fence)) fence = undefined;
  }
  return fence;
}
