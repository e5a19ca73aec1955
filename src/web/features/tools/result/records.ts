import type { Json, JsonObject } from '#shared/vocabulary/json.ts';

const mostColumns = 40;
const mostSampled = 200;

/** The names of the columns of records, in the order in which they first come. */
export function columnsOf(records: JsonObject[]): string[] {
  const names = new Set<string>();
  for (const record of records.slice(0, mostSampled))
    for (const name of Object.keys(record)) if (names.size < mostColumns) names.add(name);
  return [...names];
}

/** A value in one cell. */
export function cellText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Records in the order of a column; what has no value comes last either way. */
export function sortRecords(
  records: JsonObject[],
  column: string,
  direction: 'ascending' | 'descending',
): JsonObject[] {
  const sign = direction === 'ascending' ? 1 : -1;
  return records.toSorted((a, b) => {
    const [left, right] = [valueOf(a, column), valueOf(b, column)];
    if (left === '' || right === '') return Number(left === '') - Number(right === '');
    if (typeof left === 'number' && typeof right === 'number') return sign * (left - right);
    return sign * String(left).localeCompare(String(right), undefined, { numeric: true });
  });
}

/** Records as comma-separated values that spreadsheets read as text, never as a formula. */
export function toCsv(records: JsonObject[]): string {
  const columns = allColumns(records);
  const lines = records.map((record) =>
    columns.map((name) => csvCell(ownValue(record, name))).join(','),
  );
  return [columns.map(csvCell).join(','), ...lines].join('\r\n');
}

function allColumns(records: JsonObject[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

function csvCell(value: Json | undefined): string {
  const text = cellText(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function valueOf(record: JsonObject, column: string): number | string {
  const value = ownValue(record, column);
  return typeof value === 'number' ? value : cellText(value);
}

/** A column may be called `constructor`. */
export function ownValue(record: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
