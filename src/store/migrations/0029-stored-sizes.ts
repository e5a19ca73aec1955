import type { Dialect, Migration } from './migration.ts';
import {
  dropDirectCallTriggers,
  enqueue,
  onPostgres,
  onSqlite,
  ownerOf,
  type Row,
  storageColumns,
  storageQueue,
} from './sums-triggers.ts';

/** About what a row takes that has no words: many of them are not free either. */
const emptyRow = 512;

/** Rows that count by what they hold; `row` is what their columns are called with. */
interface SizedTable {
  table: string;
  size: (row: string) => string;
  owner: (row: string) => string;
  /** Whether the owner is that of its topic. */
  isInTopic?: true;
  /** Those of the others do not count. */
  when?: (row: string) => string;
  /** What may change. */
  columns?: string;
  /** What of a row did not count yet; absent: all of it. */
  uncounted?: number;
}

const length = (row: string, ...columns: string[]) =>
  columns.map((column) => `coalesce(octet_length(${row}${column}), 0)`).join(' + ');
const kept: SizedTable[] = [
  {
    // The words of a call in an answer are in its blocks.
    table: 'tool_calls',
    when: (row) => `${row}answer_id is null`,
    size: (row) => `${emptyRow} + ${length(row, 'arguments', 'result', 'error')}`,
    owner: (row) => `${row}owner`,
    columns: 'arguments, result, error',
    uncounted: emptyRow,
  },
  {
    table: 'topics',
    size: (row) => `${emptyRow} + ${length(row, 'title', 'system_prompt', 'parameters', 'mcp')}`,
    owner: ownerOf,
    columns: 'title, system_prompt, parameters, mcp',
  },
  {
    // A program may send tools of its own with each request.
    table: 'messages',
    size: (row) => length(row, 'request'),
    owner: () => ownerOf('topics.'),
    isInTopic: true,
    columns: 'request',
  },
  {
    table: 'runs',
    size: (row) => `${emptyRow} + ${length(row, 'asked')}`,
    owner: (row) => `${row}owner`,
  },
];

/** Whoever rebuilds the queue takes these triggers away, too. A row is counted out while its topic is there. */
const triggersOf = (dialect: Dialect, one: SizedTable): string[] => {
  const { table, size, columns, when } = one;
  const make = (event: string, row: Row, bytes: string) => {
    const from = one.isInTopic ? `from topics where topics.id = ${row}topic_id and` : 'where';
    const values = [one.owner(row), `0, ${bytes}, 0, 0`] as const;
    const body = enqueue(dialect, storageQueue, values, `${from} ${bytes} <> 0`);
    const name = `size_${table}_${event.split(' ', 2).join('_')}`;
    const on = `${event} on ${table}`;
    return dialect === 'sqlite'
      ? [onSqlite(name, on, () => body, when?.(row)).create]
      : onPostgres(name, on, () => `${body} return ${row.slice(0, -1)};`, when?.(row));
  };
  return [
    ...make('after insert', 'new.', size('new.')),
    ...make('before delete', 'old.', `-(${size('old.')})`),
    ...(columns
      ? make(`after update of ${columns}`, 'new.', `(${size('new.')}) - (${size('old.')})`)
      : []),
  ];
};

/** What there was before is queued, as one entry of each owner and table. */
const backfill = (
  dialect: Dialect,
  { table, size, owner, isInTopic, when, uncounted }: SizedTable,
) => {
  const sums = `select ${owner('c.')} as owner, sum(${uncounted ?? size('c.')}) as bytes from ${table} c
    ${isInTopic ? 'join topics on topics.id = c.topic_id' : ''} where ${when?.('c.') ?? 'true'} group by 1`;
  const id = `1 + coalesce((select max(id) from storage_changes s where s.owner = sums.owner), 0)`;
  const [column, value] = dialect === 'sqlite' ? ['id, ', `${id}, `] : ['', ''];
  return `insert into storage_changes (${column}${storageColumns})
    select ${value}owner, 0, bytes, 0, 0 from (${sums}) sums where bytes > 0`;
};

/** What somebody can store without end counts as theirs: prompts, requests, and rows that hold next to nothing. */
export const storedSizesMigration: Migration = {
  name: '0029-stored-sizes',
  statements: (dialect) => [
    ...dropDirectCallTriggers(dialect),
    ...kept.flatMap((one) => triggersOf(dialect, one)),
    ...kept.map((one) => backfill(dialect, one)),
  ],
};
