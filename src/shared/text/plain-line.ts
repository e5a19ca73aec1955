import { lazy } from '../async/lazy.ts';
import { heapedMarks, hiddenCharacters, wholePictures } from './hidden-characters.ts';
import { truncate } from './text.ts';

const notable = lazy(
  () => new RegExp(`(${wholePictures})|${hiddenCharacters}|${heapedMarks}`, 'gv'),
);

/**
 * Somebody else's text where only plain text is drawn, as in the title of a tab or a notification: one
 * line of bounded length, without what draws nothing, turns the direction of writing or heaps marks.
 */
export function plainLine(text: string, maxChars: number): string {
  // Nobody needs to search what is far beyond the end.
  const start = text.slice(0, maxChars * 20).toWellFormed();
  const oneLine = start.replaceAll(/[\p{Z}\s]+/gu, ' ');
  const drawn = oneLine.replaceAll(notable(), (_, picture: string | undefined) => picture ?? '');
  return truncate(drawn.replaceAll(/ {2,}/g, ' ').trim(), maxChars);
}
