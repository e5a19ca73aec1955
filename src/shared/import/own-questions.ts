import type { ImportEntry } from './import-text.ts';
import { isBlank } from './placeholder-words.ts';
import { mapPlaceholders } from './placeholders.ts';

/**
 * Documents write `YOUR_API_KEY` for the key of any vendor. Where the same words stand for several values, each
 * becomes a question of its own, so that no server gets what was meant for another. `${NAME}` is one value.
 */
export function withOwnQuestions(entries: readonly ImportEntry[]): ImportEntry[] {
  const uses = new Map<string, { servers: Set<number>; names: Set<string> }>();
  for (const [server, { fields }] of entries.entries())
    mapPlaceholders(fields, (whole, match) => {
      if (!isWords(whole, match)) return whole;
      const known = uses.get(whole) ?? { servers: new Set(), names: new Set() };
      known.servers.add(server);
      known.names.add(match.name);
      uses.set(whole, known);
      return whole;
    });
  return entries.map((entry) => ({
    ...entry,
    fields: mapPlaceholders(entry.fields, (whole, match) => {
      const users = isWords(whole, match) ? uses.get(whole) : undefined;
      const servers = users?.servers.size ?? 0;
      const isOne = servers < 2 && (users?.names.size ?? 0) < 2;
      // The option in front of `...` says what is wanted.
      if (isOne && !(isBlank(whole) && match.place === 'refers' && match.name !== '')) return whole;
      const name = match.name === '' ? plain(whole) : match.name;
      return `\${${servers < 2 ? name : `${plain(entry.name)}: ${name}`}}`;
    }),
  }));
}

/** Whether somebody who reads it has to know what it stands for. A path, or a part of one, may well be the same. */
function isWords(whole: string, { fallback, inPath }: Match): boolean {
  return !/^(?:$|\$?\{)/.test(whole) && fallback === undefined && !inPath;
}

type Match = Parameters<Parameters<typeof mapPlaceholders>[1]>[1];

function plain(text: string): string {
  return text.replaceAll(/[${}<>]|:(?=-)/g, '').slice(0, 90);
}
