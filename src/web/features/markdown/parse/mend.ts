import { hideOpenMath } from './open-math.ts';

const fence = /^ {0,3}(?:`{3}|~{3})/;

/**
 * A last block that is still being written, with its open marks closed: `**bo` is shown bold at
 * once instead of with its asterisks. Only for show; the text itself stays as it is.
 */
export function mend(raw: string): string {
  if (fence.test(raw)) return raw;
  const start = raw.lastIndexOf('\n\n') + 1;
  const line = hideOpenMath(raw.slice(start));
  return raw.slice(0, start) + closeMarks(hideOpenLink(line.replace(/(?:\*{1,2}|~~|`|\[)$/, '')));
}

/** `[words](https://exam` is shown as its words until the address is whole. */
function hideOpenLink(line: string): string {
  return line.replace(/!?\[([^\][\n]*)\]\([^)\s]*$/, '$1');
}

function closeMarks(line: string): string {
  if (count(line, '`') % 2 === 1) return `${line}\``;
  const words = line.replaceAll(/`[^`]*`/g, '');
  const end = /\s*$/.exec(line)?.[0] ?? '';
  const kept = line.slice(0, line.length - end.length);
  if (count(words, '**') % 2 === 1) return `${kept}**${end}`;
  if (count(words, '~~') % 2 === 1) return `${kept}~~${end}`;
  return line;
}

function count(text: string, mark: string): number {
  return text.split(mark).length - 1;
}
