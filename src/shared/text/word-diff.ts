/** A stretch of a text that stayed, came or went. */
export interface DiffPart {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Pieces on each side that are compared one by one; beyond that only the equal ends are found. */
const mostPieces = 1500;

/** How one text became another, word by word. */
export function diffWords(before: string, after: string): DiffPart[] {
  return diff(words(before), words(after));
}

/** The same, line by line. */
export function diffLines(before: string, after: string): DiffPart[] {
  return diff(lines(before), lines(after));
}

function diff(old: string[], now: string[]): DiffPart[] {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old.at(-1 - tail) === now.at(-1 - tail)
  )
    tail += 1;
  const middle = compare(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  return join([
    ...old.slice(0, head).map(same),
    ...middle,
    ...old.slice(old.length - tail).map(same),
  ]);
}

function words(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function lines(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function same(text: string): DiffPart {
  return { kind: 'same', text };
}

/** The longest common pieces by their table of lengths, read from the start. */
function compare(old: string[], now: string[]): DiffPart[] {
  const removed = old.map((text): DiffPart => ({ kind: 'removed', text }));
  const added = now.map((text): DiffPart => ({ kind: 'added', text }));
  if (old.length === 0 || now.length === 0 || old.length > mostPieces || now.length > mostPieces)
    return [...removed, ...added];
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const parts: DiffPart[] = [];
  let row = 0;
  let column = 0;
  while (row < old.length && column < now.length) {
    if (old[row] === now[column]) {
      parts.push(same(old[row] ?? ''));
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) parts.push(...removed.slice(row, ++row));
    else parts.push(...added.slice(column, ++column));
  }
  return [...parts, ...removed.slice(row), ...added.slice(column)];
}

/** Neighbours of one kind as one part. */
function join(parts: DiffPart[]): DiffPart[] {
  const joined: DiffPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last?.kind === part.kind) last.text += part.text;
    else joined.push({ ...part });
  }
  return joined;
}
