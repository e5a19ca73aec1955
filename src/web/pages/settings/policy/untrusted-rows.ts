import type { Trust, UntrustedView } from '#shared/api/untrusted-api.ts';
import { mergeOrigins, type Origin } from '#shared/vocabulary/origin.ts';

/** One entity, file or server, with everything untrusted that is kept of it. */
export interface UntrustedRow {
  id: string;
  place: keyof Trust;
  name: string;
  /** What of a file is meant. */
  parts: UntrustedView['files'][number]['kind'][];
  /** What an entity is said to be. */
  lines: string[];
  keys: string[];
  origins: Origin[];
}

/** The list as people read it: what belongs to one thing stands in one row. */
export function untrustedRows({ memory, files, servers }: UntrustedView): UntrustedRow[] {
  return [
    ...grouped('memory', memory, ({ name }) => name).map(({ row, items }) => ({
      ...row,
      lines: items.map(({ text }) => text),
    })),
    ...grouped('files', files, ({ path }) => path).map(({ row, items }) => ({
      ...row,
      parts: items.map(({ kind }) => kind),
    })),
    ...grouped('servers', servers, ({ name }) => name).map(({ row }) => row),
  ];
}

/** Everything that is listed. */
export function allKeys(rows: readonly UntrustedRow[]): Trust {
  const of = (place: keyof Trust) =>
    rows.filter((row) => row.place === place).flatMap(({ keys }) => keys);
  return { memory: of('memory'), files: of('files'), servers: of('servers') };
}

function grouped<T extends { key: string; origins: Origin[] }>(
  place: keyof Trust,
  list: readonly T[],
  nameOf: (item: T) => string,
): { row: UntrustedRow; items: T[] }[] {
  return [...Map.groupBy(list, nameOf)].map(([name, items]) => ({
    items,
    row: {
      id: `${place} ${name}`,
      place,
      name,
      parts: [],
      lines: [],
      keys: items.map(({ key }) => key),
      origins: mergeOrigins(...items.map(({ origins }) => origins)),
    },
  }));
}
