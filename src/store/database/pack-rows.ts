import type { JournalRow } from './store.ts';

/**
 * What one tick of SQLite's journal writes: a single row, whatever the number of topics, because
 * small rows leave pages half empty. A row of several topics has no topic of its own.
 */
export function packRows(rows: JournalRow[]): JournalRow {
  const [first] = rows;
  if (first && rows.length === 1) return first;
  const packed = rows.map(({ topicId, seq, body }) => [topicId, seq, body]);
  return { topicId: '', seq: 0, body: JSON.stringify(packed) };
}
