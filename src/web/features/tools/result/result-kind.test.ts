import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { cellText, columnsOf, sortRecords, toCsv } from './records.ts';
import { isShallow, recordsOf, textKind } from './result-kind.ts';

describe('textKind', () => {
  it('knows data, Markdown and plain text', () => {
    expect(textKind(' {"a": [1]}')).toEqual({ kind: 'data', value: { a: [1] } });
    for (const text of ['# Title', 'see **this**', '- a\n- b', '```js\nx\n```', '|a|b|\n|-|-|'])
      expect(textKind(text).kind).toBe('markdown');
    for (const text of ['', 'a - b', '12', '"a"', '{broken', '2 * 3 * 4', '<b>x</b>', '#1 of 3'])
      expect(textKind(text).kind).toBe('text');
  });

  it('leaves what is nested without end as text', () => {
    const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(textKind(deep(50)).kind).toBe('data');
    expect(textKind(deep(5000)).kind).toBe('text');
    expect(isShallow(JSON.parse(deep(5000)))).toBe(false);
  });
});

describe('recordsOf', () => {
  it('takes lists of records, also as the only field', () => {
    const records = [{ a: 1 }, { b: 2 }];
    expect(recordsOf(records)).toBe(records);
    expect(recordsOf({ items: records })).toBe(records);
  });

  it('takes nothing else', () => {
    for (const value of [[], [{}], [{ a: 1 }, 2], { a: [{ b: 1 }], c: 1 }, [[1]], 'x', null])
      expect(recordsOf(value)).toBeUndefined();
  });
});

describe('records', () => {
  it('have the columns of all, in order, however they are named', () => {
    expect(columnsOf([{ a: 1 }, { constructor: 2, a: 3 }])).toEqual(['a', 'constructor']);
    expect(
      columnsOf([Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`${n}x`, 1]))]),
    ).toHaveLength(40);
  });

  it('are sorted by number or by text, without a value last', () => {
    const records: JsonObject[] = [{ n: 10 }, { n: 9 }, {}, { n: 1 }];
    const order = (direction: 'ascending' | 'descending') =>
      sortRecords(records, 'n', direction).map((record) => cellText(record['n']));
    expect(order('ascending')).toEqual(['1', '9', '10', '']);
    expect(order('descending')).toEqual(['10', '9', '1', '']);
  });

  it('become CSV that no spreadsheet takes for a formula', () => {
    const csv = toCsv([
      { name: 'a, "b"', sum: -3 },
      { name: '=cmd()', more: [1] },
    ]);
    expect(csv.split('\r\n')).toEqual(['name,sum,more', '"a, ""b""",-3,', "'=cmd(),,[1]"]);
  });
});
