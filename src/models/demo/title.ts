import type { ModelMessage } from '#shared/vocabulary/model.ts';
import { readTurns } from './history.ts';

const maxWords = 6;

/** A short title from the first question: at most six words, no quotes; of a command, its words. */
export function titleFor(messages: ModelMessage[]): string {
  const question = readTurns(messages)[0]?.question ?? '';
  const line = question.split('\n').find((text) => /[\p{L}\p{N}]/u.test(text)) ?? '';
  const command = /^\s*\/(\w+(?: [\w-]+)?)/.exec(line)?.[1];
  const clean = (command ?? line)
    .replaceAll(/["“”‘「」『』`#]|(?<!\p{L})['’]|['’](?!\p{L})/gu, '')
    .trim();
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  let words = 0;
  let end = 0;
  for (const { segment, index, isWordLike } of segmenter.segment(clean)) {
    if (!isWordLike) continue;
    if (words === maxWords) break;
    words += 1;
    end = index + segment.length;
  }
  end += /^[)\]}】）]+/.exec(clean.slice(end))?.[0].length ?? 0;
  const title = clean.slice(0, Math.min(end, 80)).trim();
  return title === '' ? 'New topic' : title.charAt(0).toUpperCase() + title.slice(1);
}
