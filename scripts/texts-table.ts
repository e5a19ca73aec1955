import type { Texts } from './english-texts.ts';

/** What differs between two trees as a Markdown table; ids in only one of them are counted below it. */
export function textsTable(before: Texts, after: Texts): string {
  const rows = [...after].flatMap(([id, text]) => {
    const old = before.get(id);
    return old && cell(old) !== cell(text) ? [`| ${id} | ${cell(old)} | ${cell(text)} |`] : [];
  });
  const missingIn = (texts: Texts) => (id: string) => !texts.has(id);
  const added = [...after.keys()].filter(missingIn(before)).length;
  const removed = [...before.keys()].filter(missingIn(after)).length;
  const same = after.size - added - rows.length;
  return [
    '| id | before | after |',
    '|---|---|---|',
    ...rows.toSorted(),
    '',
    `${rows.length} changed, ${added} added, ${removed} removed, ${same} unchanged.`,
    '',
  ].join('\n');
}

function cell(wordings: ReadonlySet<string>): string {
  return [...wordings]
    .toSorted()
    .join(' / ')
    .replaceAll('|', String.raw`\|`)
    .replaceAll(/\s*\n\s*/g, '<br>');
}
