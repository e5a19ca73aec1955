/** How much of what a person decides on is not drawn yet. */
export interface Unseen {
  lines: number;
  characters: number;
}

/** What is drawn of several texts at first. */
export interface FirstSight {
  /** As many as are begun; the last may be cut. */
  texts: string[];
  /** Undefined where that is all. */
  rest: Unseen | undefined;
}

const room: Unseen = { lines: 32, characters: 1600 };
const lineChars = 100;
/** What is not longer than so many times that is shown whole: opening it would cost more than reading. */
const slack = 1.5;

/**
 * The beginning of texts that belong together, as much as is taken in at one look, and how much of
 * them is left. What is only a little longer is not cut. `most` is for where there is less room. Pure.
 */
export function firstSight(texts: readonly string[], most = room): FirstSight {
  const whole = texts.map(sizeOf);
  const lines = sum(whole.map((each) => each.drawn));
  const characters = sum(whole.map((each) => each.characters));
  if (lines <= most.lines * slack && characters <= most.characters * slack)
    return { texts: [...texts], rest: undefined };
  const shown: string[] = [];
  let left = most;
  for (const text of texts) {
    if (left.lines < 1 || left.characters < 1) break;
    const head = headOf(text, left);
    shown.push(head);
    const { drawn, characters: length } = sizeOf(head);
    left = { lines: left.lines - drawn, characters: left.characters - length };
    if (head.length < text.length) break;
  }
  return { texts: shown, rest: restOf(texts, shown) };
}

function restOf(texts: readonly string[], shown: readonly string[]): Unseen {
  const rests = texts.map((text, at) => text.slice(shown[at]?.length ?? 0));
  return {
    lines: sum(rests.map((rest, at) => linesOf(rest, shown[at] !== undefined))),
    characters: sum(rests.map(({ length }) => length)),
  };
}

/** A line that is begun already counts once more if it goes on. */
function linesOf(rest: string, isBegun: boolean): number {
  if (!isBegun) return feedsIn(rest) + 1;
  return rest === '' ? 0 : feedsIn(rest) + (rest.startsWith('\n') ? 0 : 1);
}

/** Whole lines as far as they go, else whole characters. */
function headOf(text: string, room: Unseen): string {
  let end = 0;
  for (let lines = 0; lines < room.lines && end < text.length && end <= room.characters;) {
    const feed = text.indexOf('\n', end + 1);
    const next = feed === -1 ? text.length : feed;
    lines += Math.max(1, Math.ceil((next - end) / lineChars));
    if (next > room.characters || lines > room.lines) break;
    end = next;
  }
  if (end > 0) return text.slice(0, end);
  const most = Math.min(room.characters, room.lines * lineChars);
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}

function sizeOf(text: string): { drawn: number; characters: number } {
  const drawn = Math.max(feedsIn(text) + 1, Math.ceil(text.length / lineChars));
  return { drawn, characters: text.length };
}

function feedsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
